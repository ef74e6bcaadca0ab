// Rules for parts of a difference that are ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class IgnoreRules {
 public:
  // Adds a rule such as "Notify[*]", "File[/tmp/*]::content", "*::loglevel", "Exec": a resource
  // and, after `::`, a parameter; * and ? stand for any characters. A type alone means all its
  // resources. `edges` as the parameter means containment and relationships. Returns false for an
  // invalid rule.
  bool add(std::string_view rule);

  bool ignores_resource(std::string_view reference) const;
  bool ignores_parameter(std::string_view reference, std::string_view parameter) const;

 private:
  struct Rule {
    std::string resource;
    std::string parameter;  // empty: the whole resource
  };
  std::vector<Rule> rules_;
};

}  // namespace bunraku
