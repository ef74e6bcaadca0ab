# Types defined by a schema (Puppet::ResourceApi): a description of attributes, and a provider whose
# `get` and `set` handle all resources at once.

# frozen_string_literal: true

module Puppet
  module ResourceApi
    # The definition in a schema.
    class Definition
      FEATURES = %w[supports_noop canonicalize custom_insync remote_resource simple_get_filter
                    custom_generate].freeze
      # Attributes that every resource has.
      RESERVED = %i[title provider alias audit before consume export loglevel noop notify require schedule stage
                    subscribe tag].freeze

      attr_reader :schema

      def initialize(schema)
        @schema = schema
      end

      def name
        @schema[:name].to_s
      end

      # Warns of missing documentation and unknown keys; raises when an attribute has a reserved
      # name.
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

      def optional?(name)
        attributes.fetch(name)[:type].to_s.start_with?('Optional')
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

      # The mismatch of a value; nil when it is valid.
      def mismatch(name, value, subject = "#{self.name}.#{name}")
        value = value.to_s if value.is_a?(Symbol) && ![:true, :false].include?(value)
        value = value == :true if [:true, :false].include?(value)
        secret = value.is_a?(Pops::Types::PSensitiveType::Sensitive)
        value = value.unwrap if secret
        Bunraku.ask('type.mismatch', subject, attributes.fetch(name)[:type].to_s, Bunraku::Apply.plain(value), secret)
      end

      def check(name, value)
        message = mismatch(name, value)
        raise Puppet::ResourceError, message if message
      end

      # Raises or warns when a state that a provider returned does not match the schema.
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

      # Cached, because the same values return for many resources.
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

    # The context that providers get: the log, and the state of what they do.
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

      %i[creating updating deleting].each do |name|
        define_method(name) do |titles, message: name.to_s.capitalize, &block|
          around(titles, message, ['Start', 'Finished in %s seconds', 'Failed after %s seconds'], &block)
        end
      end

      def failing(titles, message: 'Failing', &block)
        around(titles, message, ['Start', 'Finished failing in %s seconds', 'Failed after %s seconds'], :warning, &block)
      end

      def processing(title, is, should, message: 'Processing', &block)
        refuse_list(title, 'processing')
        texts = ["Starting processing of #{title} from #{is} to #{should}", "Finished processing #{title} in %s seconds: #{should}",
                 "Failed processing #{title} after %s seconds"]
        around(title, message, texts, &block)
      end

      %i[created updated deleted].each do |name|
        define_method(name) { |titles, message: name.to_s.capitalize| notice("#{message}: #{titles}") }
      end

      def processed(title, is, should)
        refuse_list(title, 'processed')
        notice("Processed #{title} from #{is} to #{should}")
      end

      def failed(titles, message: 'Updating has failed')
        within(place_of(titles)) { err(message) }
      end

      def attribute_changed(title, attribute, is, should, message: nil)
        refuse_list(title, 'attribute_changed')
        text = "#{title}: attribute '#{attribute}' changed from #{quoted(is)} to #{quoted(should)}"
        notice(message ? "#{text}: #{message}" : text)
      end

      def log_exception(error, message: 'Error encountered', trace: false)
        lines = ["#{message}: #{error}"]
        lines.concat(error.backtrace || []) if trace
        err(lines.join("\n"))
      end

      private

      def refuse_list(title, name)
        raise "#{name} only accepts a single resource title" if title.respond_to?(:each)
      end

      def quoted(value)
        return 'nil' unless value

        value.is_a?(Numeric) ? value : "'#{value}'"
      end

      def place_of(titles)
        return @type.name if !titles.is_a?(String) && titles.empty?

        "#{@type.name}[#{[titles].flatten.compact.join(', ')}]"
      end

      # A message without a resource is about the current action.
      def message_of(*arguments)
        case arguments.size
        when 1 then "#{@place || @type.name}: #{arguments[0]}"
        when 2 then "#{place_of(arguments[0])}: #{arguments[1]}"
        else arguments.join(', ')
        end
      end

      def within(place)
        @place = place
        yield
      ensure
        @place = nil
      end

      # `texts` are logged before the block, after it, and when it fails.
      def around(titles, message, texts, level = :notice)
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        within("#{place_of(titles)}: #{message}") do
          debug(texts[0])
          yield
          public_send(level, texts[1].sub('%s') { seconds_since(started) })
        rescue StandardError => error
          log_exception(error, message: texts[2].sub('%s') { seconds_since(started) })
          @failed = true
        end
      end

      def seconds_since(started)
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        format(seconds < 1 ? '%.6f' : '%.2f', seconds)
      end

      def send_log(level, text)
        Bunraku::Apply.log(level, text, 'Puppet')
      end
    end

    # A provider whose methods handle one resource at a time.
    class SimpleProvider
      # The `name` of a resource is the value of its namevar, or a hash when there are several.
      def set(context, changes)
        raise 'SimpleProvider cannot be used with a Type that is not ensurable' unless context.type.ensurable?

        changes.each do |name, change|
          is = change.fetch(:is) { current(context, name) }
          context.type.check_schema(is) unless is.nil? || change.key?(:is)
          set_one(context, name, is || { ensure: 'absent' }, change[:should] || { ensure: 'absent' })
        end
      end

      %i[create update delete].each do |method|
        define_method(method) { |*| raise "#{self.class} has not implemented `#{method}`" }
      end

      private

      def current(context, name)
        list = context.type.feature?('simple_get_filter') ? get(context, [name]) : get(context)
        keys = context.type.namevars
        (list || []).find { |one| keys.size == 1 ? one[keys[0]] == name : keys.to_h { |key| [key, one[key]] } == name }
      end

      def set_one(context, name, is, should)
        was = is[:ensure].to_s == 'present'
        if was && should[:ensure].to_s == 'absent'
          context.deleting(name) { delete(context, name) }
        elsif was
          context.updating(name) { update(context, name, should) }
        elsif should[:ensure].to_s == 'present'
          context.creating(name) { create(context, name, should) }
        end
      end
    end

    # Methods of all types defined by a schema.
    module Resource
      attr_accessor :rsapi_current_state

      def initialize(given)
        data = given.is_a?(Hash) ? self.class.hash2resource(given) : given
        # Messages of such types have no place.
        data.file = data.line = nil
        keep_secrets_wrapped(data)
        canonicalize_given(data) if self.class.type_definition.feature?('canonicalize')
        super(data)
      end

      # Providers get sensitive parameters wrapped as in the manifest; only properties stay marked
      # as sensitive.
      def keep_secrets_wrapped(data)
        sensitive = Pops::Types::PSensitiveType::Sensitive
        data.sensitive_parameters.each do |name|
          data[name] = sensitive.new(data[name]) if data.key?(name) && !data[name].is_a?(sensitive)
        end
        data.sensitive_parameters &= self.class.type_definition.properties
      end

      def canonicalize_given(data)
        given = data.to_hash
        found = my_provider.canonicalize(context, [given.dup])[0]
        (given.keys - found.keys).each { |name| data.delete(name) }
        found.each { |name, value| data[name] = value }
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

        keys.to_h { |name| [name, self[name]] }
      end

      # A default of false is a value like any other.
      def dropped_default?(value)
        value.nil?
      end

      # The desired state: the parts of the title, given attributes, and defaults. Providers may print it in this order.
      def rsapi_target_state
        definition = self.class.type_definition
        found = definition.namevars.to_h { |name| [name, self[name]] }
        parameters.each do |name, one|
          next if found.key?(name) || !definition.attributes.key?(name)

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

      # Raises an error for missing mandatory parameters; properties are checked when the resource
      # is evaluated.
      def validate
        super if defined?(super)
        absent = missing(:parameter)
        raise Puppet::ResourceError, missing_text('parameters', absent) unless absent.empty?
      end

      def missing(behaviour)
        definition = self.class.type_definition
        definition.attributes.keys.select do |name|
          next if name == :ensure || !value(name).nil? || definition.optional?(name)

          kind = definition.behaviour(name)
          behaviour == :parameter ? kind == :parameter : kind.nil? || kind == :init_only
        end
      end

      def missing_text(what, names)
        "The following mandatory #{what} were not provided:\n    *  #{names.join(", \n    *  ")}"
      end

      def check_missing
        return if [nil, :absent].include?(value(:ensure))

        absent = missing(:property)
        raise Puppet::ResourceError, missing_text('attributes', absent) unless absent.empty?
      end

      def generate_by_provider
        raise Puppet::DevError, 'No generate method found within the types provider' unless my_provider.respond_to?(:generate)

        my_provider.generate(context, rsapi_title, @rsapi_current_state, rsapi_target_state)
      end

      def retrieve
        check_missing
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
        base = { title: title } if definition.namevars.size == 1
        definition.ensurable? ? base.merge(ensure: 'absent') : base
      end

      # One list serves all resources, unless the provider can filter: then each resource gets its
      # own state.
      def fetch_state
        definition = self.class.type_definition
        list = if definition.feature?('simple_get_filter')
                 my_provider.get(context, [rsapi_title]) || []
               else
                 self.class.cached_list
               end
        found = list.find { |one| definition.namevars.all? { |name| one[name] == self[name] } }
        check_state(found) if found
        found
      end

      # Checks that the provider returned values that match the schema and its own `canonicalize`.
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
        changes = { rsapi_title => { is: @rsapi_current_state, should: target } }
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

    # Methods of properties of such types.
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
        resource.class.provider_value(current) == resource.class.provider_value(wanted) || current == wanted.to_s
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

      # Reports a mistake of a type or provider at the level of the setting `strict`.
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

      # The provider class; its file has the name of the type.
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
          define_method(:generate) { generate_by_provider } if definition.feature?('custom_generate')
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
          # The whole list is one value.
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

    # Class methods of such types.
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
          made.rsapi_current_state = one
          made
        end
      end

      # The form for properties: words and booleans are symbols.
      def property_value(name, value)
        return value.to_sym if name == :ensure && value.is_a?(String)
        return value ? :true : :false if [true, false].include?(value)

        value
      end

      # The form for providers.
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
