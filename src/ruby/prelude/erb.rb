# ERB templates: compiled once, rendered with the variables that they name.

# frozen_string_literal: true

require 'erb'

module Puppet
  module Parser
    # What `self` is in a template.
    class TemplateWrapper
      def initialize(scope, path = nil)
        @__scope__ = scope
        @__file__ = path
      end

      def file
        @__file__
      end

      # For code that renders templates by itself.
      def file=(name)
        @__file__ = Files.find_template(name) or raise Puppet::ParseError, "Could not find template '#{name}'"
      end

      def result(text = nil)
        variables = scope.to_hash
        Bunraku::Templates.render_alone(text || File.read(@__file__, encoding: 'UTF-8'), text ? nil : @__file__, scope, variables)
      end

      def scope
        @__scope__
      end

      def has_variable?(name)
        found = scope.ask('variable.find', name.to_s)
        found ? !found[0].nil? : false
      end

      def classes
        scope.catalog.classes
      end

      def tags
        raise NotImplementedError, "Call 'all_tags' instead."
      end

      def all_tags
        scope.catalog.tags
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      def bunraku_binding
        binding
      end

      LEVELS.each do |level|
        define_method(level) { |*texts| Bunraku.ask('log', level.to_s, texts.join(' '), to_s) }
      end
    end
  end
end

module Bunraku
  # What calls of functions gave when a part of the template had been rendered without Ruby: they
  # are not made again.
  module Replay
    class << self
      attr_accessor :results
    end

    def call_function(name, arguments, &block)
      results = Replay.results
      results.nil? || results.empty? ? super : results.shift
    end
  end
  Puppet::Parser::Scope.prepend(Replay)

  # The templates of this worker.
  module Templates
    MOST = 500
    Wrapper = Puppet::Parser::TemplateWrapper

    # Libraries that the reference has always loaded.
    LIBRARIES = { /json/i => 'json', /yaml|psych/i => 'yaml', /Set\b|to_set/ => 'set', /\bTime\b/ => 'time',
                  /\bDate/ => 'date', /pson/i => 'json' }.freeze

    # What changes arrays and hashes.
    CHANGING = /<<|\w!|\]\s*\S{0,2}=[^=~>]|\.(?:append|clear|compare_by_identity|concat|default|delete|delete_at|delete_if|
                fill|insert|keep_if|pop|prepend|push|replace|shift|store|unshift|update)\b/x.freeze

    # The instance variables that stand for variables.
    INSTANCE_VARIABLES = Hash.new { |known, name| known[name] = :"@#{name.gsub(/[^\w]/, '_')}" }

    @methods = {}
    @changing = {}
    @next_number = 0

    class << self
      def render(text, path, variables, results)
        wrapper = Wrapper.new(Bunraku.scope, path)
        assign(wrapper, variables)
        before = changing?(text) ? contents(variables) : {}
        outer = Replay.results
        Replay.results = results
        method = method_for(text, path)
        rendered = method ? wrapper.__send__(method) : evaluate(wrapper, text, path)
        changed = variables.select { |name, value| before.key?(name) && before[name] != value.hash }
        changed.empty? ? [rendered] : [rendered, changed]
      rescue StandardError, ScriptError => error
        describe(error, path)
      ensure
        Replay.results = outer
      end

      # The text. Raises what the template does.
      def render_alone(text, path, scope, variables)
        wrapper = Wrapper.new(scope, path)
        assign(wrapper, variables)
        method = method_for(text, path)
        method ? wrapper.__send__(method) : evaluate(wrapper, text, path)
      end

      private

      def changing?(text)
        @changing.clear if @changing.size >= MOST
        @changing.fetch(text) { @changing[text] = CHANGING.match?(text) }
      end

      # What tells whether variables were changed.
      def contents(variables)
        variables.select { |_, value| value.is_a?(Array) || value.is_a?(Hash) }.transform_values(&:hash)
      end

      def assign(wrapper, variables)
        variables.each do |name, value|
          wrapper.instance_variable_set(INSTANCE_VARIABLES[name], value) unless value.nil?
        end
      end

      # Null when the template is no body of a method (it defines classes), or no Ruby at all.
      def method_for(text, path)
        key = [text, path]
        return @methods[key] if @methods.key?(key)

        LIBRARIES.each { |words, library| require library if words.match?(text) }
        @methods.each_value { |old| old && Wrapper.remove_method(old) } && @methods.clear if @methods.size >= MOST
        name = "bunraku_template_#{@next_number += 1}"
        source = ERB.new(text, trim_mode: '-').src.sub(/^(?!#|$)/) { "def #{name}\n" } << "\nend\n"
        begin
          Wrapper.class_eval(source, path || '(erb)', -1)
        rescue SyntaxError
          name = nil
        end
        @methods[key] = name
      end

      def evaluate(wrapper, text, path)
        wrapper.bunraku_binding.eval(ERB.new(text, trim_mode: '-').src, path || '(erb)', 0)
      end

      # Without a text: the line of the template, and what went wrong.
      def describe(error, path)
        Bunraku.__send__(:explain, error)
        place = "#{path || '(erb)'}:"
        text = error.message.to_s
        traced = error.is_a?(SyntaxError) ? text.lines : error.backtrace || []
        line = traced.find { |one| one.start_with?(place) }
        text = text.encode('UTF-8', invalid: :replace, undef: :replace).scrub
        [nil, line ? line[place.size..].to_i : 1, text]
      end
    end
  end

  on('erb.render') { |text, path, variables, results| Templates.render(text, path, variables, results) }
end
