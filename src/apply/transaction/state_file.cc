// Reads and writes state.yaml and transactionstore.yaml.
#include "apply/transaction/state_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "apply/transaction/context.h"
#include "apply/transaction/failure.h"
#include "base/formats/yaml.h"
#include "base/formats/yaml_writer.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr uint32_t kStateMode = 0660;

// A stored value; texts that are times become times.
Datum remembered(const DataNode& node) {
  if (node.is(DataKind::kString)) {
    const int64_t time = parse_time(node.text_value());
    if (time >= 0) return Datum::time(time);
  }
  return Datum::from(node);
}

std::string key_text(const DataNode& node) {
  return node.is(DataKind::kString) || node.is(DataKind::kSymbol) ? std::string(node.text_value())
                                                                  : std::string();
}

// The text of a file; no value when it does not exist or cannot be read.
std::optional<std::string> read_text(const std::string& path, std::string_view what,
                                     StateProblem& problem) {
  if (!exists(path)) return std::nullopt;
  problem.path = path;
  if (!is_file(path)) {
    problem.text = fmt::format("{} {} is not a file, ignoring", what, path);
    problem.level = LogLevel::kWarning;
    return std::nullopt;
  }
  return read_file(path);
}

DataNode read_state_yaml(std::string_view text, const std::string& path, Arena& arena) {
  YamlOptions options;
  options.file = path;
  options.times_as_text = true;
  return read_yaml(text, options, arena);
}

// The document in a text; null when it is malformed.
DataNode read_document(std::string_view text, const std::string& path, std::string_view what,
                       Arena& arena, StateProblem& problem) {
  try {
    return read_state_yaml(text, path, arena);
  } catch (const DataError& error) {
    problem.text = fmt::format("{} {} is corrupt ({}); replacing", what, path, error.what());
    problem.is_corrupt = true;
    return {};
  }
}

// The start of a document.
constexpr std::string_view kDocumentBegin = "---\n";

// The YAML lines of one entry.
std::string entry_yaml(const std::string& resource, const StateValues& values) {
  YamlWriter yaml;
  yaml.begin_mapping();
  yaml.string(resource);
  yaml.begin_mapping();
  for (const auto& [name, value] : values) {
    yaml.symbol(name);
    write_yaml(yaml, value);
  }
  yaml.end_mapping();
  yaml.end_mapping();
  return yaml.finish().substr(kDocumentBegin.size());
}

}  // namespace

void StateProblem::report(RunLog& log) const {
  if (text.empty()) return;
  log.log(level, text);
  if (is_corrupt && std::rename(path.c_str(), (path + ".bad").c_str()) != 0) {
    throw Failure(fmt::format("Could not rename corrupt {}; remove manually", path));
  }
}

StateValues& StateFile::values_of(std::string_view resource) {
  const auto [place, is_new] = numbers_.try_emplace(std::string(resource), entries_.size());
  if (is_new) entries_.emplace_back(resource, StateValues());
  return entries_[place->second].second;
}

void StateFile::read(const std::string& path) {
  constexpr std::string_view kWhat = "Checksumfile";
  const std::optional<std::string> text = read_text(path, kWhat, problem_);
  if (!text || read_usual(*text, path)) return;
  entries_.clear();
  numbers_.clear();
  Arena arena;
  const DataNode root = read_document(*text, path, kWhat, arena, problem_);
  if (root.is(DataKind::kNull)) return;
  if (!root.is(DataKind::kHash)) {
    problem_.text = "State got corrupted";
    return;
  }
  for (const DataEntry& entry : root.entries()) add(entry);
}

// Reads a text of the usual form. Returns false when a resource has several entries, or the form is
// different.
bool StateFile::read_usual(std::string_view text, const std::string& path) {
  bool has_each_once = true;
  const auto take = [&](std::string_view resource, StateValues values) {
    StateValues& known = values_of(resource);
    has_each_once &= known.empty();
    known = std::move(values);
  };
  const auto read_other = [&](std::string_view entry) {
    try {
      Arena arena;
      const DataNode root = read_state_yaml(entry, path, arena);
      if (!root.is(DataKind::kHash) || root.entries().size() != 1) return false;
      has_each_once &= !numbers_.contains(key_text(root.entries().front().key));
      add(root.entries().front());
      return true;
    } catch (const DataError&) {
      return false;
    }
  };
  return read_state_text(text, take, read_other) && has_each_once;
}

void StateFile::add(const DataEntry& entry) {
  StateValues& values = values_of(key_text(entry.key));
  if (!entry.value.is(DataKind::kHash)) return;
  for (const DataEntry& value : entry.value.entries()) {
    // The name is written as a symbol, which must be valid text.
    std::string name = key_text(value.key);
    if (is_valid_utf8(name)) values.emplace_back(std::move(name), remembered(value.value));
  }
}

void StateFile::store(const std::string& path, int64_t ttl, RunLog& log) const {
  if (!exists(path)) log.log(LogLevel::kInfo, fmt::format("Creating state file {}", path));
  const int64_t oldest = ttl > 0 ? now_nanoseconds() - ttl * 1'000'000'000 : 0;
  std::string text(kDocumentBegin);
  for (const auto& [resource, values] : entries_) {
    const Datum* checked = find(values, "checked");
    if (checked != nullptr && checked->kind() == DatumKind::kTime &&
        checked->time_value() < oldest) {
      continue;
    }
    if (!append_state_entry(resource, values, text)) text += entry_yaml(resource, values);
  }
  if (text.size() == kDocumentBegin.size()) text = "--- {}\n";
  write_file(path, text, kStateMode);
}

const Datum* StateFile::find(const StateValues& values, std::string_view name) {
  for (const auto& [known, value] : values) {
    if (known == name) return &value;
  }
  return nullptr;
}

const Datum* StateFile::find(const std::string& resource, std::string_view name) const {
  const auto found = numbers_.find(resource);
  return found == numbers_.end() ? nullptr : find(entries_[found->second].second, name);
}

void StateFile::set(const std::string& resource, std::string_view name, Datum value) {
  StateValues& values = values_of(resource);
  for (auto& [known, old] : values) {
    if (known == name) {
      old = std::move(value);
      return;
    }
  }
  values.emplace_back(std::string(name), std::move(value));
}

void TransactionStore::read(const std::string& path) {
  constexpr std::string_view kWhat = "Transaction store file";
  const std::optional<std::string> text = read_text(path, kWhat, problem_);
  if (!text) return;
  Arena arena;
  const DataNode root = read_document(*text, path, kWhat, arena, problem_);
  const DataNode* resources = root.find("resources");
  if (resources == nullptr || !resources->is(DataKind::kHash)) return;
  for (const DataEntry& entry : resources->entries()) {
    const DataNode* parameters = entry.value.find("parameters");
    if (parameters == nullptr || !parameters->is(DataKind::kHash)) continue;
    StateValues& values = old_[key_text(entry.key)];
    for (const DataEntry& parameter : parameters->entries()) {
      if (const DataNode* value = parameter.value.find("system_value")) {
        values.emplace_back(key_text(parameter.key), Datum::from(*value));
      }
    }
  }
}

void TransactionStore::save(const std::string& path) const {
  YamlWriter yaml;
  yaml.begin_mapping();
  yaml.string("resources");
  yaml.begin_mapping();
  for (const auto& [resource, values] : new_) {
    yaml.string(resource);
    yaml.begin_mapping();
    yaml.string("parameters");
    yaml.begin_mapping();
    for (const auto& [name, value] : values) {
      yaml.string(name);
      yaml.begin_mapping();
      yaml.string("system_value");
      write_yaml(yaml, value);
      yaml.end_mapping();
    }
    yaml.end_mapping();
    yaml.end_mapping();
  }
  yaml.end_mapping();
  yaml.end_mapping();
  write_file(path, yaml.finish(), kStateMode);
}

const Datum* TransactionStore::find(const std::string& resource, std::string_view property) const {
  const auto found = old_.find(resource);
  if (found == old_.end()) return nullptr;
  for (const auto& [name, value] : found->second) {
    if (name == property) return &value;
  }
  return nullptr;
}

void TransactionStore::set(const std::string& resource, std::string_view property, Datum value) {
  const auto [place, is_new] = numbers_.try_emplace(resource, new_.size());
  if (is_new) new_.emplace_back(resource, StateValues());
  StateValues& values = new_[place->second].second;
  for (auto& [name, old] : values) {
    if (name == property) {
      old = std::move(value);
      return;
    }
  }
  values.emplace_back(std::string(property), std::move(value));
}

void TransactionStore::keep(const std::string& resource) {
  const auto found = old_.find(resource);
  if (found == old_.end()) return;
  for (const auto& [name, value] : found->second) set(resource, name, value);
}

}  // namespace bunraku::apply
