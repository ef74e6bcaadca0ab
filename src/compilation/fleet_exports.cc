// Stores exports by node, and answers collectors' queries from memory.
#include "compilation/fleet_exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "store/query/fields.h"

namespace bunraku::compilation {

struct FleetExports::Entry {
  std::string_view certname, title;
  DataNode tags, parameters;
  std::string digest;
};

struct FleetExports::NodeExports {
  std::string certname, text;
  Arena arena;
  std::vector<std::pair<std::string_view, Entry>> entries;  // sorted by type and title
};

namespace {

bool has_tag(const DataNode& tags, std::string_view tag) {
  return std::ranges::any_of(tags.items(),
                             [&](const DataNode& item) { return item.text_value() == tag; });
}

// Evaluates ["=", "title" | "tag" | ["parameter", NAME], VALUE].
bool equals(const DataNode& filter, std::string_view title, const DataNode& tags,
            const DataNode& parameters) {
  const DataNode& field = filter.items()[1];
  const DataNode& value = filter.items()[2];
  if (field.is(DataKind::kArray)) {
    const DataNode* parameter = parameters.find(field.items()[1].text_value());
    // As in the store, 1, 1.0 and "1" are three values.
    return parameter != nullptr && store::json_of(*parameter) == store::json_of(value);
  }
  if (!value.is(DataKind::kString)) return false;
  return field.text_value() == "tag" ? has_tag(tags, downcase(value.text_value()))
                                     : title == value.text_value();
}

// Evaluates a filter that the compiler writes for a collector. Its depth is that of an expression.
bool fits(const DataNode& filter, std::string_view title, const DataNode& tags,
          const DataNode& parameters) {
  const auto operands = filter.items().subspan(1);
  const auto fits_one = [&](const DataNode& operand) {
    return fits(operand, title, tags, parameters);
  };
  const std::string_view word = filter.items()[0].text_value();
  if (word == "and") return std::ranges::all_of(operands, fits_one);
  if (word == "or") return std::ranges::any_of(operands, fits_one);
  if (word == "not") return !fits_one(operands[0]);
  return equals(filter, title, tags, parameters);
}

}  // namespace

FleetExports::FleetExports() = default;
FleetExports::~FleetExports() = default;

void FleetExports::put(const std::string& certname, const std::string& resources) {
  {
    const std::scoped_lock lock(mutex_);
    const auto known = nodes_.find(certname);
    if (known == nodes_.end() ? resources.empty() : known->second->text == resources) return;
    if (resources.empty()) {
      nodes_.erase(known);
      return;
    }
  }
  auto made = std::make_shared<NodeExports>();
  made->certname = certname;
  made->text = resources;
  for (const DataNode& resource : read_json(made->text, made->arena).items()) {
    Entry entry{made->certname,
                resource.find("title")->text_value(),
                *resource.find("tags"),
                *resource.find("parameters"),
                {}};
    entry.digest = content_id(
        fmt::format("{}\n{}\n{}", certname, entry.title, store::json_of(entry.parameters)));
    made->entries.emplace_back(resource.find("type")->text_value(), std::move(entry));
  }
  std::ranges::sort(made->entries, [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.title) < std::pair(b.first, b.second.title);
  });
  const std::scoped_lock lock(mutex_);
  nodes_[certname] = std::move(made);
}

void FleetExports::advance() {
  by_type_.clear();
  shown_.clear();
  for (const auto& [certname, node] : nodes_) {
    shown_.push_back(node);
    for (const auto& [type, entry] : node->entries) {
      by_type_[std::string(type)].push_back(&entry);
    }
  }
}

std::vector<ExportedResource> FleetExports::find(std::string_view type, std::string_view own,
                                                 const std::string& filter,
                                                 std::string& answer) const {
  answer.clear();
  std::vector<ExportedResource> found;
  const auto entries = by_type_.find(type);
  if (entries == by_type_.end()) return found;
  Arena arena;
  const DataNode tree = filter.empty() ? DataNode() : read_json(filter, arena);
  Digester digester(DigestAlgorithm::kSha1);
  for (const Entry* entry : entries->second) {
    if (entry->certname == own) continue;
    if (!filter.empty() && !fits(tree, entry->title, entry->tags, entry->parameters)) continue;
    digester.add(entry->digest);
    found.push_back({entry->certname, entry->title, entry->parameters});
  }
  if (!found.empty()) answer = digester.hex();
  return found;
}

bool FleetExports::holds(const std::string& own,
                         const std::vector<ExportQuestion>& questions) const {
  return std::ranges::all_of(questions, [&](const ExportQuestion& question) {
    std::string answer;
    find(question.type, own, question.filter, answer);
    return answer == question.answer;
  });
}

std::vector<ExportedResource> RecordedExports::find_exported(std::string_view type,
                                                             std::string_view own,
                                                             const std::string& filter, Arena&) {
  ExportQuestion question{std::string(type), filter, {}};
  std::vector<ExportedResource> found = exports_.find(type, own, filter, question.answer);
  questions_.push_back(std::move(question));
  return found;
}

DataNode RecordedExports::query(const std::string&, Arena&) {
  throw EvaluationError(make_diagnostic(Issue::kUnusableValue, Range{},
                                        {"puppetdb_query needs a store (--store URL)"}),
                        ErrorKind::kError);
}

}  // namespace bunraku::compilation
