// Files of module functions written in Ruby, run natively where their code stays within the
// supported part of Ruby. As with templates, unsupported code is found when the file is parsed or
// while it runs (an Obstacle); a worker then has to run the function from its beginning.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ruby/erb/required_files.h"
#include "ruby/erb/template.h"

namespace bunraku::erb {

// The file of one function. Immutable, and safe to use from any thread.
class FunctionFile {
 public:
  // `path` is that of the file, whose module's own files it may require; they are read here.
  FunctionFile(std::string_view source, const std::string& path, bool is_legacy);
  FunctionFile(const FunctionFile&) = delete;
  FunctionFile& operator=(const FunctionFile&) = delete;

  // The construct that needs a worker, or null when the whole file is within the supported part of
  // Ruby.
  const Obstacle* obstacle() const { return obstacle_ ? &*obstacle_ : nullptr; }
  // A construct that needs a worker only if it is reached, or null.
  const Obstacle* possible_obstacle() const {
    return parsed_.script.possible_obstacle ? &*parsed_.script.possible_obstacle : nullptr;
  }
  // The parsed function. Only for a file without an obstacle.
  const ParsedFunction& function() const { return parsed_; }
  // Returns whether the files that it requires still have the contents that were parsed. Reads
  // them.
  bool is_current() const;
  // Runs the method of a dispatch. A function of the older interface gets its arguments as one
  // array. Throws Obstacle, Failure (an error that Ruby raises), and what the scope throws.
  Value call(TemplateScope& scope, size_t dispatch, std::span<const Value> arguments) const;

 private:
  std::optional<Obstacle> obstacle_;
  Script script_;  // the tree points to it
  Arena arena_;
  bool is_legacy_;
  RequiredFiles required_;
  ParsedFunction parsed_;
};

// Returns the compiled file of a source at a path, from a cache that the whole process shares.
std::shared_ptr<const FunctionFile> compiled_function(std::string_view source,
                                                      const std::string& path, bool is_legacy);

}  // namespace bunraku::erb
