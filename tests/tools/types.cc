// Answers questions about types, for comparison with the reference: a JSON object a line on standard
// input, an answer a line on standard output. Values are given as the types' text, in the language.
//
//   {"text": T}              to_text, display text, normalized and generalized forms
//   {"assignable": [T, T]}   true or false
//   {"common": [T, T]}       text
//   {"mismatch": [T, T]}     the description of a value of the second type where the first is wanted
//   {"infer": V}             the type of a literal: reduced, detailed and generalized
//   {"instance": [T, V]}     whether a literal is of the type
//   {"describe": [T, V]}     why a literal is not

#include <simdjson.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "pcore/interpretation.h"
#include "pcore/mismatch.h"
#include "pcore/type_text.h"
#include "support/diagnostic.h"
#include "syntax/parser.h"

namespace bunraku {
namespace {

std::string text_at(simdjson::dom::array list, size_t at) {
  return std::string(std::string_view(list.at(at)));
}

Value literal(Arena& arena, std::string_view text) {
  // Kept, since values may point into their program.
  static std::vector<std::shared_ptr<Program>> programs;
  DiagnosticList mistakes;
  auto source = std::make_shared<SourceFile>(std::string(), std::string(text));
  programs.push_back(parse(source, ParseOptions{}, mistakes));
  return TypeInterpreter(arena, *programs.back(), nullptr).value(*programs.back()->body);
}

std::string answer(Arena& arena, simdjson::dom::element request) {
  simdjson::dom::array pair;
  std::string_view text;
  auto type_at = [&](size_t at) { return parse_type(arena, text_at(pair, at), nullptr); };
  if (request["text"].get(text) == simdjson::SUCCESS) {
    const Type* type = parse_type(arena, text, nullptr);
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
    Value value = literal(arena, text);
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
    for (char c : result) {
      if (c == '\n') std::cout << "\\n";
      else std::cout << c;
    }
    std::cout << "\n";
  }
}
