// The scope of templates and functions in fuzzers: some variables, and functions that return their
// first argument.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "ruby/erb/template.h"
#include "values/value.h"

namespace bunraku {

class Variables final : public erb::TemplateScope {
 public:
  Variables() {
    HashBuilder hash(arena_);
    hash.set("a", Value::integer(1));
    hash.set("b", Value::array(arena_, {Value::string("x"), Value::integer(-7)}));
    values_["name"] = Value::string("web01.example.com");
    values_["number"] = Value::integer(42);
    values_["list"] = Value::array(arena_, {Value::string("b"), Value::string("a"), Value()});
    values_["hash"] = hash.finish();
    values_["yes"] = Value::boolean(true);
  }
  Arena& arena() override { return arena_; }
  const Value* find_instance_variable(std::string_view name) override {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  bool is_frozen(std::string_view) override { return false; }
  void change_objects(std::span<const ObjectChange> changes) override {
    ChangedObjects objects(arena_, changes);
    for (auto& [name, value] : values_) value = objects.updated(value);
  }
  Value look_up(std::string_view name) override {
    const Value* found = find_instance_variable(name);
    return found == nullptr ? Value() : *found;
  }
  bool has_variable(std::string_view name) override { return values_.contains(name); }
  Value call_function(std::string_view, std::span<const Value> arguments) override {
    return arguments.empty() ? Value() : arguments[0];
  }
  std::optional<std::string> yaml_of(Value) override { return std::nullopt; }
  std::optional<std::string> json_of(Value) override { return std::nullopt; }
  std::optional<std::string> pretty_json_of(Value, std::string_view) override {
    return std::nullopt;
  }
  bool has_older_function(std::string_view name) override { return name == "same"; }
  Value all_variables() override {
    HashBuilder all(arena_);
    for (const auto& [name, value] : values_) all.set(Value::string(arena_, name), value);
    return all.finish();
  }
  bool set_variable(std::string_view name, Value value) override {
    values_.insert_or_assign(std::string(name), value);
    return true;
  }
  std::optional<Value> parse_json(std::string_view) override { return std::nullopt; }
  erb::TemplateMemory& memory() override { return memory_; }

 private:
  Arena arena_;
  erb::TemplateMemory memory_;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace bunraku
