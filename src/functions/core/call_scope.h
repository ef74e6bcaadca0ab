// The scope of a call as natively run Ruby code of templates and functions sees it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"
#include "ruby/erb/template.h"

namespace bunraku {

// Returns whether the variable holds data of the node (facts and the like), which is the same in
// every scope and cannot be changed.
bool is_node_data(std::string_view name);

class CallScope : public erb::TemplateScope {
 public:
  // The call must outlive it.
  explicit CallScope(Call& call) : call_(call) {}
  virtual ~CallScope() = default;

  // The results of the functions that the code has called, in order.
  std::span<const Value> results() const { return results_; }
  // The variables that the code has set.
  std::span<const std::string> set_names() const { return set_; }

  Arena& arena() override { return call_.arena(); }
  const Value* find_instance_variable(std::string_view name) override;
  bool is_frozen(std::string_view name) override { return is_node_data(name); }
  void change_objects(std::span<const ObjectChange> changes) override;
  Value look_up(std::string_view name) override;
  bool has_variable(std::string_view name) override;
  std::optional<std::string> yaml_of(Value value) override;
  std::optional<std::string> json_of(Value value) override;
  std::optional<std::string> pretty_json_of(Value value, std::string_view space_before) override;
  std::optional<Value> parse_json(std::string_view text) override;
  bool has_older_function(std::string_view name) override;
  Value all_variables() override;
  bool set_variable(std::string_view text, Value value) override;
  erb::TemplateMemory& memory() override;
  Value call_function(std::string_view name, std::span<const Value> arguments) override;

 protected:
  Call& call() { return call_; }
  Value keep_result(Value result) { return results_.emplace_back(result); }

 private:
  Call& call_;
  std::vector<Value> results_;
  std::vector<std::string> set_;
};

}  // namespace bunraku
