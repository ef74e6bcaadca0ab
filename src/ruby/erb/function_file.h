// Functions of modules whose code is of the part of Ruby that is known here, called without Ruby.
// As with templates, what is not known is found out when the file is read, or while it runs; then
// Ruby has to run the function from its beginning.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "ruby/erb/template.h"

namespace bunraku::erb {

// A function's file. Immutable, for any thread.
class FunctionFile {
 public:
  FunctionFile(std::string_view source, bool is_legacy);
  FunctionFile(const FunctionFile&) = delete;
  FunctionFile& operator=(const FunctionFile&) = delete;

  // What needs Ruby; null when nothing is known to.
  const Obstacle* obstacle() const { return obstacle_ ? &*obstacle_ : nullptr; }
  // What needs Ruby if it is reached; null when nothing is known to.
  const Obstacle* possible_obstacle() const {
    return parsed_.script.possible_obstacle ? &*parsed_.script.possible_obstacle : nullptr;
  }
  // Of a file without an obstacle.
  const ParsedFunction& function() const { return parsed_; }
  // Runs the method of a dispatch; of an older function with its arguments as an array. Throws
  // Obstacle, Failure (what Ruby raises), and what the scope throws.
  Value call(TemplateScope& scope, size_t dispatch, std::span<const Value> arguments) const;

 private:
  std::optional<Obstacle> obstacle_;
  Script script_;  // the tree points to it
  Arena arena_;
  bool is_legacy_;
  ParsedFunction parsed_;
};

// The same source gives the same file, as long as the process keeps it.
std::shared_ptr<const FunctionFile> compiled_function(std::string_view source, bool is_legacy);

}  // namespace bunraku::erb
