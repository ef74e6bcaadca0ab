// Writing of YAML as by Ruby's psych: libyaml's emitter, with psych's choice of styles.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bunraku {

struct YamlLayout {
  int indentation = 0;  // 0: the default
  int line_width = 0;   // 0: the default; -1: lines are not broken
};

// Writes one document, value by value. The keys of a mapping are written like other values, each
// before its value:
//
//    YamlWriter yaml;
//    yaml.begin_mapping();
//    yaml.string("answer");
//    yaml.integer(42);
//    yaml.end_mapping();
//    std::string text = yaml.finish();  // "---\nanswer: 42\n"
//
//  Throws DataError when libyaml rejects a value.
class YamlWriter {
 public:
  explicit YamlWriter(const YamlLayout& layout = {});
  ~YamlWriter();
  YamlWriter(const YamlWriter&) = delete;
  YamlWriter& operator=(const YamlWriter&) = delete;

  void null();
  void boolean(bool value);
  void integer(int64_t value);
  void number(double value);
  // Writes ":name", quoted where Ruby quotes a symbol.
  void symbol(std::string_view name);
  // Bytes that are not UTF-8 are written in base64 with the tag "!binary".
  void string(std::string_view text);
  // Writes text without quotes, such as a time.
  void plain(std::string_view text);
  // `anchor` is the name by which alias() refers to the sequence or mapping; empty: none.
  void begin_sequence(const std::string& anchor = {});
  void end_sequence();
  // `tag` is for example "!ruby/object:Puppet::Transaction::Report"; empty: none.
  void begin_mapping(const std::string& tag = {}, const std::string& anchor = {});
  void end_mapping();
  // Writes a reference to the sequence or mapping with this anchor.
  void alias(const std::string& anchor);

  // Ends the document; the writer cannot be used after that.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bunraku
