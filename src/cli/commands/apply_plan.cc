// Collects, shows and compares planned changes.
#include "cli/commands/apply_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/formats/json.h"
#include "base/text/counts.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

constexpr std::string_view kFileStart = "{\"bunraku_plan\":1,";
constexpr std::string_view kActionNames[] = {"create", "remove", "change", "run", "refresh"};
constexpr std::string_view kSigns[] = {"+", "-", "~", "!", ">"};

std::string_view name_of(PlannedAction action) {
  return kActionNames[static_cast<size_t>(action)];
}

bool is_one_of(const apply::Datum& value, std::string_view one, std::string_view other) {
  const std::string text = value.to_text();
  return text == one || text == other;
}

PlannedAction action_of(const apply::Event& event) {
  if (event.name == "noop_restart") return PlannedAction::kRefresh;
  if (event.name == "executed_command") return PlannedAction::kRun;
  if (event.property != "ensure") return PlannedAction::kChange;
  if (is_one_of(event.desired_value, "absent", "purged")) return PlannedAction::kRemove;
  if (is_one_of(event.previous_value, "absent", "purged")) return PlannedAction::kCreate;
  // For a redacted value, only the event's name shows the kind of change.
  if (event.is_redacted.value_or(false) && event.name.ends_with("_created")) {
    return PlannedAction::kCreate;
  }
  return PlannedAction::kChange;
}

std::string without_end(std::string text, std::string_view end) {
  if (text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

// The text for a planned change; events' messages are in the past tense.
std::string planned_text(const apply::Event& event) {
  constexpr std::string_view kRefresh = "Would have triggered 'refresh' from ";
  if (event.name == "executed_command") return "would be executed";
  if (event.name == "noop_restart" && event.message.starts_with(kRefresh)) {
    return "would be refreshed by " + event.message.substr(kRefresh.size());
  }
  if (event.is_redacted.value_or(false)) {
    return action_of(event) == PlannedAction::kCreate ? "created, with contents that are secret"
                                                      : event.property + " would change [redacted]";
  }
  return replace_invalid_utf8(without_end(event.message, " (noop)"));
}

std::string json_of(const apply::Datum& value) {
  std::string text;
  JsonWriter json(text);
  apply::write_json(json, value);
  return text;
}

std::string text_at(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kString) ? std::string(found->text_value())
                                                          : std::string();
}

// Identifies a change, for comparing plans.
std::string identity_of(std::string_view action, std::string_view resource,
                        std::string_view property, std::string_view old_value,
                        std::string_view new_value) {
  return property.empty()
             ? fmt::format("{} {}", action, resource)
             : fmt::format("{} {} {}: {} -> {}", action, resource, property, old_value, new_value);
}

}  // namespace

void Plan::add(const std::string& resource, const apply::ResourceStatus& status,
               const apply::Event& event) {
  std::string difference = std::move(difference_);
  difference_.clear();
  if (event.status == apply::EventStatus::kFailure) {
    ++failures_;
    return;
  }
  if (event.status != apply::EventStatus::kNoop) return;
  PlannedChange change;
  change.action = action_of(event);
  change.resource = resource;
  change.property = event.property;
  change.old_value = json_of(event.previous_value);
  change.new_value = json_of(event.desired_value);
  change.message = planned_text(event);
  if (event.property == "content" || event.property == "ensure") {
    change.difference = std::move(difference);
  }
  change.file = status.file;
  change.line = status.line;
  changes_.push_back(std::move(change));
}

std::string Plan::summary() const {
  std::string text;
  for (size_t action = 0; action < std::size(kActionNames); ++action) {
    std::vector<std::string_view> resources;
    for (const PlannedChange& change : changes_) {
      if (static_cast<size_t>(change.action) != action) continue;
      if (std::ranges::find(resources, change.resource) == resources.end()) {
        resources.push_back(change.resource);
      }
    }
    if (resources.empty()) continue;
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", count_text(resources.size()),
                        kActionNames[action]);
  }
  return text;
}

std::string Plan::text() const {
  std::string text;
  std::string_view resource;
  for (const PlannedChange& change : changes_) {
    if (change.resource != resource) {
      resource = change.resource;
      text += fmt::format("{}{}", text.empty() ? "" : "\n", resource);
      if (!change.file.empty()) text += fmt::format("  ({}:{})", change.file, change.line);
      text += '\n';
    }
    text += fmt::format("  {} {}\n", kSigns[static_cast<size_t>(change.action)], change.message);
    std::string_view rest = change.difference;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (!line.empty() && !line.starts_with("--- ") && !line.starts_with("+++ "))
        text += fmt::format("      {}\n", line);
    }
  }
  if (changes_.empty()) return failures_ == 0 ? "Nothing to do.\n" : "";
  return text + fmt::format("\nPlan: {}.\n", summary());
}

std::string Plan::changes_json() const {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const PlannedChange& change : changes_) {
    json.begin_object();
    json.member("action", name_of(change.action));
    json.member("resource", std::string_view(replace_invalid_utf8(change.resource)));
    if (!change.property.empty()) {
      json.member("property", std::string_view(change.property));
      json.member("old", std::string_view(change.old_value));
      json.member("new", std::string_view(change.new_value));
    }
    json.member("message", std::string_view(change.message));
    if (!change.difference.empty()) {
      json.member("difference", std::string_view(replace_invalid_utf8(change.difference)));
    }
    if (!change.file.empty()) {
      json.member("file", std::string_view(change.file));
      json.member("line", change.line);
    }
    json.end_object();
  }
  json.end_array();
  return text;
}

std::string Plan::json() const {
  std::map<std::string_view, int64_t> counts;
  for (const PlannedChange& change : changes_) ++counts[name_of(change.action)];
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const auto& [action, count] : counts) json.member(action, count);
  json.member("failures", static_cast<int64_t>(failures_));
  json.end_object();
  return fmt::format("{{\"changes\":{},\"summary\":{}}}\n", changes_json(), text);
}

std::string Plan::file_text(std::string_view node, const CatalogDocument& document) const {
  std::string name;
  JsonWriter(name).string(node);
  std::string catalog;
  JsonWriter json(catalog);
  write_catalog(json, document);
  return fmt::format("{}\"node\":{},\"changes\":{},\"catalog\":{}}}\n", kFileStart, name,
                     changes_json(), catalog);
}

std::string Plan::catalog_text(const DataNode& kept) {
  const DataNode* catalog = kept.find("catalog");
  if (catalog == nullptr) throw DataError("the plan has no catalog");
  std::string text;
  JsonWriter(text).data(*catalog);
  return text;
}

std::vector<std::string> Plan::differences_from(const DataNode& kept) const {
  struct Found {
    int count = 0;
    std::string text;
  };
  std::map<std::string, Found> all;
  const auto add = [&](std::string identity, int count, std::string_view resource,
                       std::string_view message) {
    Found& found = all[std::move(identity)];
    found.count += count;
    found.text = fmt::format("{}: {}", resource, message);
  };
  const DataNode* changes = kept.find("changes");
  if (changes != nullptr && changes->is(DataKind::kArray)) {
    for (const DataNode& change : changes->items()) {
      const std::string resource = text_at(change, "resource");
      add(identity_of(text_at(change, "action"), resource, text_at(change, "property"),
                      text_at(change, "old"), text_at(change, "new")),
          1, resource, text_at(change, "message"));
    }
  }
  for (const PlannedChange& change : changes_) {
    add(identity_of(name_of(change.action), change.resource, change.property, change.old_value,
                    change.new_value),
        -1, change.resource, change.message);
  }
  std::vector<std::string> differences;
  for (const auto& [identity, found] : all) {
    if (found.count > 0) differences.push_back("no longer so: " + found.text);
    if (found.count < 0) differences.push_back("not planned: " + found.text);
  }
  return differences;
}

bool Plan::is_file_text(std::string_view text) {
  return text.starts_with(kFileStart);
}

void PlanSink::log(const LogRecord& record) {
  if (record.level >= LogLevel::kWarning) return log_.log(record);
  if (record.message.starts_with("\n---") || record.message.starts_with("Binary files ")) {
    plan_.add_difference(record.message);
  }
}

}  // namespace bunraku
