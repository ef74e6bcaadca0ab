// The default behaviour of types.
#include "apply/transaction/resource_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "apply/transaction/catalog.h"
#include "base/regex/regex.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const size_t space = list.find(' ');
    if (space != 0) words.push_back(list.substr(0, space));
    list.remove_prefix(space == std::string_view::npos ? list.size() : space + 1);
  }
  return words;
}

// The canonical word for a text; empty when there is none.
std::string_view find_word(std::string_view values, std::string_view text) {
  for (const std::string_view word : words_of(values)) {
    const size_t alias = word.find('=');
    if (alias == std::string_view::npos ? word == text : word.substr(0, alias) == text) {
      return alias == std::string_view::npos ? word : word.substr(alias + 1);
    }
  }
  return {};
}

bool matches_pattern(std::string_view patterns, std::string_view text) {
  return std::ranges::any_of(words_of(patterns), [&](std::string_view pattern) {
    return is_valid_utf8(text) &&
           Regex::compile(pattern.substr(1, pattern.size() - 2))->matches(text);
  });
}

// Fails with the allowed values, which are in the form of AttributeInfo.
[[noreturn]] void refuse(const Datum& value, std::string_view values,
                         std::string_view patterns = {}) {
  std::string text = fmt::format("Invalid value {}.", value.inspected());
  std::string names;
  for (const std::string_view word : words_of(values)) {
    // Aliases are left out of the list.
    if (word.find('=') != std::string_view::npos) continue;
    if (!names.empty()) names += ", ";
    names += word;
  }
  if (!names.empty()) text += fmt::format(" Valid values are {}.", names);
  if (!patterns.empty()) {
    std::string listed;
    for (const std::string_view pattern : words_of(patterns)) {
      if (!listed.empty()) listed += ", ";
      listed += pattern;
    }
    text += fmt::format(" Valid values match {}.", listed);
  }
  throw Failure(text);
}

Datum munge_boolean(const Datum& value) {
  const std::string text = value.to_text();
  if (text == "true" || text == "yes") return Datum::boolean(true);
  if (text == "false" || text == "no") return Datum::boolean(false);
  refuse(value, "true false yes no");
}

}  // namespace

bool ProviderKind::has_feature(std::string_view feature) const {
  const std::vector<std::string_view> all = words_of(features());
  return std::ranges::find(all, feature) != all.end();
}

Datum Provider::get(std::string_view property) {
  throw Failure(fmt::format("The provider cannot read attribute {}", property));
}

void Provider::set(std::string_view property, const Datum&) {
  throw Failure(fmt::format("The provider can not handle attribute {}", property));
}

bool Provider::exists() {
  throw Failure("No ability to determine if the resource exists");
}

void Provider::create() {
  throw Failure("The provider cannot create the resource");
}

void Provider::destroy() {
  throw Failure("The provider cannot remove the resource");
}

const Datum* find_value(const CurrentValues& values, std::string_view name) {
  for (const auto& [known, value] : values) {
    if (known == name) return &value;
  }
  return nullptr;
}

const AttributeInfo* ResourceType::find_attribute(std::string_view name) const {
  const auto all = attributes();
  const auto found = std::ranges::find(all, name, &AttributeInfo::name);
  return found == all.end() ? nullptr : &*found;
}

const AttributeInfo& ResourceType::namevar() const {
  const auto all = attributes();
  return *std::ranges::find_if(all, &AttributeInfo::is_namevar);
}

std::vector<Datum> ResourceType::uniqueness_key(const Resource& resource) const {
  std::map<std::string_view, Datum> values;
  for (const AttributeInfo& info : attributes()) {
    if (!info.is_namevar) continue;
    const bool is_name = info.name == namevar().name;
    values.emplace(info.name, is_name ? Datum::string(resource.name()) : resource.value(info.name));
  }
  std::vector<Datum> key;
  for (auto& [name, value] : values) key.push_back(std::move(value));
  return key;
}

const ProviderKind* ResourceType::find_provider(std::string_view name) const {
  for (const auto& kind : providers_) {
    if (kind->name() == name) return kind.get();
  }
  return nullptr;
}

bool ResourceType::can_list() const {
  return std::ranges::any_of(providers_, [](const auto& kind) { return kind->can_list(); });
}

std::vector<const ProviderKind*> ResourceType::providers_by_source(Context& context) const {
  std::vector<const ProviderKind*> kinds;
  const auto add = [&](const ProviderKind* kind) {
    if (std::ranges::find(kinds, kind->source(), &ProviderKind::source) == kinds.end()) {
      kinds.push_back(kind);
    }
  };
  const ProviderKind* first = default_provider(context);
  if (first != nullptr) add(first);
  for (const auto& kind : providers_) {
    if (kind->is_supported() && kind->is_suitable(context.host)) add(kind.get());
  }
  return kinds;
}

const ProviderKind* ResourceType::provider_listing(Context& context, std::string_view title) const {
  const std::vector<const ProviderKind*> kinds = providers_by_source(context);
  if (std::ranges::count_if(kinds, &ProviderKind::can_list) < 2) return nullptr;
  const auto lists = [&](const ProviderKind* kind) {
    const std::vector<Instance> found = kind->instances(context);
    return std::ranges::find(found, title, &Instance::title) != found.end();
  };
  const auto first = std::ranges::find_if(kinds, lists);
  return first == kinds.end() ? nullptr : *first;
}

std::vector<Instance> ResourceType::instances(Context& context) const {
  if (providers_.empty()) {
    throw Failure(fmt::format("{} has no providers and has not overridden 'instances'", name()));
  }
  const std::vector<const ProviderKind*> kinds = providers_by_source(context);
  if (!kinds.empty() && std::ranges::none_of(kinds, &ProviderKind::can_list)) {
    throw Failure(
        fmt::format("To support listing resources of this type the '{}' provider needs to "
                    "implement an 'instances' class method returning the current set of resources.",
                    kinds.front()->name()));
  }
  std::vector<Instance> all;
  std::set<std::string, std::less<>> titles;
  for (const ProviderKind* kind : kinds) {
    for (Instance& instance : kind->instances(context)) {
      if (!titles.insert(instance.title).second) continue;
      instance.provider = kind->name();
      if (kind->can_prefetch()) instance.is_complete = true;
      all.push_back(std::move(instance));
    }
  }
  return all;
}

const ProviderKind* ResourceType::default_provider(Context& context) const {
  std::vector<const ProviderKind*> candidates, defaults;
  for (const auto& kind : providers_) {
    if (!kind->can_be_default() || !kind->is_suitable(context.host)) continue;
    candidates.push_back(kind.get());
    if (kind->is_default(context.host)) defaults.push_back(kind.get());
  }
  if (!defaults.empty()) candidates = std::move(defaults);
  if (candidates.empty()) return nullptr;
  const ProviderKind* best = candidates.front();
  for (const ProviderKind* kind : candidates) {
    if (kind->specificity(context.host) > best->specificity(context.host)) best = kind;
  }
  return best;
}

ReadAttributes ResourceType::read(Resource&, const ResourceData&) const {
  return {};
}

Datum ResourceType::desired(const Resource& resource, const Attribute& property) const {
  if (property.values.empty()) return {};
  if (!property.info->takes_all) return shown(resource, property, property.values.front());
  Datum::List items;
  for (const Datum& value : property.values) items.push_back(shown(resource, property, value));
  return Datum::array(std::move(items));
}

Datum ResourceType::munge(Resource& resource, const AttributeInfo& attribute,
                          const Datum& value) const {
  if (attribute.is_boolean) return munge_boolean(value);
  if (attribute.values.empty() && attribute.patterns.empty()) return value;
  if (value.is_array()) refuse(value, attribute.values, attribute.patterns);
  const std::string text = value.to_text();
  const std::string_view word = find_word(attribute.values, text);
  if (word.empty() && !matches_pattern(attribute.patterns, text))
    refuse(value, attribute.values, attribute.patterns);
  const std::string_view feature = find_word(attribute.value_features, word.empty() ? text : word);
  if (!feature.empty() && resource.provider_kind() != nullptr && !resource.has_feature(feature)) {
    throw Failure(fmt::format("Provider {} must have features '{}' to set '{}' to '{}'",
                              resource.provider_kind()->name(), feature, attribute.name, text));
  }
  return word.empty() ? value : Datum::symbol(word);
}

std::optional<Datum> ResourceType::default_of(Resource& resource,
                                              const AttributeInfo& attribute) const {
  if (!attribute.is_present_if_managed) return std::nullopt;
  return resource.is_managed() ? Datum::string("present") : Datum();
}

void ResourceType::mark_sensitive(Resource&, std::vector<std::string>&) const {}

CurrentValues ResourceType::retrieve_all(Resource& resource) const {
  CurrentValues values;
  const std::vector<std::string> audited = resource.audited();
  Attribute* ensure = resource.find("ensure");
  if (ensure == nullptr && find_attribute("ensure") != nullptr) ensure = &resource.add("ensure");
  bool is_absent = false;
  if (ensure != nullptr) {
    values.emplace_back("ensure", retrieve(resource, *ensure));
    is_absent = values.back().second.is_symbol("absent");
  }
  for (Attribute* property : resource.properties()) {
    if (property == ensure) continue;
    values.emplace_back(std::string(property->name()),
                        is_absent ? Datum::symbol("absent") : retrieve(resource, *property));
  }
  return values;
}

Datum ResourceType::retrieve(Resource& resource, Attribute& property) const {
  if (resource.provider() == nullptr) return Datum::symbol("absent");
  if (property.name() == "ensure") {
    return Datum::symbol(resource.provider()->exists() ? "present" : "absent");
  }
  return resource.provider()->get(property.name());
}

bool ResourceType::is_present(const Resource&, const CurrentValues& current) const {
  const Datum* ensure = find_value(current, "ensure");
  return ensure == nullptr || !ensure->is_symbol("absent");
}

bool ResourceType::is_in_sync(Resource&, Attribute& property, const Datum& current) const {
  const std::vector<Datum>& wanted = property.values;
  if (wanted.empty()) return true;
  // As in Ruby, compares with the value and then with its text.
  const auto is_same = [](const Datum& is, const Datum& should) {
    return is == should || (is.is_string() && is.text() == should.to_text());
  };
  if (property.info->takes_all) {
    if (!current.is_array() || current.items().size() != wanted.size()) return false;
    return std::ranges::equal(current.items(), wanted, is_same);
  }
  return std::ranges::any_of(wanted, [&](const Datum& value) { return is_same(current, value); });
}

Failure munging_failure(const AttributeInfo& attribute, const Datum& value,
                        std::string_view detail) {
  return Failure(fmt::format("Munging failed for value {} in class {}: {}", value.inspected(),
                             attribute.name, detail));
}

std::string_view class_of(const Datum& value) {
  switch (value.kind()) {
    case DatumKind::kNull:
      return "NilClass";
    case DatumKind::kBoolean:
      return value.boolean_value() ? "TrueClass" : "FalseClass";
    case DatumKind::kInteger:
      return "Integer";
    case DatumKind::kFloat:
      return "Float";
    case DatumKind::kSymbol:
      return "Symbol";
    case DatumKind::kArray:
      return "Array";
    case DatumKind::kHash:
      return "Hash";
    case DatumKind::kRegexp:
      return "Regexp";
    case DatumKind::kTime:
      return "Time";
    case DatumKind::kSensitive:
      return "Puppet::Pops::Types::PSensitiveType::Sensitive";
    case DatumKind::kString:
    case DatumKind::kBinary:
    case DatumKind::kScalar:
      break;
  }
  return "String";
}

void set_word(Resource& resource, const Attribute& property, const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& failure) {
    if (!failure.is_of_system()) throw;
    const std::string text =
        fmt::format("Could not set '{}' on {}: {}{}", property.values.front().to_text(),
                    property.name(), failure.message(), resource.place_text());
    resource.context().log.log(LogLevel::kErr, text);
    throw Failure::wrapping(text, failure.message());
  }
}

void ResourceType::sync_with_provider(Resource& resource, Attribute& property) const {
  Provider* provider = resource.provider();
  if (provider == nullptr) {
    throw Failure(fmt::format("{} cannot handle values of type {}", property.name(),
                              property.values.front().inspected()));
  }
  if (property.name() == "ensure" && property.values.front().is_symbol("present")) {
    set_word(resource, property, [&] { provider->create(); });
  } else if (property.name() == "ensure" && property.values.front().is_symbol("absent")) {
    set_word(resource, property, [&] { provider->destroy(); });
  } else {
    provider->set(property.name(), resource.desired(property));
  }
}

void ResourceType::sync(Resource& resource, Attribute& property) const {
  sync_with_provider(resource, property);
}

void ResourceType::flush(Resource& resource) const {
  if (resource.provider() != nullptr) resource.provider()->flush();
}

std::string ResourceType::change_text(Resource& resource, Attribute& property, const Datum& current,
                                      const Datum& desired) const {
  const bool is_removal =
      desired.is_symbol("absent") ||
      (desired.is_array() && desired.items().size() == 1 && desired.items()[0].is_symbol("absent"));
  const bool is_new = current.is_symbol("absent");
  if (property.name() == "ensure") {
    if (is_new || current.is_null()) return "created";
    if (is_removal) return "removed";
  } else if (is_new) {
    return fmt::format("defined '{}' as {}", property.name(),
                       desired_text(resource, property, desired));
  } else if (is_removal) {
    return fmt::format("undefined '{}' from {}", property.name(),
                       current_text(resource, property, current));
  }
  return fmt::format("{} changed {} to {}", property.name(),
                     current_text(resource, property, current),
                     desired_text(resource, property, desired));
}

std::string ResourceType::current_text(Resource&, const Attribute&, const Datum& current) const {
  return current.to_display();
}

std::string ResourceType::desired_text(Resource&, const Attribute&, const Datum& desired) const {
  return desired.to_display();
}

std::string ResourceType::event_name(const Resource&, const Attribute& property) const {
  if (property.name() != "ensure") return fmt::format("{}_changed", property.name());
  const bool has_value = property.has_value();
  if (has_value && property.values.front().is_symbol("present")) {
    return fmt::format("{}_created", name());
  }
  if (has_value && property.values.front().is_symbol("absent")) {
    return fmt::format("{}_removed", name());
  }
  return fmt::format("{}_changed", name());
}

std::vector<std::unique_ptr<Resource>> ResourceType::generate(Resource&) const {
  return {};
}

std::vector<std::unique_ptr<Resource>> ResourceType::eval_generate(Resource&) const {
  return {};
}

void TypeRegistry::add(std::unique_ptr<ResourceType> type) {
  types_.push_back(std::move(type));
}

const ResourceType* TypeRegistry::find(std::string_view name) const {
  for (const auto& type : types_) {
    if (type->name() == name) return type.get();
  }
  return nullptr;
}

namespace {

constexpr AttributeInfo kMissingAttributes[] = {{.name = "name", .is_namevar = true},
                                                {.name = "provider"}};

class MissingKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "missing"; }
  bool is_suitable(const Host&) const override { return false; }
  std::unique_ptr<Provider> make(Resource&) const override { return nullptr; }
};

class MissingType final : public ResourceType {
 public:
  explicit MissingType(std::string name) : name_(std::move(name)) {
    add_provider(std::make_unique<MissingKind>());
  }
  std::string_view name() const override { return name_; }
  std::span<const AttributeInfo> attributes() const override { return kMissingAttributes; }
  bool is_missing() const override { return true; }
  // For an unknown type, equal names may be different things.
  bool is_isomorphic() const override { return false; }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<ResourceType> make_missing_type(std::string name) {
  return std::make_unique<MissingType>(std::move(name));
}

std::span<const AttributeInfo> metaparameter_infos() {
  static const AttributeInfo kInfos[] = {
      {.name = "noop", .is_boolean = true},
      {.name = "schedule"},
      {.name = "audit"},
      {.name = "loglevel",
       .values = "debug info notice warning err alert emerg crit verbose",
       .default_value = "notice"},
      {.name = "alias"},
      {.name = "tag"},
      {.name = "require"},
      {.name = "subscribe"},
      {.name = "before"},
      {.name = "notify"},
      {.name = "stage"},
  };
  return kInfos;
}

}  // namespace bunraku::apply
