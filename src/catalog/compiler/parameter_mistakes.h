// Errors in the parameters of a class or define.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "catalog/compiler/definitions.h"
#include "catalog/compiler/resource.h"
#include "evaluation/host.h"

namespace bunraku {

// Collects the errors, to report them together in the reference's words, with labels: where a value
// was given, or how it was looked up, and where the parameter is declared.
class ParameterMistakes {
 public:
  // Both must outlive it.
  ParameterMistakes(const Resource& resource, const Definition& definition)
      : resource_(resource), definition_(definition) {}

  void unknown(Name name);
  void missing(const Parameter& declared);
  void mismatch(const Parameter& declared, const Type* type, Value value);
  // Reports a mismatch of the type that a deferred call returns.
  void mismatch(const Parameter& declared, const Type* type, const Type* returned);

  // Throws EvaluationError, without a place of its own, when there are errors. `data`, which may be
  // null, explains where the first missing parameter of a class was looked up, and where the data
  // has the values that do not fit.
  void fail(const DataHost* data);

 private:
  void add_mismatch(const Parameter& declared, std::string text);
  void mark_given(Name name, std::string text);
  std::string key_of(Name parameter) const;
  void mark_declared(const Parameter& declared, std::string text);

  const Resource& resource_;
  const Definition& definition_;
  std::vector<std::string> texts_;
  bool value_has_several_ = false;      // one of the texts describes several mismatches
  const Parameter* missing_ = nullptr;  // the first missing one
  std::vector<Name> looked_up_;         // the parameters from the data that do not fit
  std::vector<Label> labels_;
  std::vector<std::string> notes_;
};

}  // namespace bunraku
