require_relative 'guest_outcome'

# What a manifest of a module has left behind in a guest: as in the parent class, with all files of configuration and data.
class ModuleOutcome < GuestOutcome
  REPORT = '/opt/puppetlabs/puppet/cache/state/last_run_report.yaml'.freeze
  STATE = superclass::STATE.except('files', 'labels', 'keys').freeze

  # Directories whose files are compared, except for those that programs rewrite when they start.
  COMPARED = %w[etc usr/local opt home root var/www var/spool/cron].freeze
  VOLATILE = %r{\A(etc/(ld\.so\.cache|mtab|resolv\.conf|machine-id|\.pwd\.lock|ssl/|(passwd|shadow|group|gshadow)-\z|ssh/ssh_host|bind/rndc\.key|
                   puppetlabs|ca-certificates|\.updated)|opt/puppetlabs|usr/local/bin/bunraku|root/\.(cache|bundle|gem|local))|\.pyc\z|__pycache__}x.freeze
  LARGE = 300_000
  # Warnings of missing certificates, and the journals of services that fail.
  NOISE = /\A(Warning:\ (Client\ certificate|Private\ key)\ for\ |\s+(Active|Process|Main\ PID|CPU|Memory|Tasks):\ |<time>\ )/x.freeze
  CHANGING = [[/\{(sha256|md5|mtime)\}\h{10,}/, '{\1}<digest>'], [/\b[0-9.]+ [km]?B\/s/i, '<speed>'], [/pid[ =]\d+/i, 'pid <pid>'],
              [/20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d( \+0000)?|[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d 20\d\d/, '<time>']].freeze

  def initialize(guest, output, status)
    @schemas, = guest.run('grep -ls ResourceApi.register_type /srv/path/*/lib/puppet/type/*.rb')
    super
    @tree.concat(files_of(guest))
  end

  private

  def plain(text) = CHANGING.reduce(super) { |plain, (pattern, shown)| plain.gsub(pattern, shown) }
  def types_by_schema = @schemas.lines.map { |path| File.basename(path.chomp, '.rb').capitalize } + super
  def lines_of(output) = super.grep_v(NOISE)

  # Type, mode and owner of each file, and its lines.
  def files_of(guest)
    paths = COMPARED.flat_map { |top| Dir.glob("#{guest.path("/#{top}")}/**/*", File::FNM_DOTMATCH) }.sort.uniq
    paths.flat_map do |path|
      name = path.delete_prefix("#{guest.root}/")
      next [] if name.match?(VOLATILE) || name.end_with?('/.')

      stat = File.lstat(path)
      [format('%<name>s %<type>s %<mode>o %<uid>d:%<gid>d', name: name, type: stat.ftype, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid),
       *contents_of(path, stat).map { |line| "#{name}: #{line}" }]
    rescue Errno::ENOENT, Errno::EACCES
      []
    end
  end

  def contents_of(path, stat)
    return [File.readlink(path)] if stat.symlink?
    return [] unless stat.file?
    return ["#{stat.size} bytes"] if stat.size > LARGE

    plain(File.binread(path)).lines(chomp: true)
  end
end
