# Types by their schema (Puppet::ResourceApi): a description of attributes, and a provider with `get` and
# `set` over all resources at once.

# frozen_string_literal: true

module Puppet
  module ResourceApi
    # What a schema says.
    class Definition
      FEATURES = %w[supports_noop canonicalize custom_insync remote_resource simple_get_filter].freeze
      # What every resource has.
      RESERVED = %i[title provider alias audit before consume export loglevel noop notify require schedule stage
                    subscribe tag].freeze

      attr_reader :schema

      def initialize(schema)
        @schema = schema
      end

      def name
        @schema[:name].to_s
      end

      # Warns of what is not documented or not known; raises where an attribute's name is taken.
      def validate_schema
        taken = RESERVED.find { |name| attributes.key?(name) }
        raise Puppet::DevError, "must not define an attribute called `#{taken.inspect}`" if taken

        warn_of_missing_text(name, @schema, %i[desc docs])
        attributes.each { |key, options| warn_of_missing_text("#{name}.#{key}", options, %i[desc]) }
        unknown = Array(@schema[:features]) - FEATURES
        Puppet.warning("Unknown feature detected: #{unknown.inspect}") unless unknown.empty?
      end

      def attributes
        @schema[:attributes]
      end
      alias definition schema

      def behaviour(name)
        options = attributes.fetch(name)
        options[:behaviour] || options[:behavior]
      end

      def namevars
        attributes.keys.select { |name| behaviour(name) == :namevar }
      end

      def parameters
        attributes.keys.select { |name| %i[parameter namevar].include?(behaviour(name)) }
      end

      def properties
        attributes.keys.reject { |name| %i[parameter namevar].include?(behaviour(name)) }
      end

      def ensurable?
        attributes.key?(:ensure)
      end

      def feature?(name)
        Array(@schema[:features]).include?(name.to_s)
      end

      def insyncable_attributes
        properties - [:ensure]
      end

      # What is wrong with a value; nil when nothing is.
      def mismatch(name, value, subject = "#{self.name}.#{name}")
        value = value.to_s if value.is_a?(Symbol) && ![:true, :false].include?(value)
        value = value == :true if [:true, :false].include?(value)
        Bunraku.ask('type.mismatch', subject, attributes.fetch(name)[:type].to_s, Bunraku::Apply.plain(value))
      end

      def check(name, value)
        message = mismatch(name, value)
        raise Puppet::ResourceError, message if message
      end

      # Whether a state that a provider returned is one of the schema.
      def check_schema(state, message_prefix = 'Provider returned data that does not match the Type Schema')
        missing = namevars.find { |key| state[key].nil? }
        if missing
          raise Puppet::ResourceError, "`#{name}.get` did not return a value for the `#{missing}` namevar attribute"
        end

        unknown = state.keys.reject { |key| key == :title || attributes.key?(key) }
        wrong = state.filter_map { |key, value| mismatch_line(key, value) if attributes.key?(key) }
        return if unknown.empty? && wrong.empty?

        message = "#{message_prefix} for `#{name}[#{state[namevars.first]}]`"
        message += list_of('Unknown attribute', unknown) + list_of('Value type mismatch', wrong)
        ResourceApi.complain(message)
      end

      private

      def list_of(title, items)
        items.empty? ? '' : "\n #{title}:\n#{items.map { |item| "    * #{item}\n" }.join}"
      end

      # The same values are returned for many resources.
      def mismatch_line(key, value)
        @mismatches ||= {}
        message = @mismatches.fetch([key, value]) { @mismatches[[key, value]] = mismatch(key, value, '') }
        return if message.nil?

        attributes[key][:sensitive] == true ? "#{key}: << redacted value >> #{message}" : "#{key}: #{value} (#{message})"
      end

      def warn_of_missing_text(what, described, keys)
        return if keys.any? { |key| described.key?(key) }

        Puppet.warning("`#{what}` has no documentation, add it using a `desc` key")
      end
    end

    # What providers are given: the log, and marks of what they do.
    class Context
      attr_reader :type

      def initialize(definition)
        @type = definition
        @failed = false
      end

      def failed?
        @failed
      end

      def reset_failed
        @failed = false
      end

      def device
        raise 'Received device() on an unprepared BaseContext.'
      end
      alias transport device

      def feature_support?(name)
        @type.feature?(name)
      end

      %i[debug info notice warning err].each do |level|
        define_method(level) { |*arguments| send_log(level, message_of(*arguments)) }
      end

      { creating: 'Creating', updating: 'Updating', deleting: 'Deleting' }.each do |name, word|
        define_method(name) { |titles, message: word, &block| around(titles, message, message, &block) }
      end

      def failing(titles, message: 'Failing', &block)
        around(titles, message, message, &block)
      end

      def processing(title, is, should, message: 'Processing', &block)
        raise "#{self.class.name}#processing is not supported for arrays of titles" if title.is_a?(Array)

        around(title, "#{message}: Changing #{is} to #{should}", message, &block)
      end

      def created(titles, message: 'Created')
        done(titles, message)
      end

      def updated(titles, message: 'Updated')
        done(titles, message)
      end

      def deleted(titles, message: 'Deleted')
        done(titles, message)
      end

      def processed(title, is, should)
        raise "#{self.class.name}#processed only accepts a single resource title" if title.is_a?(Array)

        notice("#{place_of(title)}: Processed from #{is} to #{should}", raw: true)
      end

      def failed(titles, message: 'Updating has failed')
        @failed = true
        err(titles, message)
      end

      def attribute_changed(title, attribute, is, should, message: nil)
        text = "#{place_of(title)}: attribute '#{attribute}' changed from #{is.inspect} to #{should.inspect}"
        send_log(:notice, message ? "#{text}: #{message}" : text)
      end

      def log_exception(error, message: 'Error encountered', trace: false)
        send_log(:err, "#{@type.name}: #{message}: #{error.message}")
        error.backtrace.each { |line| send_log(:err, line) } if trace
      end

      private

      def place_of(title)
        titles = Array(title)
        titles.empty? ? @type.name : "#{@type.name}[#{titles.join(', ')}]"
      end

      def message_of(*arguments)
        return "#{@type.name}: #{arguments[0]}" if arguments.size == 1

        "#{place_of(arguments[0])}: #{arguments[1]}"
      end

      def done(titles, message)
        send_log(:notice, "#{place_of(titles)}: #{message}")
      end

      def around(titles, begun, message)
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        send_log(:notice, "#{place_of(titles)}: #{begun}: Started") if begun != message
        send_log(:debug, "#{place_of(titles)}: #{message}: Started") if begun == message
        yield
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        send_log(:notice, "#{place_of(titles)}: #{message}: Finished in #{format('%.6f', seconds)} seconds")
      rescue StandardError => error
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        send_log(:err, "#{place_of(titles)}: #{message}: Failed after #{format('%.6f', seconds)} seconds: #{error}")
        @failed = true
      end

      def send_log(level, text)
        Bunraku::Apply.log(level, text, 'Puppet')
      end
    end

    # Providers that do one resource at a time.
    class SimpleProvider
      def set(context, changes, noop: false)
        changes.each do |name, change|
          is = change.key?(:is) ? change[:is] : (get(context, [name]) || []).find { |one| one[:name] == name }
          context.type.check_schema(is) unless is.nil? || change.key?(:is)
          should = change[:should]
          is = absent(context, name) if is.nil?
          should = absent(context, name) if should.nil?
          name = should_key(context, name, should)
          set_one(context, name, is, should, noop)
        end
      end

      %i[create update delete].each do |method|
        define_method(method) { |*| raise "#{self.class} has not implemented `#{method}`" }
      end

      private

      def absent(context, name)
        context.type.ensurable? ? { name: name, ensure: 'absent' } : { name: name }
      end

      def should_key(context, name, should)
        keys = context.type.namevars
        keys.size > 1 ? keys.to_h { |key| [key, should[key]] }.merge(title: name) : name
      end

      def set_one(context, name, is, should, noop)
        title = name.is_a?(Hash) ? name[:title] : name
        more = noop ? { noop: true } : {}
        was = is[:ensure].to_s == 'present'
        wanted = should[:ensure].to_s == 'present'
        if !context.type.ensurable? || (was && wanted)
          context.updating(title) { update(context, name, should, **more) }
        elsif wanted
          context.creating(title) { create(context, name, should, **more) }
        elsif was
          context.deleting(title) { delete(context, name, **more) }
        end
      end
    end

    # Behaviour of all types that are made of a schema.
    module Resource
      attr_reader :rsapi_current_state

      def initialize(given)
        data = given.is_a?(Hash) ? self.class.hash2resource(given) : given
        # Messages of such types have no place.
        data.file = data.line = nil
        super(data)
      end

      def my_provider
        self.class.my_provider
      end

      def context
        self.class.context
      end

      def rsapi_title
        keys = self.class.type_definition.namevars
        return title if keys.size <= 1

        keys.to_h { |name| [name, self[name]] }.merge(title: title)
      end

      # What is wanted: the title's parts, parameters and properties.
      def rsapi_target_state
        definition = self.class.type_definition
        found = definition.namevars.to_h { |name| [name, self[name]] }
        found[:title] = title if definition.namevars.size > 1
        definition.attributes.each_key do |name|
          next if found.key?(name)

          one = parameter(name)
          next if one.nil?

          value = one.is_a?(Property) ? one.should : one.value
          value = self.class.provider_value(value) if one.is_a?(Property) || one.is_a?(Parameter)
          found[name] = value unless value.nil?
        end
        canonical(found)
      end

      def canonical(state)
        return state unless self.class.type_definition.feature?('canonicalize')

        my_provider.canonicalize(context, [state])[0]
      end

      def retrieve
        found = Puppet::Resource.new(self.class.name, title)
        state = fetch_state
        definition = self.class.type_definition
        @rsapi_current_state = state || absent_state
        @rsapi_current_state.each do |name, value|
          next if name == :title

          one = definition.attributes.key?(name) && definition.properties.include?(name)
          found[name] = one && name == :ensure ? value.to_s.to_sym : value
        end
        properties.each { |one| found[one.name] = :absent if found[one.name].nil? && one.name != :ensure } if state.nil?
        found
      end

      def absent_state
        definition = self.class.type_definition
        base = definition.namevars.to_h { |name| [name, self[name]] }
        base = { title: title }.merge(base) if definition.namevars.size > 1
        definition.ensurable? ? base.merge(ensure: 'absent') : base
      end

      # One list of all serves all resources; what was changed is asked for again.
      def fetch_state
        definition = self.class.type_definition
        list = if definition.feature?('simple_get_filter')
                 my_provider.get(context, [rsapi_title]) || []
               else
                 self.class.cached_list
               end
        found = list.find do |one|
          next one[:title] == title if one.key?(:title) && definition.namevars.size > 1

          definition.namevars.all? { |name| one[name] == self[name] }
        end
        check_state(found) if found
        found
      end

      # Whether the provider returned values as the schema and its own `canonicalize` have them.
      def check_state(state)
        definition = self.class.type_definition
        definition.check_schema(state)
        return if Puppet[:strict] == :off || !definition.feature?('canonicalize')

        canonical = my_provider.canonicalize(context, [Marshal.load(Marshal.dump(state))])[0]
        return if canonical.nil? || canonical == state

        ResourceApi.complain("#{definition.name}[#{title}]#get has not provided canonicalized values.\n" \
                             "Returned values:       #{state.inspect}\nCanonicalized values:  #{canonical.inspect}")
      end

      def flush
        definition = self.class.type_definition
        target = rsapi_target_state
        warn_of_unchangeable(target)
        context.reset_failed
        changes = { rsapi_title.is_a?(Hash) ? rsapi_title : title => { is: @rsapi_current_state, should: target } }
        if definition.feature?('supports_noop')
          my_provider.set(context, changes, noop: noop?)
        else
          my_provider.set(context, changes) unless noop?
        end
        raise Puppet::Error, 'Execution encountered an error' if context.failed?

        self.class.forget_list
        @rsapi_current_state = target
      end

      def warn_of_unchangeable(target)
        current = @rsapi_current_state
        return if current.nil? || (self.class.type_definition.ensurable? && current[:ensure].to_s == 'absent')
        return if target[:ensure].to_s == 'absent'

        target.each do |name, value|
          next unless self.class.type_definition.attributes[name] && self.class.type_definition.behaviour(name) == :init_only
          next if current[name] == value

          ResourceApi.complain("Attempting to change `#{name}` init_only attribute value from `#{current[name]}` to `#{value}`",
                               Puppet::ResourceError)
        end
      end
    end

    # Properties of such types.
    module PropertyMethods
      def set(_value); end

      def insync?(current)
        definition = resource.class.type_definition
        if definition.feature?('custom_insync') && name != :ensure
          answer, text = resource.my_provider.insync?(resource.context, resource.rsapi_title, name,
                                                      resource.rsapi_current_state, resource.rsapi_target_state)
          @change_text = text
          return answer unless answer.nil?
        end
        wanted = resource.canonical_value(name, should)
        resource.class.provider_value(current) == resource.class.provider_value(wanted)
      end

      def change_to_s(current, wanted)
        @change_text || super
      end
    end

    @definitions = {}
    @transports = {}

    class << self
      attr_reader :definitions

      def register_type(schema)
        raise Puppet::DevError, "requires a hash as definition, not `#{schema.inspect}`" unless schema.is_a?(Hash)
        raise Puppet::DevError, 'requires a `:name`' unless schema.key?(:name)
        raise Puppet::DevError, 'requires `:attributes`' unless schema.key?(:attributes)

        definition = Definition.new(schema)
        definition.validate_schema
        @definitions[definition.name] = definition
        Maker.new(definition).make
      end

      # A mistake of a type or provider, as severe as `strict` says.
      def complain(message, error = Puppet::DevError)
        case Puppet[:strict]
        when :off then Puppet.debug(message)
        when :warning then Puppet.warning(message)
        else raise error, message
        end
      end

      def register_transport(schema)
        @transports[schema[:name]] = schema
      end

      # The provider's object; its file is named after the type.
      def load_provider(name)
        name = name.to_s
        require "puppet/provider/#{name}/#{name}"
        constant = name.split('_').map(&:capitalize).join
        Puppet::Provider.const_get(constant, false).const_get(constant, false)
      rescue LoadError
        raise Puppet::DevError, "Unable to find provider for the type #{name}"
      end
    end

    # Makes the type of a definition.
    class Maker
      def initialize(definition)
        @definition = definition
      end

      def make
        definition = @definition
        maker = self
        constant = definition.name.split('_').map(&:capitalize).join
        Puppet::Provider.const_set(constant, ::Module.new) unless Puppet::Provider.const_defined?(constant, false)
        Type.newtype(definition.name) do
          @doc = definition.schema[:docs] || definition.schema[:desc]
          extend(ClassMethods)
          self.type_definition = definition
          prepend(Resource)
          define_method(:canonical_value) do |name, value|
            next value unless definition.feature?('canonicalize')

            rsapi_target_state.fetch(name, value)
          end
          apply_to_device if definition.feature?('remote_resource')
          definition.attributes.each { |name, options| maker.add(self, name, options) }
          maker.add_patterns(self)
          maker.add_relations(self)
        end
      end

      def add(type, name, options)
        definition = @definition
        kind = definition.behaviour(name)
        check = method(:check)
        if %i[namevar parameter].include?(kind)
          type.newparam(name) do
            desc(options[:desc])
            isnamevar if kind == :namevar
            validate { |value| check.call(name, value) }
            munge { |value| type.munged(name, value) }
            defaultto { options[:default] } if options.key?(:default)
          end
        else
          add_property(type, name, options, kind, check)
        end
        definition
      end

      def add_property(type, name, options, kind, check)
        property = type.newproperty(name, array_matching: :all) do
          desc(options[:desc])
          validate do |value|
            if kind == :read_only
              raise Puppet::ResourceError, "Attempting to set `#{name}` read_only attribute value to `#{value}`"
            end

            check.call(name, @rsapi_whole || value)
          end
          munge { |value| type.munged(name, value) }
          defaultto { options[:default] } if options.key?(:default)
          # The list as a whole is the value.
          define_method(:should=) do |value|
            @rsapi_whole = value
            @shouldorig = [value]
            validate(value)
            @should = [munge(value)]
          ensure
            @rsapi_whole = nil
          end
          define_method(:should) { @should && @should[0] }
        end
        property.prepend(PropertyMethods)
      end

      def check(name, value)
        @definition.check(name, value)
      end

      def add_patterns(type)
        patterns = @definition.schema[:title_patterns]
        keys = @definition.namevars
        patterns = patterns.map { |one| [one[:pattern], one[:pattern].names.map { |name| [name.to_sym] }] } if patterns
        patterns ||= [[/(.*)/m, [[keys.first]]]]
        type.define_singleton_method(:title_patterns) { patterns }
      end

      RELATIONS = %i[autorequire autobefore autosubscribe autonotify].freeze

      # A text that begins with $ names an attribute.
      def add_relations(type)
        RELATIONS.each do |kind|
          (@definition.schema[kind] || {}).each do |target, values|
            type.public_send(kind, target) do
              Array(values).flat_map do |value|
                value = value.to_s
                match = /\A\$(.*)\z/.match(value)
                match ? (parameter(match[1].to_sym) ? self[match[1].to_sym] : nil) : value
              end.compact
            end
          end
        end
      end
    end

    # Of the classes of such types.
    module ClassMethods
      attr_accessor :type_definition

      def context
        @context ||= Context.new(type_definition)
      end

      def my_provider
        @my_provider ||= ResourceApi.load_provider(name).new
      end

      def cached_list
        @cached_list ||= my_provider.get(context)
      end

      def forget_list
        @cached_list = nil
      end

      def instances
        list = type_definition.feature?('simple_get_filter') ? my_provider.get(context, nil) : my_provider.get(context)
        list.map do |one|
          keys = type_definition.namevars
          hash = { title: (one[:title] || one[keys.first]).to_s }
          keys.each { |key| hash[key] = one[key] }
          made = new(hash)
          type_definition.properties.each { |name| made.newattr(name) unless type_definition.behaviour(name) == :read_only }
          made
        end
      end

      # As properties have it: words and booleans are symbols.
      def property_value(name, value)
        return value.to_sym if name == :ensure && value.is_a?(String)
        return value ? :true : :false if [true, false].include?(value)

        value
      end

      # As providers have it.
      def provider_value(value)
        case value
        when :true then true
        when :false then false
        when Symbol then value.to_s
        else value
        end
      end

      def munged(name, value)
        text = type_definition.attributes.fetch(name)[:type].to_s
        return property_value(name, value) if type_definition.properties.include?(name)
        return value.to_s if text == 'String' && value.is_a?(Symbol)

        value
      end
    end
  end
end
