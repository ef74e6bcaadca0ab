# The errors of the reference.

# frozen_string_literal: true

module Puppet
  class Error < RuntimeError # rubocop:disable Style/Documentation
    attr_accessor :original

    def initialize(message, original = nil)
      super(message)
      @original = original
    end
  end

  # Errors that carry a place in a file.
  module ExternalFileError
    attr_accessor :line, :file, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      if file.is_a?(Exception) && line.nil?
        original = file
        file = nil
      end
      super(message, original)
      @file = file
      @line = line
      @pos = pos
    end

    # The message without the place.
    def message_alone
      Exception.instance_method(:to_s).bind_call(self)
    end

    def to_s
      message = super
      @file = nil if @file.is_a?(String) && @file.empty?
      return message if @file.nil? && @line.nil?

      parts = { file: @file, line: @line, column: @pos }.compact.map { |key, value| "#{key}: #{value}" }
      "#{message} (#{parts.join(', ')})"
    end
  end

  class ParseError < Error # rubocop:disable Style/Documentation
    include ExternalFileError
  end
  class ParseErrorWithIssue < ParseError # rubocop:disable Style/Documentation
    attr_reader :issue_code, :arguments
    attr_accessor :environment, :node

    alias basic_message message_alone

    def self.from_issue_and_stack(issue, arguments = {})
      file, line = Pops::PuppetStack.top_of_stack
      new(issue.format(arguments), file, line, nil, nil, issue.issue_code, arguments)
    end

    def initialize(message, file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
      super(message, file, line, pos, original)
      @issue_code = issue_code
      @arguments = arguments
    end
  end

  PreformattedError = Class.new(ParseErrorWithIssue)
  class ResourceError < Error # rubocop:disable Style/Documentation
    include ExternalFileError
  end
  class DevError < Error # rubocop:disable Style/Documentation
    include ExternalFileError
  end

  # An error with additional data for the code that rescues it.
  class ErrorWithData < Error
    include ExternalFileError
    attr_reader :error_data

    def initialize(error_data, message, file: nil, line: nil, pos: nil, original: nil)
      super(message, file, line, pos, original)
      @error_data = error_data
    end
  end

  module Context
    UndefinedBindingError = Class.new(Error)
  end

  module DataBinding
    LookupError = Class.new(PreformattedError)
    RecursiveLookupError = Class.new(LookupError)
  end
  MissingCommand = Class.new(Error)
  LockError = Class.new(Error)
  SettingsError = Class.new(Error)
  ExecutionFailure = Class.new(Error)
  MethodNotFound = Class.new(Error)
end
