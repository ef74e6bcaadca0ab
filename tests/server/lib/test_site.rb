# frozen_string_literal: true

# A directory with everything that a server needs: environments, settings, an authority with client
# certificates. The reference's server and this project's read the same files.
require 'fileutils'
require 'openssl'

# An authority in the layout of the reference, and the certificates of test clients.
class TestAuthority
  LONG = 5 * 365 * 24 * 3600
  CLI_AUTH = '1.3.6.1.4.1.34380.1.3.39'
  Client = Struct.new(:key, :certificate)

  attr_reader :clients, :certificate

  def initialize(directory)
    @directory = directory
    %w[signed requests].each { |name| FileUtils.mkdir_p("#{directory}/#{name}") }
    @serial = 0
    @inventory = +''
    @key = OpenSSL::PKey::RSA.new(2048)
    @certificate = make_root('Puppet CA: localhost', @key)
    @clients = {}
  end

  def issue(name, subject: name, extensions: [], not_after: Time.now + LONG, signed: true)
    key = OpenSSL::PKey::RSA.new(2048)
    certificate = sign(subject, key.public_key, extensions, not_after)
    File.write("#{@directory}/signed/#{name}.pem", certificate.to_pem) if signed
    @clients[name] = Client.new(key, certificate)
  end

  # A client of another authority with the same name.
  def issue_foreign(name)
    own = [@key, @certificate, @serial, @inventory.dup]
    @key = OpenSSL::PKey::RSA.new(2048)
    @certificate = make_root('Puppet CA: localhost', @key)
    issue(name, signed: false)
  ensure
    @key, @certificate, @serial, @inventory = own
  end

  def write(revoked:)
    File.write("#{@directory}/ca_key.pem", @key.to_pem)
    File.chmod(0o640, "#{@directory}/ca_key.pem")
    File.write("#{@directory}/ca_pub.pem", @key.public_key.to_pem)
    File.write("#{@directory}/ca_crt.pem", @certificate.to_pem)
    File.write("#{@directory}/ca_crl.pem", revocation_list(revoked).to_pem)
    File.write("#{@directory}/inventory.txt", @inventory)
    File.write("#{@directory}/serial", format('%04X', @serial + 1))
    File.write("#{@directory}/infra_inventory.txt", "localhost\n")
    File.write("#{@directory}/infra_serials", '')
    FileUtils.cp("#{@directory}/ca_crl.pem", "#{@directory}/infra_crl.pem")
  end

  def revocation_list(names)
    list = OpenSSL::X509::CRL.new
    list.version = 1
    list.issuer = @certificate.subject
    list.last_update = Time.now - 86_400
    list.next_update = Time.now + LONG
    names.each do |name|
      entry = OpenSSL::X509::Revoked.new
      entry.serial = @clients.fetch(name).certificate.serial
      entry.time = Time.now - 60
      list.add_revoked(entry)
    end
    extensions = OpenSSL::X509::ExtensionFactory.new(@certificate)
    list.add_extension(extensions.create_extension('authorityKeyIdentifier', 'keyid:always'))
    list.add_extension(OpenSSL::X509::Extension.new('crlNumber', OpenSSL::ASN1::Integer(names.size)))
    list.sign(@key, OpenSSL::Digest.new('SHA256'))
  end

  private

  def base(subject, public_key, not_after)
    @serial += 1
    certificate = OpenSSL::X509::Certificate.new
    certificate.version = 2
    certificate.serial = @serial
    certificate.subject = OpenSSL::X509::Name.new([['CN', subject]])
    certificate.public_key = public_key
    certificate.not_before = [Time.now, not_after].min - 86_400
    certificate.not_after = not_after
    @inventory << format("0x%04X %s %s /CN=%s\n", @serial, *[certificate.not_before, not_after].map { |time| time.utc.strftime('%Y-%m-%dT%H:%M:%SUTC') }, subject)
    certificate
  end

  def make_root(name, key)
    certificate = base(name, key.public_key, Time.now + (15 * 365 * 24 * 3600))
    certificate.issuer = certificate.subject
    factory = OpenSSL::X509::ExtensionFactory.new(certificate, certificate)
    certificate.add_extension(factory.create_extension('basicConstraints', 'CA:TRUE', true))
    certificate.add_extension(factory.create_extension('keyUsage', 'keyCertSign, cRLSign', true))
    certificate.add_extension(factory.create_extension('subjectKeyIdentifier', 'hash'))
    certificate.sign(key, OpenSSL::Digest.new('SHA256'))
  end

  def sign(subject, public_key, extensions, not_after)
    certificate = base(subject, public_key, not_after)
    certificate.issuer = @certificate.subject
    factory = OpenSSL::X509::ExtensionFactory.new(@certificate, certificate)
    certificate.add_extension(factory.create_extension('basicConstraints', 'CA:FALSE', true))
    certificate.add_extension(factory.create_extension('keyUsage', 'digitalSignature, keyEncipherment', true))
    certificate.add_extension(factory.create_extension('extendedKeyUsage', 'serverAuth, clientAuth', true))
    certificate.add_extension(factory.create_extension('subjectKeyIdentifier', 'hash'))
    certificate.add_extension(factory.create_extension('authorityKeyIdentifier', 'keyid:always'))
    extensions.each { |oid, value| certificate.add_extension(extension(factory, oid, value)) }
    certificate.sign(@key, OpenSSL::Digest.new('SHA256'))
  end

  def extension(factory, oid, value)
    return factory.create_extension('subjectAltName', value) if oid == 'subjectAltName'

    OpenSSL::X509::Extension.new(oid, OpenSSL::ASN1::UTF8String(value).to_der, false)
  end
end

# The site's directories and files.
class TestSite
  attr_reader :top, :authority

  def initialize(top, files)
    @top = top
    FileUtils.mkdir_p(top)
    FileUtils.cp_r("#{files}/.", top)
    # Links and names that a checkout should not contain.
    write('code/environments/production/modules/demo/files/two words +1%.txt', "two words\n")
    write("code/environments/production/modules/demo/files/\u00fcml\u00e4ut.txt", "umlaut\n")
    File.symlink('a.txt', path('code/environments/production/modules/demo/files/link'))
    File.symlink('tree', path('code/environments/production/modules/demo/files/linked_tree'))
    File.binwrite(path('code/environments/production/modules/demo/files/binary.bin'), (0..255).to_a.pack('C*'))
    write('code/environments/bad-name/environment.conf', '')
    write('code/environments/production/modules/.hidden/files/x', 'x')
    settle_times
    Dir.glob("#{top}/bin/*").each { |file| File.chmod(0o755, file) }
    make_authority
    write_settings
  end

  def path(name) = "#{top}/#{name}"

  def write(name, text)
    FileUtils.mkdir_p(File.dirname(path(name)))
    File.write(path(name), text)
  end

  def client(name) = authority.clients.fetch(name)

  private

  # Modes and times are part of answers.
  def settle_times
    Dir.glob("#{top}/{code,mount}/**/*", File::FNM_DOTMATCH).reverse_each do |file|
      next if File.symlink?(file)

      File.chmod(File.directory?(file) ? 0o755 : 0o644, file)
      File.utime(1_700_000_000, 1_700_000_000, file)
    end
  end

  def make_authority
    @authority = TestAuthority.new(path('ca'))
    authority.issue('localhost', extensions: [['subjectAltName', 'DNS:localhost,DNS:puppet'], [TestAuthority::CLI_AUTH, 'true']])
    %w[agent1.test agent2.test test moved.test broken.test missing.test failing.test lost.test rich.test].each { |name| authority.issue(name) }
    authority.issue('role.test', extensions: [['1.3.6.1.4.1.34380.1.1.13', 'web']])
    authority.issue('admin.test', extensions: [[TestAuthority::CLI_AUTH, 'true']])
    authority.issue('san.test', extensions: [['subjectAltName', 'DNS:san.test,DNS:agent1.test']])
    authority.issue('revoked.test')
    authority.issue('cleaned.test')
    authority.issue('deleted.test')
    authority.issue('expired.test', not_after: Time.now - 3600)
    authority.issue_foreign('foreign.test')
    authority.write(revoked: ['revoked.test'])
    { 'certs' => authority.client('localhost').certificate, 'private_keys' => authority.client('localhost').key }.each do |directory, object|
      write("ssl/#{directory}/localhost.pem", object.to_pem)
    end
    write('ssl/certs/ca.pem', authority.certificate.to_pem)
    write('ssl/crl.pem', File.read(path('ca/ca_crl.pem')))
  end

  def write_settings
    Dir.glob("#{top}/{conf,bin}/**/*").select { |file| File.file?(file) }.each do |file|
      text = File.read(file)
      File.write(file, text.gsub('@TOP@', top)) if text.include?('@TOP@')
    end
  end
end

# Short accessors for the clients of an authority.
class TestAuthority
  def client(name) = clients.fetch(name)
end
