// State that is kept from run to run: state.yaml (when a resource was checked, audited values) and
// transactionstore.yaml (values that were set, to detect changes by others), in the reference's
// formats, so that a host can switch between both programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/reports/datum.h"
#include "apply/transaction/state_text.h"
#include "base/diagnostics/log.h"

namespace bunraku::apply {

class RunLog;

// A problem of a file; the text is empty when there is none.
struct StateProblem {
  std::string text;
  LogLevel level = LogLevel::kErr;
  bool is_corrupt = false;
  std::string path;

  // Logs the problem, and renames a corrupt file to end in .bad. Throws Failure.
  void report(RunLog& log) const;
};

class StateFile {
 public:
  // Reads the file if it exists. Throws FileError.
  void read(const std::string& path);
  void report_problem(RunLog& log) const { problem_.report(log); }
  // Writes the file without entries that were checked more than `ttl` seconds ago; 0: all are kept.
  // Throws FileError.
  void store(const std::string& path, int64_t ttl, RunLog& log) const;

  // Returns null when there is no value.
  const Datum* find(const std::string& resource, std::string_view name) const;
  void set(const std::string& resource, std::string_view name, Datum value);

 private:
  StateValues& values_of(std::string_view resource);
  bool read_usual(std::string_view text, const std::string& path);
  void add(const DataEntry& entry);
  static const Datum* find(const StateValues& values, std::string_view name);

  std::vector<std::pair<std::string, StateValues>> entries_;
  std::unordered_map<std::string, size_t> numbers_;
  StateProblem problem_;
};

class TransactionStore {
 public:
  void read(const std::string& path);
  void report_problem(RunLog& log) const { problem_.report(log); }
  void save(const std::string& path) const;

  // The value that was last set; null when there is none.
  const Datum* find(const std::string& resource, std::string_view property) const;
  void set(const std::string& resource, std::string_view property, Datum value);
  // Copies the entries of a resource to the next run.
  void keep(const std::string& resource);

 private:
  std::unordered_map<std::string, StateValues> old_;
  std::vector<std::pair<std::string, StateValues>> new_;
  std::unordered_map<std::string, size_t> numbers_;
  StateProblem problem_;
};

}  // namespace bunraku::apply
