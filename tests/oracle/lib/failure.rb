# Converts an exception of the reference to the record that `bunraku` logs when a run ends.
module Oracle
  module Failure
    # The prefixes that the reference puts before the text of the cause.
    PREFIX = /\A(?:(?:Evaluation|Resource Statement|Server) Error: )?(?:Error while evaluating an? [^,]*?, )?/.freeze
    LOCATION = / \((?:file: [^)]*?(?:, line: \d+(?:, column: \d+)?)?|line: \d+(?:, column: \d+)?)\)\z/.freeze
    NODE = / on node \S+\z/.freeze

    def self.describe(exception)
      message = exception.to_s
      text = exception.is_a?(Puppet::ParseErrorWithIssue) ? exception.basic_message.to_s : message
      {
        'error' => cause(text),
        'message' => message,
        'kind' => kind(exception),
        'issue_code' => attribute(exception, :issue_code)&.to_s,
        'file' => attribute(exception, :file),
        'line' => attribute(exception, :line),
        'pos' => attribute(exception, :pos)
      }.compact
    end

    # An answer or log record of Bunraku with the text, code and place of its outermost cause, as the reference reports it.
    def self.of_ours(answer)
      causes = answer && answer['cause']
      return answer unless causes.is_a?(Array) && !causes.empty?
      outermost = causes.last
      # Errors raised outside any expression have no place there.
      bare = !outermost.key?('issue_code') && outermost['code'].to_s.start_with?('BK31')
      places = %w[issue_code file line pos].to_h { |key| [key, bare ? nil : outermost[key]] }.compact
      answer.reject { |key, _| %w[issue_code file line pos].include?(key) }.merge(places, 'error' => cause(outermost['message']))
    end

    # An error inside a class or define is reported again, with an additional prefix, by the code that declared
    # the class or define.
    def self.cause(text)
      before = nil
      text = (before = text).sub(NODE, '').sub(LOCATION, '').sub(PREFIX, '') until text == before
      text
    end

    def self.kind(exception)
      case exception
      when RichData::Unrepresentable then 'unrepresentable'
      when Puppet::DataBinding::LookupError then 'lookup'
      when Puppet::ParseErrorWithIssue
        exception.to_s.start_with?('Evaluation Error') ? 'evaluation' : 'syntax'
      else 'error'
      end
    end

    def self.attribute(exception, name)
      exception.respond_to?(name) ? exception.public_send(name) : nil
    end
  end
end
