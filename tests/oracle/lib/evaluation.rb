# Values of code and templates, evaluated in the top scope of a catalog that was compiled before.
module Oracle
  module Evaluation
    ALWAYS_THERE = ['Stage[main]', 'Class[Settings]', 'Class[main]', 'Class[Main]'].freeze

    private

    def answer_eval(request)
      with_compiler(request) do |compiler|
        value = nil
        codes_of(request).each { |code| value = evaluate(compiler, code, request['file']) }
        answer = { 'value' => RichData.encode(value) }
        compiler.evaluate_additions
        compiler.validate_catalog(Puppet::Parser::Compiler::CatalogValidator::FINAL)
        answer.merge(catalog_of(compiler))
      end
    end

    # The catalog is shown only when code has added something to it.
    def catalog_of(compiler)
      catalog = compiler.catalog
      return {} if catalog.resources.all? { |resource| ALWAYS_THERE.include?(resource.ref) }
      { 'catalog' => visible(catalog.to_resource).to_data_hash }
    end

    def answer_epp(request)
      with_compiler(request) do |compiler|
        scope = compiler.topscope
        values = RichData.decode(request['values'])
        values = evaluate(compiler, request['values_code'], nil) if request['values_code']
        { 'text' => unwrap(render(scope, request, values)) }
      end
    end

    def render(scope, request, values)
      evaluator = Puppet::Pops::Evaluator::EppEvaluator
      return evaluator.inline_epp(scope, request['code'], values) if request['code']
      evaluator.epp(scope, request.fetch('file'), scope.compiler.environment, values)
    end

    def unwrap(text)
      text.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive) ? text.unwrap : text
    end

    # Compiles "compile_code" (nothing without it) and keeps the compiler open for more.
    def with_compiler(request)
      Puppet[:code] = request['compile_code'] || 'undef'
      compiling(request) do |node|
        compiler = OpenCompiler.new(node)
        compiler.compile
        compiler.with_context_overrides('for evaluation') do
          set_variables(compiler.topscope, data_of(request, 'vars') || {})
          yield compiler
        end
      end
    ensure
      Puppet[:code] = ''
    end

    def set_variables(scope, variables)
      variables.each { |name, value| scope[name] = value }
    end

    def codes_of(request)
      request['codes'] || [code_of(request)]
    end

    def evaluate(compiler, code, file)
      tree = Puppet::Pops::Parser::EvaluatingParser.new.parse_string(code, file)
      return Puppet::Pops::Parser::EvaluatingParser.new.evaluate(compiler.topscope, tree) unless tree.is_a?(Puppet::Pops::Model::Program)
      program = Puppet::Parser::AST::PopsBridge::Program.new(tree)
      compiler.environment.known_resource_types.import_ast(program, '')
      program.evaluate(compiler.topscope)
    end

    # A compiler that can continue after the catalog was compiled.
    class OpenCompiler < Puppet::Parser::Compiler
      def evaluate_additions
        evaluate_generators
        finish
      end
    end
  end
end
