#include "catalog/compiler/provenance.h"

#include <boost/container_hash/hash.hpp>

#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "evaluation/scope.h"
#include "site/lookup/explainer.h"
#include "site/lookup/lookup.h"

namespace bunraku {
namespace {

// Returns the quoted part of a label such as "Hierarchy entry \"common\""; without quotes, the
// whole label.
std::string entry_name(const std::string& label) {
  const size_t begin = label.find('"');
  const size_t end = label.rfind('"');
  return end > begin ? label.substr(begin + 1, end - begin - 1) : label;
}

void collect_sources(const Explainer::Node& node, DataSource context,
                     std::vector<DataSource>& found) {
  using Kind = Explainer::NodeKind;
  switch (node.kind) {
    case Kind::kMeta:
      return;
    case Kind::kData:
    case Kind::kRoot:
      if (node.label == "lookup_options") return;
      break;
    case Kind::kDataProvider:
      (context.layer.empty() ? context.layer : context.level) =
          context.layer.empty() ? node.label : entry_name(node.label);
      break;
    case Kind::kPath:
    case Kind::kUri:
      context.path = node.label;
      break;
    default:
      break;
  }
  if (node.event == Explainer::Event::kFound && (!context.path.empty() || node.branches.empty())) {
    DataSource source = context;
    source.key = node.key;
    source.value = node.value;
    found.push_back(std::move(source));
  }
  for (const auto& branch : node.branches) collect_sources(*branch, context, found);
}

}  // namespace

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kDeclaration:
      return "declaration";
    case Origin::kResourceDefault:
      return "resource_default";
    case Origin::kOverride:
      return "override";
    case Origin::kCollector:
      return "collector";
    case Origin::kParameterDefault:
      return "parameter_default";
    case Origin::kData:
      return "data";
    case Origin::kClassifier:
      return "classifier";
    case Origin::kArrow:
      return "arrow";
    case Origin::kRequire:
      return "require";
    case Origin::kContainer:
      return "container";
  }
  return "declaration";
}

size_t hash_value(const Provenance::LookupKey& key) {
  size_t seed = 0;
  boost::hash_combine(seed, key.call);
  boost::hash_combine(seed, key.by);
  return seed;
}

void Provenance::add_change(const Resource& resource, const Change& change) {
  changes_[&resource].push_back(change);
}

void Provenance::add_realization(const Resource& resource, const Request& request) {
  realizations_[&resource].push_back(request);
}

void Provenance::add_class(Name name, const Request& request) {
  classes_[name].push_back(request);
}

const DataAnswer* Provenance::keep(DataAnswer answer) {
  answers_.push_back(std::make_unique<DataAnswer>(std::move(answer)));
  return answers_.back().get();
}

void Provenance::add_lookup(const Place& place, const Resource* by, const DataAnswer* answer) {
  if (place.expression != nullptr) lookups_[{place.expression, by}] = answer;
}

namespace {

template <typename Map, typename Key>
const typename Map::mapped_type& find_or_empty(const Map& map, const Key& key) {
  static const typename Map::mapped_type nothing;
  const auto found = map.find(key);
  return found == map.end() ? nothing : found->second;
}

}  // namespace

const std::vector<Provenance::Change>& Provenance::changes_of(const Resource& resource) const {
  return find_or_empty(changes_, &resource);
}

const std::vector<Provenance::Request>& Provenance::requests_for(const Resource& resource) const {
  if (!resource.is_class()) return find_or_empty(realizations_, &resource);
  return find_or_empty(classes_, data_name(downcase(resource.title)));
}

const DataAnswer* Provenance::find_lookup(const Expression& call, const Resource* by) const {
  const auto found = lookups_.find(LookupKey{&call, by});
  return found == lookups_.end() ? nullptr : found->second;
}

// --- data ----------------------------------------------------------------------------------------

// Look-ups that data make themselves belong to the outer look-up.
template <typename Ask>
auto RecordingData::recorded(std::vector<std::string> keys, Ask ask) {
  if (is_asking_) return ask();
  struct Guard {
    RecordingData& data;
    ~Guard() {
      data.lookup_.set_explainer(nullptr);
      data.is_asking_ = false;
    }
  };
  last_ = nullptr;
  Explainer explainer;
  is_asking_ = true;
  const Guard guard{*this};
  lookup_.set_explainer(&explainer);
  auto value = ask();
  DataAnswer answer;
  answer.keys = std::move(keys);
  collect_sources(explainer.root(), {}, answer.sources);
  last_ = provenance_.keep(std::move(answer));
  return value;
}

Value RecordingData::lookup(Scope& scope, const LookupRequest& request) {
  const bool is_outer = !is_asking_;
  const Value value = recorded({request.names.begin(), request.names.end()},
                               [&] { return lookup_.lookup(scope, request); });
  if (is_outer) provenance_.add_lookup(request.place, resource_of(scope), last_);
  return value;
}

std::optional<Value> RecordingData::lookup_parameter(Scope& scope, std::string_view name) {
  return recorded({std::string(name)}, [&] { return lookup_.lookup_parameter(scope, name); });
}

void RecordingData::explain_missing(Diagnostic& problem, std::string_view key) const {
  lookup_.explain_missing(problem, key);
}

void RecordingData::explain_found(Diagnostic& problem, std::string_view key) const {
  lookup_.explain_found(problem, key);
}

}  // namespace bunraku
