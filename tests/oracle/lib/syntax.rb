# Tokens, trees and validation: products that need no compiler.
module Oracle
  module Syntax
    private

    def answer_tokens(request)
      lexer = Puppet::Pops::Parser::Lexer2.new
      lexer.lex_string(code_of(request), request['file'])
      tokens = epp?(request) ? lexer.fullscan_epp : lexer.fullscan
      tokens = tokens.reject { |symbol, _| symbol == false || symbol.is_a?(Array) && symbol[0] == false }
      { 'tokens' => tokens.map { |symbol, token| describe_token(*(symbol.is_a?(Array) ? symbol : [symbol, token])) } }
    end

    # Tokens of a heredoc's text count from the start of that text (the token that announces the
    # text does not); their places in the source are compared.
    def describe_token(symbol, token)
      locator = token.locator
      offset = token.offset
      length = token.length
      while locator.is_a?(Puppet::Pops::Parser::Locator::SubLocator)
        offset, length = locator.to_global(offset, length) unless symbol == :SUBLOCATE
        locator = locator.locator
      end
      { 'token' => symbol.to_s, 'value' => token_value(token[:value]), 'offset' => offset, 'length' => length,
        'line' => locator.line_for_offset(offset), 'pos' => locator.pos_on_line(offset) }
    end

    def token_value(value)
      case value
      when Regexp then { 'regexp' => value.source }
      when Array then value.map { |element| token_value(element) }
      when nil, true, false, String then value
      else value.to_s
      end
    end

    def answer_dump(request)
      { 'dump' => dump(parse(request), request['format'] || 'old', request['pretty']) }
    end

    def dump(tree, format, pretty)
      return Puppet::Pops::Model::ModelTreeDumper.new.dump(tree) if format == 'old'
      notation = Puppet::Pops::Model::PNTransformer.transform(tree)
      return JSON.generate(notation.to_data) if format == 'json' && !pretty
      return JSON.pretty_generate(notation.to_data) if format == 'json'
      notation.format(pretty ? Puppet::Pops::PN::Indent.new('  ') : nil, +'')
    end

    # Returns every issue, without the limits that apply when a manifest is loaded.
    def answer_validate(request)
      parser = parser_for(request)
      tree = parser.parser.parse_string(code_of(request), request['file'])
      { 'diagnostics' => parser.validate(tree.model).diagnostics.map { |issue| describe_issue(issue) } }
    rescue Puppet::ParseErrorWithIssue => e
      { 'diagnostics' => [describe_syntax_error(e)] }
    end

    def describe_issue(issue)
      { 'severity' => issue.severity.to_s, 'issue_code' => issue.issue.issue_code.to_s,
        'message' => Puppet::Pops::Validation::DiagnosticFormatterPuppetStyle.new.format_message(issue),
        'file' => issue.file, 'line' => issue.source_pos&.line, 'pos' => issue.source_pos&.pos }.compact
    end

    def describe_syntax_error(error)
      { 'severity' => 'error', 'issue_code' => error.issue_code.to_s, 'message' => error.basic_message,
        'file' => error.file, 'line' => error.line, 'pos' => error.pos }.compact
    end

    def parse(request)
      parser = parser_for(request)
      code = code_of(request)
      return parser.parse_string(code, request['file']) unless request['validate'] == false
      parser.parser.parse_string(code).model
    end

    def parser_for(request)
      return Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new if epp?(request)
      Puppet::Pops::Parser::EvaluatingParser.new
    end

    def epp?(request)
      request['epp'] || request['file'].to_s.end_with?('.epp')
    end

    def code_of(request)
      request['code'] || File.binread(request.fetch('file')).force_encoding('UTF-8')
    end
  end
end
