# Requests of the transaction. Each answers [true, value], or [false, message, message of the
# wrapped error or nil].

# frozen_string_literal: true

module Bunraku
  # The requests.
  module ApplyRequests
    class << self
      # Runs code of modules and makes the answer.
      def answer
        [true, yield]
      rescue Puppet::Error, StandardError, ScriptError => error
        inner = error.respond_to?(:original) && error.original ? error.original.message.to_s : nil
        [false, text(error.message), inner && text(inner)]
      end

      def text_of(error)
        inner = error.respond_to?(:original) ? error.original : nil
        inner ? "#{error.message}\nWrapped exception:\n#{inner.message}" : error.message
      end

      def text(message)
        message.to_s.encode('UTF-8', invalid: :replace, undef: :replace).scrub
      end

      def resource(number)
        Apply.resources.fetch(number)
      end

      def type(name)
        Puppet::Type.type(name)
      end

      # --- types ---

      def describe(name)
        found = type(name)
        return nil if found.nil? || found <= Puppet::Native

        names = found.properties.map { |one| attribute(one, true) }
        names += found.paramclasses.map { |one| attribute(one, false) }
        { 'attributes' => names, 'keys' => found.key_attributes.map(&:to_s), 'isomorphic' => found.isomorphic?,
          'refreshes' => found.method_defined?(:refresh), 'self_refresh' => !!found.self_refresh,
          'generates' => found.method_defined?(:generate), 'eval_generates' => found.method_defined?(:eval_generate),
          'checks' => found.method_defined?(:pre_run_check), 'device_only' => !found.can_apply_to(:host),
          'relates' => !found.relations.empty?,
          'finishes' => found.instance_method(:finish).owner != Puppet::Type, 'lists' => lists?(found),
          'providers' => found.provider_hash.values.map { |one| provider(one) } }
      end

      def lists?(found)
        return true if found.method(:instances).owner != Puppet::Type.singleton_class

        found.provider_hash.values.any? { |one| one.method(:instances).owner != Puppet::Provider.singleton_class }
      end

      def attribute(one, is_property)
        { 'name' => one.name.to_s, 'property' => is_property, 'namevar' => one.isnamevar?,
          'all' => is_property && one.array_matching == :all,
          'features' => Array(one.required_features).map(&:to_s).join(' '),
          'idempotent' => !is_property || one.idempotent? }
      end

      def provider(one)
        { 'name' => one.name.to_s, 'prefetches' => one.respond_to?(:prefetch),
          'finishes' => one.respond_to?(:post_resource_eval), 'features' => one.features.map(&:to_s).join(' ') }
      end

      # --- resources ---

      def create(type_name, title, attributes, details)
        data = Puppet::Resource.new(type_name, title)
        attributes.each { |name, value| data[name] = value }
        data.catalog = Puppet::Resource::Catalog.new
        data.file = details['file']
        data.line = details['line']
        data.own_tags_of_data = details['tags']
        data.sensitive_parameters = details['sensitive'].map(&:to_sym)
        data.virtual = details['virtual']
        data.exported = details['exported']
        describe_resource(type(type_name).new(data))
      end

      def describe_resource(resource)
        { 'number' => resource.number, 'name' => Apply.plain(resource.name).to_s, 'title' => Apply.plain(resource.title).to_s,
          'provider' => resource.provider && resource.provider.class.name.to_s,
          'attributes' => resource.parameters.values.map { |one| attribute_values(one) }, 'tags' => resource.tags }
      end

      def attribute_values(one)
        property = one.is_a?(Puppet::Property)
        values = property ? one.desired_values : one.value
        values = values.nil? ? [] : [values] unless property
        { 'name' => one.name.to_s, 'values' => Apply.plain(values || []), 'sensitive' => property && !!one.sensitive,
          'metaparameter' => one.metaparam? }
      end

      # [[kind, type, title]]
      def relations(resource)
        resource.class.relations.flat_map do |kind, type_name, block|
          found = resource.instance_exec(type_name, &block)
          found = [found] unless found.is_a?(Array)
          found.flatten.compact.map { |one| target(kind, type_name, one) }
        end
      end

      def target(kind, type_name, one)
        case one
        when Puppet::Type then [kind.to_s, one.class.name.to_s, one.title.to_s]
        when Puppet::Resource then [kind.to_s, one.type.downcase, one.title.to_s]
        else [kind.to_s, type_name.to_s, Apply.text(one.to_s)]
        end
      end

      def generated(list)
        list = [list] unless list.is_a?(Array)
        list.compact.map do |one|
          one.catalog ||= Puppet::Resource::Catalog.new
          if one.is_a?(Puppet::Native)
            { 'type' => one.class.name.to_s, 'title' => one.title.to_s, 'known' => one.in_catalog?,
              'attributes' => one.in_catalog? ? {} : Apply.plain(one.given).transform_keys(&:to_s) }
          else
            { 'type' => one.class.name.to_s, 'title' => one.title.to_s, 'known' => false,
              'resource' => describe_resource(one) }
          end
        end
      end

      # --- looking at one and changing it ---

      def retrieve(resource, watched)
        @current ||= {}
        watched.each { |name| resource.newattr(name) }
        found = resource.retrieve_resource
        @current[resource.number] = found
        found.parameters.reject { |name, _| !resource.class.validproperty?(name) }
             .map { |name, value| [name.to_s, Apply.plain(value)] }
      end

      def current(resource, name)
        @current.fetch(resource.number)[name.to_sym]
      end

      def property(resource, name)
        resource.property(name) or raise Puppet::DevError, "#{resource.ref} has no property #{name}"
      end

      def change_text(resource, name, change)
        one = property(resource, name)
        current, desired = change || [current(resource, name), one.should]
        text(one.change_to_s(current, desired))
      end

      # --- providers ---

      def provider_of(type_name, name)
        type(type_name).provider(name) or raise Puppet::Error, "Could not find #{name} provider of #{type_name}"
      end

      def prefetch(kind, numbers)
        wanted = numbers.to_h { |number| [resource(number).name, resource(number)] }
        kind.prefetch(wanted)
        nil
      end

      def finish_run(kind)
        kind.post_resource_eval
        nil
      rescue StandardError
        raise Puppet::Error, "post_resource_eval failed for provider #{kind}"
      end

      # [[title, provider, [[name, value]]]]
      def instances(type_name)
        type(type_name).instances.map do |one|
          found = one.retrieve_resource
          values = found.parameters.select { |name, _| one.class.validproperty?(name) }
          [one.name.to_s, one.provider && one.provider.class.name.to_s,
           values.map { |name, value| [name.to_s, Apply.plain(value)] }]
        end
      end
    end
  end

  def self.apply_request(name, &block)
    on("apply.#{name}") { |*arguments| ApplyRequests.answer { ApplyRequests.instance_exec(*arguments, &block) } }
  end

  apply_request('configure') do |settings|
    Modules.directories = settings['modules']
    Modules.libraries += settings['libraries']
    $LOAD_PATH.concat(settings['libraries'] - $LOAD_PATH)
    directories = settings['modules'].map { |directory| "#{directory}/lib/facter" } +
                  settings['libraries'].map { |library| "#{library}/facter" }
    Facter.know(settings['facts'], directories)
    Puppet.settings.values = settings['settings']
    Puppet.run_mode = settings['run_mode']
    nil
  end
  apply_request('type') { |name| describe(name) }
  apply_request('create') { |*arguments| create(*arguments) }
  apply_request('describe') { |number| describe_resource(resource(number)) }
  apply_request('finish') { |number| resource(number).finish }
  apply_request('relations') { |number| relations(resource(number)) }
  apply_request('generate') { |number| generated(resource(number).generate) }
  apply_request('eval_generate') { |number| generated(resource(number).eval_generate) }
  apply_request('pre_run_check') { |number| resource(number).pre_run_check && nil }
  apply_request('set_provider') do |number, name|
    resource(number).provider = name.to_sym
    describe_resource(resource(number))
  end

  apply_request('retrieve') { |number, watched| retrieve(resource(number), watched) }
  apply_request('insync') do |number, name|
    one = resource(number)
    !!property(one, name).safe_insync?(current(one, name))
  end
  apply_request('insync_values') do |number, name, values, found|
    !!property(resource(number), name).insync_values?(values, found)
  end
  apply_request('sync') do |number, name|
    property(resource(number), name).sync
    nil
  end
  apply_request('flush') do |number|
    resource(number).flush
    nil
  end
  apply_request('refresh') do |number|
    resource(number).refresh
    nil
  end
  apply_request('change_text') { |number, name, change| change_text(resource(number), name, change) }
  apply_request('current_text') { |number, name, found| text(property(resource(number), name).is_to_s(found)) }
  apply_request('desired_text') { |number, name, found| text(property(resource(number), name).should_to_s(found)) }
  apply_request('event') do |number, name|
    one = property(resource(number), name)
    [one.event_name, one.invalidates_refreshes?, Apply.plain(one.should)]
  end

  apply_request('suitable') { |type_name, name| !!provider_of(type_name, name).suitable? }
  apply_request('default_provider') do |type_name|
    type(type_name).forget_default
    type(type_name).defaultprovider&.name&.to_s
  end
  apply_request('prefetch') { |type_name, name, numbers| prefetch(provider_of(type_name, name), numbers) }
  apply_request('finish_run') { |type_name, name| finish_run(provider_of(type_name, name)) }
  apply_request('instances') { |type_name| instances(type_name) }

  # --- providers of native types ---

  apply_request('native_provider') do |type_name, name|
    found = provider_of(type_name, name)
    provider(found).merge('default' => found.default?, 'specificity' => found.specificity)
  end
  apply_request('native_make') do |type_name, name, title|
    made = type(type_name).in_catalog(title)
    made.provider = name
    Apply.keep(made)
  end
  apply_request('native_call') { |number, method| Apply.plain(resource(number).provider.public_send(method)) }
  apply_request('native_set') { |number, name, value| resource(number).provider.public_send("#{name}=", value) && nil }
  apply_request('native_flush') do |number|
    one = resource(number).provider
    one.flush if one.respond_to?(:flush)
    nil
  end

  apply_request('package_properties') do |number|
    Apply.plain(resource(number).provider.properties).transform_keys(&:to_s)
  end
  apply_request('package_insync') do |number, found|
    one = resource(number).provider
    one.respond_to?(:insync?) && one.insync?(found) ? true : false
  end
  apply_request('package_instances') do |name|
    found = provider_of(:package, name)
    next [] if found.method(:instances).owner == Puppet::Provider.singleton_class

    found.instances.map { |one| { 'name' => one.name.to_s, 'ensure' => Apply.plain(one.properties[:ensure]) } }
  end

  apply_request('service_enabled_insync') do |number, found|
    one = resource(number).provider
    one.respond_to?(:enabled_insync?) ? !!one.enabled_insync?(found) : nil
  end
  apply_request('service_instances') do |name|
    found = provider_of(:service, name)
    next [] if found.method(:instances).owner == Puppet::Provider.singleton_class

    found.instances.map { |one| one.name.to_s }
  end
end
