// Makes one resource from its data, and answers queries about it while it is applied.
#include "apply/transaction/resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apply/transaction/catalog.h"
#include "apply/transaction/tag.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kRelations[] = {"require", "subscribe", "before", "notify"};

bool is_relation(std::string_view name) {
  return std::ranges::find(kRelations, name) != std::end(kRelations);
}

void collect_references(const Datum& value, std::vector<std::string>& to) {
  for (const Datum& item : value.items()) collect_references(item, to);
  if (value.is_string()) to.push_back(value.text());
}

// Returns whether a message contains a value, or an item of a list, as text or in Ruby's notation.
bool names(std::string_view message, const Datum& value) {
  if (value.is_array()) {
    return std::ranges::any_of(value.items(),
                               [&](const Datum& item) { return names(message, item); });
  }
  const std::string text = value.to_text();
  return message.find(text) != message.npos || message.find(value.inspected()) != message.npos;
}

}  // namespace

bool is_sensitive_value(const DataNode& value) {
  const DataNode* type = value.is(DataKind::kHash) ? value.find("__ptype") : nullptr;
  return type != nullptr && type->is(DataKind::kString) && type->text_value() == "Sensitive";
}

std::string capitalized_type(std::string_view name) {
  std::string text(name);
  bool begins = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (begins && text[i] >= 'a' && text[i] <= 'z') text[i] -= 'a' - 'A';
    begins = text[i] == ':';
  }
  return text;
}

Resource::Resource(const ResourceType& type, ResourceData data, Catalog& catalog)
    : type_(type),
      data_(std::move(data)),
      catalog_(catalog),
      reference_(fmt::format("{}[{}]", capitalized_type(type.name()), data_.title)) {
  const std::string type_tag(type.name());
  // A compiled resource has all its tags already.
  const bool is_compiled = !data_.tags.empty();
  add_tags({type_tag});
  if (!is_compiled && is_tag(data_.title)) add_tags({downcase(data_.title)});
  if (type_.reads_attributes()) {
    take_attributes();
    return;
  }
  read_attributes();
  take_reference_title();
}

Resource::Resource(const ResourceType& type, std::string reference, std::string path,
                   Catalog& catalog)
    : type_(type), catalog_(catalog), reference_(std::move(reference)), path_(std::move(path)) {
  data_.title = reference_;
  name_ = reference_;
}

Resource::~Resource() = default;

Context& Resource::context() const {
  return catalog_.context();
}

void Resource::add_tags(const std::vector<std::string>& tags) {
  for (const std::string& tag : tags) {
    if (std::ranges::find(data_.tags, tag) == data_.tags.end()) data_.tags.push_back(tag);
  }
}

bool Resource::is_tagged(const std::vector<std::string>& any_of) const {
  return std::ranges::any_of(any_of, [&](const std::string& tag) {
    return std::ranges::find(data_.tags, tag) != data_.tags.end();
  });
}

const AttributeInfo* Resource::info_of(std::string_view name) const {
  if (const AttributeInfo* own = type_.find_attribute(name)) return own;
  if (name == "name") return &type_.namevar();
  const auto metaparameters = metaparameter_infos();
  const auto found = std::ranges::find(metaparameters, name, &AttributeInfo::name);
  return found == metaparameters.end() ? nullptr : &*found;
}

Attribute& Resource::slot(const AttributeInfo& info) {
  if (Attribute* known = find(info)) return *known;
  auto added = std::make_unique<Attribute>();
  added->info = &info;
  added->is_sensitive = info.is_sensitive;
  return *attributes_.emplace_back(std::move(added));
}

bool Resource::takes_attribute(const AttributeInfo& info) {
  if (info.feature.empty() || provider_kind_ == nullptr || has_feature(info.feature)) return true;
  debug(fmt::format("Provider {} does not support features {}; not managing attribute {}",
                    provider_kind_->name(), info.feature, info.name));
  return false;
}

void Resource::read_attribute(const AttributeInfo& info, const Datum& value) {
  if (value.is_null() || !takes_attribute(info)) return;
  try {
    if (info.is_read_only) throw Failure(fmt::format("{} is read-only", info.name));
    set(info, value);
  } catch (const Failure& failure) {
    const bool is_hidden = is_sensitive(info.name) && names(failure.message(), value);
    throw Failure(fmt::format("Parameter {} failed on {}: {}{}", info.name, reference_,
                              is_hidden ? "Invalid value [redacted]" : failure.message(),
                              place_text()));
  }
}

void Resource::choose_provider() {
  const AttributeInfo* info = type_.find_attribute("provider");
  if (info == nullptr || type_.providers().empty()) return;
  for (const auto& [name, value] : data_.attributes) {
    if (name != "provider" || value.is_null() || type_.is_missing()) continue;
    const ProviderKind* kind = type_.find_provider(value.to_text());
    if (kind == nullptr) {
      throw Failure(fmt::format("Parameter provider failed on {}: Invalid {} provider '{}'{}",
                                reference_, type_.name(), value.to_text(), place_text()));
    }
    slot(*info).values = {Datum::symbol(kind->name())};
    provider_kind_ = kind;
    return;
  }
  provider_kind_ = type_.default_provider(context());
  if (provider_kind_ != nullptr) slot(*info).values = {Datum::symbol(provider_kind_->name())};
}

void Resource::take_attributes() {
  for (const auto& [name, node] : std::exchange(data_.deferred, {})) {
    const DataNode& value = context().deferred->resolve(*node);
    if (is_sensitive_value(value)) data_.sensitive.push_back(name);
    data_.attributes.emplace_back(name, Datum::from(value));
  }
  ReadAttributes read = type_.read(*this, data_);
  name_ = std::move(read.name);
  if (!read.title.empty() && read.title != data_.title) {
    data_.given_title = std::exchange(data_.title, std::move(read.title));
    reference_ = fmt::format("{}[{}]", capitalized_type(type_.name()), data_.title);
  }
  for (Attribute& attribute : read.attributes) {
    attributes_.push_back(std::make_unique<Attribute>(std::move(attribute)));
  }
  provider_kind_ = read.provider;
  if (provider_kind_ != nullptr) provider_ = provider_kind_->make(*this);
  read_metaparameters();
  add_tags(read.tags);
}

void Resource::read_metaparameters() {
  for (const AttributeInfo& info : metaparameter_infos()) {
    if (type_.find_attribute(info.name) != nullptr) continue;
    for (const auto& [name, value] : data_.attributes) {
      if (name == info.name) read_attribute(info, value);
    }
  }
}

void Resource::take_reference_title() {
  std::string title = type_.reference_title(*this);
  if (title.empty()) return;
  data_.title = std::move(title);
  reference_ = fmt::format("{}[{}]", capitalized_type(type_.name()), data_.title);
}

void Resource::read_attributes() {
  const AttributeInfo& namevar = type_.namevar();
  const auto given_value = [&](std::string_view name) -> const Datum* {
    for (const auto& [key, value] : data_.attributes) {
      if (key == name && !value.is_null()) return &value;
    }
    return nullptr;
  };
  const Datum* given_name = given_value(namevar.name);
  if (given_name == nullptr && namevar.name != "name" && type_.find_attribute("name") == nullptr) {
    given_name = given_value("name");
  }
  read_attribute(namevar, given_name != nullptr ? *given_name : type_.name_of_title(data_.title));
  name_ = text(namevar.name);
  choose_provider();
  if (provider_kind_ != nullptr) provider_ = provider_kind_->make(*this);
  const auto read_others = [&](bool are_namevars) {
    for (const AttributeInfo& info : type_.attributes()) {
      if (&info == &namevar || info.name == "provider") continue;
      const Datum* value = given_value(info.name);
      if (info.is_namevar == are_namevars && value != nullptr) read_attribute(info, *value);
    }
  };
  read_others(true);
  // A namevar without a value may get a default from the title.
  const bool lacks_one = std::ranges::any_of(type_.attributes(), [&](const AttributeInfo& info) {
    return info.is_namevar && value(info.name).is_null();
  });
  if (!lacks_one) take_reference_title();
  read_others(false);
  read_metaparameters();
  for (const auto& [name, value] : data_.attributes) {
    if (info_of(name) == nullptr && !type_.is_missing()) {
      throw Failure(fmt::format("no parameter named '{}'{}", name, place_text()));
    }
  }
  apply_defaults();
  if (data_.deferred.empty()) validate();  // otherwise resolve_deferred() calls it
}

void Resource::resolve_deferred() {
  if (data_.deferred.empty()) return;
  const auto deferred = std::move(data_.deferred);
  data_.deferred.clear();
  for (const auto& [name, node] : deferred) {
    const DataNode& value = context().deferred->resolve(*node);
    if (is_sensitive_value(value) &&
        std::ranges::find(data_.sensitive, name) == data_.sensitive.end()) {
      data_.sensitive.push_back(name);
    }
    data_.attributes.emplace_back(name, Datum::from(value));
    const AttributeInfo* info = info_of(name);
    if (info == nullptr)
      throw Failure(fmt::format("no parameter named '{}'{}", name, place_text()));
    read_attribute(*info, data_.attributes.back().second);
  }
  apply_defaults();
  validate();
}

void Resource::validate() {
  try {
    type_.validate(*this);
  } catch (const Failure& failure) {
    throw Failure(
        fmt::format("Validation of {} failed: {}{}", reference_, failure.message(), place_text()));
  }
  std::vector<std::string> sensitive = data_.sensitive;
  type_.mark_sensitive(*this, sensitive);
  for (const std::string& name : sensitive) {
    Attribute* attribute = find(name);
    if (attribute == nullptr) continue;
    if (attribute->is_property()) {
      attribute->is_sensitive = true;
    } else {
      log(LogLevel::kWarning,
          fmt::format("Unable to mark '{}' as sensitive: {} is a parameter and not a property, and "
                      "cannot be automatically redacted.",
                      name, name));
    }
  }
}

void Resource::apply_defaults() {
  for (const AttributeInfo& info : type_.attributes()) {
    const Attribute* known = find(info);
    if (known != nullptr && (known->has_value() || is_given(info.name))) continue;
    if (!info.feature.empty() && provider_kind_ != nullptr && !has_feature(info.feature)) continue;
    std::optional<Datum> value = type_.default_of(*this, info);
    if (!value && !info.default_value.empty()) value = Datum::string(info.default_value);
    if (!value || value->is_null()) continue;
    read_attribute(info, *value);
  }
}

bool Resource::is_given(std::string_view name) const {
  return std::ranges::any_of(data_.attributes, [&](const auto& attribute) {
    return attribute.first == name && !attribute.second.is_null();
  });
}

Attribute* Resource::find(const AttributeInfo& info) {
  for (const auto& attribute : attributes_) {
    if (attribute->info == &info) return attribute.get();
  }
  return nullptr;
}

Attribute* Resource::find(std::string_view name) {
  for (const auto& attribute : attributes_) {
    if (attribute->info->name == name) return attribute.get();
  }
  return nullptr;
}

const Attribute* Resource::find(std::string_view name) const {
  return const_cast<Resource*>(this)->find(name);
}

const Datum& Resource::value(std::string_view name) const {
  static const Datum kNull{};
  const Attribute* attribute = find(name);
  return attribute == nullptr || attribute->values.empty() ? kNull : attribute->values.front();
}

bool Resource::is_managed() const {
  return std::ranges::any_of(attributes(), [](const auto& attribute) {
    return attribute->is_property() && attribute->has_value();
  });
}

Datum Resource::desired(const Attribute& property) const {
  return type_.desired(*this, property);
}

std::vector<std::string> Resource::texts(std::string_view name) const {
  std::vector<std::string> all;
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return all;
  for (const Datum& value : attribute->values) {
    if (value.is_array()) {
      for (const Datum& item : value.items()) all.push_back(item.to_text());
    } else if (!value.is_null()) {
      all.push_back(value.to_text());
    }
  }
  return all;
}

Datum Resource::munge(const AttributeInfo& info, const Datum& value) {
  const bool holds_secret =
      value.is_sensitive() ||
      (value.is_array() && std::ranges::any_of(value.items(), &Datum::is_sensitive));
  if (holds_secret && !info.takes_sensitive_items) {
    throw Failure(fmt::format(
        "Munging failed for value #<Sensitive [value redacted]> in class {}: no implicit "
        "conversion of Puppet::Pops::Types::PSensitiveType::Sensitive into String",
        info.name));
  }
  return type_.munge(*this, info, value);
}

void Resource::set(std::string_view name, const Datum& value) {
  const AttributeInfo* info = info_of(name);
  if (info == nullptr) throw Failure(fmt::format("no parameter named '{}'", name));
  set(*info, value);
}

void Resource::set(const AttributeInfo& info, const Datum& value) {
  if (is_relation(info.name)) {
    std::vector<std::string>& references = related_[std::string(info.name)];
    references.clear();
    collect_references(value, references);
    return;
  }
  if (info.name == "tag") {
    std::vector<std::string> tags;
    collect_references(value, tags);
    for (std::string& tag : tags) tag = downcase(tag);
    add_tags(tags);
  }
  std::vector<Datum> munged;
  std::vector<Datum> original;
  if (info.kind == AttributeKind::kProperty && value.is_array()) {
    original = value.items();
    for (const Datum& item : value.items()) munged.push_back(munge(info, item));
    if (info.is_list && munged.empty()) munged.push_back(Datum::string(""));
  } else {
    original.push_back(value);
    munged.push_back(munge(info, value));
  }
  // Looked up again, because munging may have set other attributes and moved the list.
  Attribute& attribute = slot(info);
  attribute.values = std::move(munged);
  attribute.original = std::move(original);
}

void Resource::set_munged(std::string_view name, std::vector<Datum> values) {
  Attribute& attribute = add(name);
  attribute.values = std::move(values);
  attribute.original = attribute.values;
}

Attribute& Resource::add(std::string_view name) {
  return slot(*info_of(name));
}

void Resource::remove(std::string_view name) {
  std::erase_if(attributes_, [&](const auto& attribute) { return attribute->info->name == name; });
}

std::vector<Attribute*> Resource::properties() {
  std::vector<Attribute*> all;
  for (const auto& attribute : attributes_) {
    if (attribute->is_property()) all.push_back(attribute.get());
  }
  // In the order of the type's table: its infos are in one array.
  std::ranges::sort(all, {}, [](const Attribute* attribute) { return attribute->info; });
  return all;
}

bool Resource::is_sensitive(std::string_view name) const {
  const Attribute* attribute = find(name);
  if (attribute != nullptr && attribute->is_sensitive) return true;
  return std::ranges::find(data_.sensitive, name) != data_.sensitive.end();
}

bool Resource::is_noop() const {
  if (context().options.changes_nothing) return true;
  const Datum& own = value("noop");
  return own.is_null() ? context().options.is_noop : own.is_true();
}

LogLevel Resource::log_level() const {
  const std::string& word = value("loglevel").text();
  if (word == "verbose") return LogLevel::kInfo;
  return parse_log_level(word).value_or(LogLevel::kNotice);
}

std::vector<std::string> Resource::audited() const {
  std::vector<std::string> names = texts("audit");
  if (std::ranges::find(names, "all") == names.end()) return names;
  names.clear();
  for (const AttributeInfo& info : type_.attributes()) {
    if (info.kind == AttributeKind::kProperty &&
        (info.feature.empty() || has_feature(info.feature))) {
      names.emplace_back(info.name);
    }
  }
  return names;
}

std::vector<std::string> Resource::related(std::string_view metaparameter) const {
  const auto found = related_.find(metaparameter);
  return found == related_.end() ? std::vector<std::string>() : found->second;
}

void Resource::add_related(std::string_view metaparameter, std::string reference) {
  related_[std::string(metaparameter)].push_back(std::move(reference));
}

void Resource::set_provider(const ProviderKind& kind) {
  provider_kind_ = &kind;
  provider_ = kind.make(*this);
  if (const AttributeInfo* info = type_.find_attribute("provider")) {
    slot(*info).values = {Datum::symbol(kind.name())};
  }
}

bool Resource::is_suitable() {
  if (type_.find_attribute("provider") == nullptr || type_.providers().empty()) return true;
  if (provider_kind_ == nullptr) {
    const ProviderKind* kind = type_.default_provider(context());
    if (kind == nullptr) return false;
    set_provider(*kind);
  }
  return provider_kind_->is_suitable(context().host);
}

bool Resource::has_feature(std::string_view feature) const {
  return provider_kind_ != nullptr && provider_kind_->has_feature(feature);
}

std::vector<std::string> Resource::containment_path() const {
  std::vector<std::string> path;
  for (const Resource* resource = this; resource != nullptr;
       resource = catalog_.container_of(*resource)) {
    const std::string& reference = resource->reference();
    const bool is_class = resource->type().name() == "component" && reference.starts_with("Class[");
    path.push_back(is_class ? reference.substr(6, reference.size() - 7) : reference);
  }
  std::ranges::reverse(path);
  return path;
}

std::string Resource::path() const {
  if (!path_.empty()) return path_;
  std::string path;
  for (const std::string& part : containment_path()) path += "/" + part;
  return path;
}

void Resource::log(LogLevel level, std::string message) const {
  RunLog& log = context().log;
  if (!log.takes(level)) return;
  log.log(level, std::move(message), path(), data_.tags, data_.has_file ? &data_.file : nullptr,
          data_.line);
}

void Resource::log_property(LogLevel level, std::string_view property, std::string message,
                            bool is_tagged) const {
  RunLog& log = context().log;
  if (!log.takes(level)) return;
  std::vector<std::string> tags = data_.tags;
  if (is_tagged && std::ranges::find(tags, property) == tags.end()) tags.emplace_back(property);
  log.log(level, std::move(message), fmt::format("{}/{}", path(), property), std::move(tags),
          data_.has_file ? &data_.file : nullptr, data_.line);
}

void Resource::set_place(std::string file, int64_t line) {
  data_.has_file = !file.empty() || line > 0;
  data_.file = std::move(file);
  data_.line = line;
}

std::string Resource::place_text() const {
  if (!data_.file.empty() && data_.line > 0) {
    return fmt::format(" (file: {}, line: {})", data_.file, data_.line);
  }
  if (data_.line > 0) return fmt::format(" (line: {})", data_.line);
  if (!data_.file.empty()) return fmt::format(" (file: {})", data_.file);
  return {};
}

}  // namespace bunraku::apply
