// Answers queries about types, for comparison with the reference: a JSON object on each line of
// standard input, an answer on each line of standard output. Values are written in the language.
//
//   {"text": T}              to_text, display text, normalized and generalized forms
//   {"assignable": [T, T]}   true or false
//   {"common": [T, T]}       text
//   {"mismatch": [T, T]}     the mismatch of a value of the second type where the first is expected
//   {"infer": V}             the type of a literal: reduced, detailed and generalized
//   {"instance": [T, V]}     whether a literal is of the type
//   {"describe": [T, V]}     why a literal is not of the type
//   {"call": [V...], "signatures": ["(Integer a, String *b)"...], "block": T}
//                            why none of the signatures accepts the call
//   {"access": CODE}         the result of Type[keys...] in code, where keys are literals or types
// With "declare": CODE, the types declared in CODE can be used.

#include <simdjson.h>

#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "syntax/parser.h"
#include "types/built_in_types.h"
#include "types/interpretation.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

std::string text_at(simdjson::dom::array list, size_t at) {
  return std::string(std::string_view(list.at(at)));
}

Value literal(Arena& arena, std::string_view text) {
  // Kept alive, since values may point into their program.
  static std::vector<std::shared_ptr<Program>> programs;
  DiagnosticList mistakes;
  auto source = std::make_shared<SourceFile>(std::string(), std::string(text));
  programs.push_back(parse(source, ParseOptions{}, mistakes));
  return TypeInterpreter(arena, *programs.back(), nullptr).value(*programs.back()->body);
}

// Resolves the types declared in a piece of code.
class DeclaredTypes : public TypeResolver {
 public:
  DeclaredTypes(Arena& arena, std::string_view code) {
    DiagnosticList mistakes;
    auto source = std::make_shared<SourceFile>(std::string(), std::string(code));
    program_ = parse(source, ParseOptions{}, mistakes);
    for (const Expression* definition : program_->definitions) {
      if (const auto* alias = definition->try_as<TypeAlias>()) {
        types_[std::string(alias->name.text())] = declare_type(arena, *program_, *alias);
      }
    }
    for (const auto& [name, type] : types_) resolve_declared_type(arena, type, this);
  }
  const Type* find_type(std::string_view name) override {
    auto found = types_.find(std::string(name));
    return found == types_.end() ? nullptr : found->second;
  }

 private:
  std::shared_ptr<Program> program_;
  std::map<std::string, const Type*> types_;
};

// A signature, with the objects that it points to.
struct CallForm {
  std::vector<SignatureParameter> parameters;
  Signature signature;
};

// Parses "name: Type" for each parameter; * repeats, ? is optional, & is a block.
CallForm call_form(Arena& arena, simdjson::dom::array list, TypeResolver* resolver) {
  CallForm form;
  std::vector<const Type*> types;
  const Type* block = nullptr;
  int64_t from = 0, to = 0;
  std::string_view block_name;
  for (const std::string_view text : list) {
    const size_t colon = text.find(": ");
    std::string_view name = arena.copy(text.substr(0, colon));
    const Type* type = parse_type(arena, text.substr(colon + 2), resolver);
    const char mark = name[0];
    if (mark == '*' || mark == '?' || mark == '&') name.remove_prefix(1);
    if (mark == '&') {
      block = type;
      block_name = name;
      continue;
    }
    types.push_back(type);
    form.parameters.push_back({name, type, mark == '?', mark == '*'});
    if (mark != '*' && mark != '?') ++from;
    to = mark == '*' ? kMaxInteger : to + 1;
  }
  form.signature.type = types::callable(arena, types, from, to, block, nullptr);
  form.signature.block_name = block_name;
  return form;
}

std::string answer(Arena& arena, simdjson::dom::element request) {
  simdjson::dom::array pair;
  std::string_view text;
  std::optional<DeclaredTypes> declared;
  if (request["declare"].get(text) == simdjson::SUCCESS) declared.emplace(arena, text);
  TypeResolver* resolver = declared ? &*declared : nullptr;
  auto type_at = [&](size_t at) { return parse_type(arena, text_at(pair, at), resolver); };
  if (request["access"].get(text) == simdjson::SUCCESS) {
    DiagnosticList mistakes;
    auto source = std::make_shared<SourceFile>(std::string(), std::string(text));
    const std::shared_ptr<Program> program = parse(source, ParseOptions{}, mistakes);
    const auto& access = program->body->as<AccessExpression>();
    TypeInterpreter interpreter(arena, *program, resolver);
    std::vector<Value> keys;
    for (const Expression* key : access.keys) keys.push_back(interpreter.value(*key));
    return to_display_text(parameterize(arena, interpreter.type(*access.left), keys, resolver));
  }
  if (request["call"].get(pair) == simdjson::SUCCESS) {
    std::vector<CallForm> forms;
    for (const simdjson::dom::array list : simdjson::dom::array(request["signatures"])) {
      forms.push_back(call_form(arena, list, resolver));
    }
    std::vector<Signature> signatures;
    for (CallForm& form : forms) {
      form.signature.parameters = form.parameters;
      signatures.push_back(form.signature);
    }
    std::vector<Value> arguments;
    for (const std::string_view argument : pair) arguments.push_back(literal(arena, argument));
    const CallableType* block = nullptr;
    if (request["block"].get(text) == simdjson::SUCCESS) {
      block = &parse_type(arena, text, resolver)->as<CallableType>();
    }
    return describe_call_mismatch("'f'", signatures, arguments, block);
  }
  if (request["text"].get(text) == simdjson::SUCCESS) {
    const Type* type = parse_type(arena, text, resolver);
    return to_display_text(type) + "\t" + to_text(normalize(arena, type)) + "\t" +
           to_text(generalize(arena, type));
  }
  if (request["assignable"].get(pair) == simdjson::SUCCESS) {
    return is_assignable(type_at(0), type_at(1)) ? "true" : "false";
  }
  if (request["common"].get(pair) == simdjson::SUCCESS) {
    return to_text(common_type(arena, type_at(0), type_at(1)));
  }
  if (request["mismatch"].get(pair) == simdjson::SUCCESS) {
    return describe_mismatch("it", type_at(0), type_at(1));
  }
  if (request["infer"].get(text) == simdjson::SUCCESS) {
    const Value value = literal(arena, text);
    return to_text(infer(arena, value)) + "\t" + to_text(infer_detailed(arena, value)) + "\t" +
           to_text(generalize(arena, infer(arena, value)));
  }
  if (request["instance"].get(pair) == simdjson::SUCCESS) {
    return is_instance(type_at(0), literal(arena, text_at(pair, 1))) ? "true" : "false";
  }
  if (request["describe"].get(pair) == simdjson::SUCCESS) {
    return describe_mismatch("it", type_at(0), literal(arena, text_at(pair, 1)));
  }
  return "unknown request";
}

}  // namespace
}  // namespace bunraku

int main() {
  simdjson::dom::parser parser;
  std::string line;
  while (std::getline(std::cin, line)) {
    bunraku::Arena arena;
    std::string result;
    try {
      result = bunraku::answer(arena, parser.parse(line));
    } catch (const std::exception& error) {
      result = std::string("error: ") + error.what();
    }
    for (const char c : result) {
      if (c == '\n')
        std::cout << "\\n";
      else
        std::cout << c;
    }
    std::cout << "\n";
  }
}
