// Reading and writing state.yaml and transactionstore.yaml.
#include "apply/transaction/state_file.h"

#include <fmt/format.h>

#include <cstdio>

#include "apply/transaction/context.h"
#include "apply/transaction/failure.h"
#include "base/formats/yaml.h"
#include "base/formats/yaml_writer.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr uint32_t kStateMode = 0660;

// A value as it is remembered: times are times.
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

// The document of a file, null when there is none or something is wrong with it.
DataNode read_document(const std::string& path, std::string_view what, std::string& text,
                       Arena& arena, StateProblem& problem) {
  if (!exists(path)) return {};
  problem.path = path;
  if (!is_file(path)) {
    problem.text = fmt::format("{} {} is not a file, ignoring", what, path);
    problem.level = LogLevel::kWarning;
    return {};
  }
  try {
    text = read_file(path);
    YamlOptions options;
    options.file = path;
    options.times_as_text = true;
    return read_yaml(text, options, arena);
  } catch (const DataError& error) {
    problem.text = fmt::format("{} {} is corrupt ({}); replacing", what, path, error.what());
    problem.is_corrupt = true;
    return {};
  }
}

}  // namespace

void StateProblem::report(RunLog& log) const {
  if (text.empty()) return;
  log.log(level, text);
  if (is_corrupt && std::rename(path.c_str(), (path + ".bad").c_str()) != 0) {
    throw Failure(fmt::format("Could not rename corrupt {}; remove manually", path));
  }
}

StateFile::Values& StateFile::values_of(const std::string& resource) {
  const auto [place, is_new] = numbers_.try_emplace(resource, entries_.size());
  if (is_new) entries_.emplace_back(resource, Values());
  return entries_[place->second].second;
}

void StateFile::read(const std::string& path) {
  std::string text;
  Arena arena;
  const DataNode root = read_document(path, "Checksumfile", text, arena, problem_);
  if (root.is(DataKind::kNull)) return;
  if (!root.is(DataKind::kHash)) {
    problem_.text = "State got corrupted";
    return;
  }
  entries_.reserve(root.entries().size());
  numbers_.reserve(root.entries().size());
  for (const DataEntry& entry : root.entries()) {
    Values& values = values_of(key_text(entry.key));
    if (!entry.value.is(DataKind::kHash)) continue;
    for (const DataEntry& value : entry.value.entries()) {
      values.emplace_back(key_text(value.key), remembered(value.value));
    }
  }
}

void StateFile::store(const std::string& path, int64_t ttl, RunLog& log) const {
  if (!exists(path)) log.log(LogLevel::kInfo, fmt::format("Creating state file {}", path));
  const int64_t oldest = ttl > 0 ? now_nanoseconds() - ttl * 1'000'000'000 : 0;
  YamlWriter yaml;
  yaml.begin_mapping();
  for (const auto& [resource, values] : entries_) {
    const Datum* checked = find(resource, "checked");
    if (checked != nullptr && checked->kind() == DatumKind::kTime &&
        checked->time_value() < oldest) {
      continue;
    }
    yaml.string(resource);
    yaml.begin_mapping();
    for (const auto& [name, value] : values) {
      yaml.symbol(name);
      write_yaml(yaml, value);
    }
    yaml.end_mapping();
  }
  yaml.end_mapping();
  write_file(path, yaml.finish(), kStateMode);
}

const Datum* StateFile::find(const std::string& resource, std::string_view name) const {
  const auto found = numbers_.find(resource);
  if (found == numbers_.end()) return nullptr;
  for (const auto& [known, value] : entries_[found->second].second) {
    if (known == name) return &value;
  }
  return nullptr;
}

void StateFile::set(const std::string& resource, std::string_view name, Datum value) {
  Values& values = values_of(resource);
  for (auto& [known, old] : values) {
    if (known == name) {
      old = std::move(value);
      return;
    }
  }
  values.emplace_back(std::string(name), std::move(value));
}

void TransactionStore::read(const std::string& path) {
  std::string text;
  Arena arena;
  const DataNode root = read_document(path, "Transaction store file", text, arena, problem_);
  const DataNode* resources = root.find("resources");
  if (resources == nullptr || !resources->is(DataKind::kHash)) return;
  for (const DataEntry& entry : resources->entries()) {
    const DataNode* parameters = entry.value.find("parameters");
    if (parameters == nullptr || !parameters->is(DataKind::kHash)) continue;
    Values& values = old_[key_text(entry.key)];
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
  if (is_new) new_.emplace_back(resource, Values());
  Values& values = new_[place->second].second;
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
