require_relative 'random_choice'

# Random resources of the types that the reference knows, with allowed and other values of their attributes.
module Oracle
  class ResourceGenerator
    include RandomChoice

    VALUES = ['', 'a', 'b c', 'x,y', '10', '0', '007', '-3', '3.7', 'true', 'no', 'undef', 'present', 'absent', 'latest', 'installed', 'purged', 'held', '1.2.3-4',
              '/etc/hosts', '/', '/a//b/../c/', 'relative/x', 'file:///etc/hosts', 'puppet:///modules/a/b', 'http://127.0.0.1:1/x', 'ftp://x/y', '644', '0644', '4755',
              '9999', 'u=rw,go=r', 'a+X', 'u=q', 'root', 'daemon', 'nobody2', '0', '65534', '*', '*/5', '1-5', '5-1', '2,4', '60', '24', 'Monday', 'mon', 'jan', 'sat-sun',
              'hourly', '1h', '5d', '10k', '2M', 'md5', 'sha256', 'mtime', '192.168.1.7', '::1', '300.1.1.1', 'example.com', 'bad_host!', 'ssh-rsa', 'AAAAB3NzaC1yc2E',
              'ext4', 'defaults', '/dev/sda1', 'LABEL=x', 'SIGTERM', '2024-01-01', '10:00-12:00', '25:00 - 26:00', "two\nlines", 'ü', '/bin/true', 'true', '/bin/false', 'x' * 40].freeze
    OTHERS = [0, 1, 7, 22, 60, -1, 420, 1.5, true, false, nil, [], ['a'], ['a', 'b c'], %w[2 4], [1, 5], ['*'], {}, { 'a' => 1 }].freeze
    TITLES = ['a', 'b c', '/tmp', '/etc/hosts', '/etc', 'root', 'daemon', 'bash', 'no-such', '/bin/true', '/', '10', 'x::y', 'puppet', 'relative/x', '/tmp/a/'].freeze
    # Attributes that could change the host or start programs, and metaparameters that name other resources.
    NEVER = %w[noop provider loglevel validate_cmd audit schedule before require notify subscribe alias tag purge_ssh_keys].freeze

    def initialize(seed, types)
      @random = Random.new(seed)
      @types = types
    end

    def next_resource
      type = pick(@types)
      names = attributes(type).sample(@random.rand(1..4), random: @random)
      lines = names.map { |name| "  #{name} => #{code(value(type, name))},\n" }
      "#{type.name} { #{code(title(type))}:\n#{lines.join}}\n"
    end

    private

    def attributes(type)
      @attributes ||= {}
      @attributes[type] ||= type.allattrs.map(&:to_s) - NEVER
    end

    def title(type)
      type.name == :file || chance(30) ? pick(TITLES.select { |text| text.start_with?('/') }) : pick(TITLES)
    end

    def value(type, name)
      allowed = allowed_values(type, name)
      return pick(allowed) if chance(50) && !allowed.empty?
      return pick(TITLES) if chance(15)
      return pick(OTHERS) if chance(20)
      chance(15) ? Array.new(@random.rand(1..3)) { pick(VALUES) } : pick(VALUES)
    end

    def allowed_values(type, name)
      attribute = type.attrclass(name.to_sym)
      collection = attribute.respond_to?(:value_collection) && attribute.value_collection
      collection ? collection.values.map(&:to_s) : []
    end

    def code(value)
      case value
      when nil then 'undef'
      when String then "'#{value.gsub(/[\\']/) { |c| "\\#{c}" }}'"
      when Array then "[#{value.map { |item| code(item) }.join(', ')}]"
      when Hash then "{#{value.map { |key, item| "#{code(key)} => #{code(item)}" }.join(', ')}}"
      else value.to_s
      end
    end
  end
end
