# ERB templates: compiled once, rendered with the variables that they name.

# frozen_string_literal: true

require 'erb'

Bunraku.use('changes')

module Puppet
  module Parser
    # The class of `self` in a template.
    class TemplateWrapper
      def initialize(scope, path = nil)
        @__scope__ = scope
        @__file__ = path
      end

      def file
        @__file__
      end

      # Sets the file, for code that renders templates itself.
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
        found = scope.find_variable(name.to_s)
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
  # The results of functions called while a part of the template was rendered natively. These calls
  # are not repeated.
  module Replay
    class << self
      attr_accessor :results, :set, :symbol_keyed
    end

    def call_function(name, arguments, &block)
      results = Replay.results
      results.nil? || results.empty? ? super : results.shift
    end

    def find_variable(name)
      found = super
      return found unless found && Replay.symbol_keyed&.include?(name)

      [found[0].transform_keys(&:to_sym)]
    end

    def call_older(name, arguments, &block)
      results = Replay.results
      results.nil? || results.empty? ? super : results.shift
    end
  end
  Puppet::Parser::Scope.prepend(Replay)

  # The templates of this worker.
  module Templates
    MOST = 500
    Wrapper = Puppet::Parser::TemplateWrapper

    # The names of instance variables by the variables that they hold.
    INSTANCE_VARIABLES = Hash.new { |known, name| known[name] = :"@#{name.gsub(/[^\w]/, '_')}" }

    @templates = {} # by text and path
    @count = 0

    # A template compiled to a method of the wrapper class, where that is possible.
    class Compiled
      # Whether the template may change arrays or hashes.
      attr_reader :changes

      def initialize(text, path, number)
        @changes = Snapshot.needed_for?(text)
        @path = path
        @source = ERB.new(text, trim_mode: '-').src
        @method = :"bunraku_template_#{number}"
        Wrapper.class_eval(@source.sub(/^(?!#|$)/) { "def #{@method}\n" } << "\nend\n", path || '(erb)', -1)
      rescue SyntaxError
        # The template defines classes, or has a syntax error.
        @method = nil
      end

      def render(wrapper)
        @method ? wrapper.__send__(@method) : wrapper.bunraku_binding.eval(@source, @path || '(erb)', 0)
      end

      def forget
        Wrapper.remove_method(@method) if @method
      end
    end

    class << self
      # `node_data` are the names of variables that the worker keeps, `found` is the argument of
      # with_variables, `set` are the names of the variables set while a part of the template was
      # rendered natively, `symbol_keyed` the names of variables that hold hashes with symbols for
      # keys.
      def render(text, path, variables, node_data, results, found, set, symbol_keyed)
        outer_symbol_keyed = Replay.symbol_keyed
        Replay.symbol_keyed = symbol_keyed
        wrapper = Wrapper.new(Bunraku.scope, path)
        assign(wrapper, variables)
        node_data.each { |name| wrapper.instance_variable_set(INSTANCE_VARIABLES[name], Bunraku.node_data(name)[0]) }
        template = template_of(text, path)
        before = template.changes ? Snapshot.new(variables) : nil
        outer = Replay.results
        Replay.results = results
        outer_set = Replay.set
        Replay.set = set
        rendered = Bunraku.with_variables(found) { template.render(wrapper) }
        changes = before ? before.changes : []
        changes.empty? ? [rendered] : [rendered, changes]
      rescue StandardError, ScriptError => error
        describe(error, path)
      ensure
        Replay.results = outer
        Replay.set = outer_set
        Replay.symbol_keyed = outer_symbol_keyed
      end

      # Returns the text. Errors of the template pass through.
      def render_alone(text, path, scope, variables)
        wrapper = Wrapper.new(scope, path)
        assign(wrapper, variables)
        template_of(text, path).render(wrapper)
      end

      private

      def assign(wrapper, variables)
        variables.each do |name, value|
          wrapper.instance_variable_set(INSTANCE_VARIABLES[name], value) unless value.nil?
        end
      end

      def template_of(text, path)
        of_text = @templates[text]
        return of_text[path] if of_text&.key?(path)

        forget if @count >= MOST
        (@templates[text] ||= {})[path] = Compiled.new(text, path, @count += 1)
      end

      def forget
        @templates.each_value { |of_text| of_text.each_value(&:forget) }
        @templates.clear
        @count = 0
      end

      # The description of an error: no text, the line, the message, and the file when it is not the
      # template.
      def describe(error, path)
        text = error.message.to_s
        text = text.encode('UTF-8', invalid: :replace, undef: :replace).scrub
        file, line = place_of(error, path || '(erb)')
        answer = [nil, line, text]
        file == (path || '(erb)') ? answer : answer << file
      end

      def place_of(error, path)
        if error.is_a?(SyntaxError)
          line = error.message.lines.find { |one| one.start_with?("#{path}:") }
          return [path, line ? line[path.size + 1..].to_i : 1]
        end
        frame = (error.backtrace || []).find { |one| !one.start_with?('bunraku/', '<internal:') }
        frame && (match = /\A(.*?):(\d+)/.match(frame)) ? [match[1], match[2].to_i] : [path, 1]
      end
    end
  end

  on('erb.render') { |*arguments| Templates.render(*arguments) }
end
