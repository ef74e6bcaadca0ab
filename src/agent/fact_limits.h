// The settings that limit facts, their names and their values. Facts beyond a limit are sent
// nevertheless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {
class Settings;
namespace apply {
class RunLog;
}
}  // namespace bunraku

namespace bunraku::agent {

class FactLimits {
 public:
  FactLimits(const Settings& settings, apply::RunLog& log);

  // Logs a warning for each fact beyond a limit, and for all facts together. `document` is the text
  // for the server. Called once.
  void check(const DataNode& values, std::string_view document);

 private:
  // Checks and counts the values within the node, whose name is in `path_`.
  void walk(const DataNode& node, size_t depth);
  void check_value(const DataNode& value, size_t depth);
  void warn(std::string_view subject, int64_t size, std::string_view limit, int64_t most);

  apply::RunLog& log_;
  // The largest permitted sizes.
  int64_t most_top_, most_values_, longest_name_, longest_value_, largest_document_;
  std::string path_;
  int64_t count_ = 0;
};

}  // namespace bunraku::agent
