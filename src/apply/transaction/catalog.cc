// Making the resources of a written catalog, their names and containment.
#include "apply/transaction/catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

std::string text_of(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kString) ? std::string(found->text_value())
                                                          : std::string();
}

bool boolean_of(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kBoolean) && found->boolean_value();
}

std::vector<std::string> texts_of(const DataNode& node, std::string_view key) {
  std::vector<std::string> texts;
  const DataNode* found = node.find(key);
  if (found == nullptr || !found->is(DataKind::kArray)) return texts;
  for (const DataNode& item : found->items()) {
    if (item.is(DataKind::kString)) texts.emplace_back(item.text_value());
  }
  return texts;
}

// The objects of a list of the catalog; what is something else was not written as a catalog.
std::span<const DataNode> objects_of(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  if (found == nullptr || found->is(DataKind::kNull)) return {};
  if (!found->is(DataKind::kArray)) {
    throw Failure(fmt::format("'{}' of the catalog is not a list", key));
  }
  for (const DataNode& item : found->items()) {
    if (!item.is(DataKind::kHash)) {
      throw Failure(fmt::format("An item of '{}' of the catalog is not an object", key));
    }
  }
  return found->items();
}

// Is a value that a function is to make on the host anywhere in this one?
bool holds_deferred(const DataNode& value) {
  std::vector<const DataNode*> waiting{&value};
  while (!waiting.empty()) {
    const DataNode& node = *waiting.back();
    waiting.pop_back();
    if (node.is(DataKind::kArray)) {
      for (const DataNode& item : node.items()) waiting.push_back(&item);
    } else if (node.is(DataKind::kHash)) {
      if (text_of(node, "__ptype") == "Deferred") return true;
      for (const DataEntry& entry : node.entries()) waiting.push_back(&entry.value);
    }
  }
  return false;
}

// Takes a written parameter into the data of a resource. Deferred values are found out now, or kept.
void read_parameter(const DataNode& given, std::string name, Context& context, bool is_name,
                    ResourceData& data) {
  const DataNode* value = &given;
  if (holds_deferred(given)) {
    if (context.deferred == nullptr) {
      throw Failure(fmt::format("Parameter {} of {} holds a Deferred value, which cannot be resolved",
                                name, data.title));
    }
    // The name is needed at once.
    if (!context.options.resolves_deferred_first && context.options.is_host_config && !is_name) {
      if (is_sensitive_value(given)) data.sensitive.push_back(name);
      data.deferred.emplace_back(std::move(name), &given);
      return;
    }
    value = &context.deferred->resolve(given);
  }
  if (is_sensitive_value(*value) && std::ranges::find(data.sensitive, name) == data.sensitive.end()) {
    data.sensitive.push_back(name);
  }
  data.attributes.emplace_back(std::move(name), Datum::from(*value));
}

ResourceData data_of(const DataNode& node, const ResourceType* type, Context& context) {
  ResourceData data;
  data.title = text_of(node, "title");
  data.has_file = node.find("file") != nullptr;
  data.file = text_of(node, "file");
  if (const DataNode* line = node.find("line"); line != nullptr && line->is(DataKind::kInteger)) {
    data.line = line->integer_value();
    data.has_file = true;
  }
  data.tags = texts_of(node, "tags");
  data.sensitive = texts_of(node, "sensitive_parameters");
  data.is_exported = boolean_of(node, "exported");
  const DataNode* parameters = node.find("parameters");
  if (parameters == nullptr || !parameters->is(DataKind::kHash)) return data;
  for (const DataEntry& entry : parameters->entries()) {
    if (!entry.key.is(DataKind::kString)) continue;
    // Of containers only metaparameters count.
    if (type == nullptr && holds_deferred(entry.value)) continue;
    std::string name(entry.key.text_value());
    const bool is_name = type == nullptr || name == "name" || name == "provider" ||
                         name == type->namevar().name;
    read_parameter(entry.value, std::move(name), context, is_name, data);
  }
  return data;
}

// "class[main]" and the like are written with a capital letter.
std::string normalized(std::string_view reference) {
  const size_t bracket = reference.find('[');
  if (bracket == std::string_view::npos) return std::string(reference);
  const std::string type = capitalized_type(downcase(reference.substr(0, bracket)));
  std::string rest(reference.substr(bracket));
  // Names of classes have capital letters, too.
  if (type == "Class") rest = "[" + capitalized_type(downcase(rest.substr(1)));
  return type + rest;
}

}  // namespace

const ResourceType& Catalog::missing_type(const std::string& name) {
  std::unique_ptr<ResourceType>& type = missing_types_[name];
  if (type == nullptr) type = make_missing_type(name);
  return *type;
}

const ResourceType* Catalog::type_of(const DataNode& resource, bool has_kinds) {
  const std::string name = text_of(resource, "type");
  const bool is_native = text_of(resource, "kind") == "compilable_type";
  if (name == "Class" || (has_kinds && !is_native)) return nullptr;
  const std::string key = downcase(name);
  const ResourceType* type = nullptr;
  try {
    type = context_.types.find(key);
  } catch (const Failure& failure) {
    context_.log.log(LogLevel::kErr, failure.log_text());
  }
  if (type == nullptr) return is_native ? &missing_type(key) : nullptr;
  return type->is_container() && name != "Stage" ? nullptr : type;
}

void Catalog::read(const DataNode& document) {
  const DataNode* inner = document.is(DataKind::kHash) ? document.find("data") : nullptr;
  const DataNode& node =
      inner != nullptr && inner->find("resources") != nullptr ? *inner : document;
  if (!node.is(DataKind::kHash)) throw Failure("the catalog is not an object");
  name_ = text_of(node, "name");
  environment_ = text_of(node, "environment");
  uuid_ = text_of(node, "catalog_uuid");
  classes_ = texts_of(node, "classes");
  if (const DataNode* version = node.find("version")) version_ = Datum::from(*version);
  const DataNode* format = node.find("catalog_format");
  const bool has_kinds =
      format != nullptr && format->is(DataKind::kInteger) && format->integer_value() >= 2;
  const ResourceType& component = *context_.types.find("component");
  for (const DataNode& resource : objects_of(node, "resources")) {
    const std::string type_name = text_of(resource, "type");
    if (type_name.empty()) throw Failure("A resource of the catalog has no type");
    const ResourceType* type = type_of(resource, has_kinds);
    ResourceData data = data_of(resource, type, context_);
    if (type != nullptr) {
      std::string reference = fmt::format("{}[{}]", capitalized_type(downcase(type_name)), data.title);
      Resource& added = add(std::make_unique<Resource>(*type, std::move(data), *this));
      // Edges know it by the title that was given.
      names_.try_emplace(std::move(reference), &added);
      continue;
    }
    const std::string reference = normalized(fmt::format("{}[{}]", type_name, data.title));
    auto container = std::make_unique<Resource>(component, reference, std::string(), *this);
    container->add_tags(data.tags);
    for (const auto& [name, value] : data.attributes) {
      const auto metaparameters = metaparameter_infos();
      if (std::ranges::find(metaparameters, name, &AttributeInfo::name) != metaparameters.end() &&
          !value.is_null()) {
        container->set(name, value);
      }
    }
    add(std::move(container));
  }
  for (const DataNode& edge : objects_of(node, "edges")) {
    Resource* source = find(normalized(text_of(edge, "source")));
    Resource* target = find(normalized(text_of(edge, "target")));
    if (source == nullptr || target == nullptr) {
      throw Failure(fmt::format("Could not find resource {} of an edge of the catalog",
                                source == nullptr ? text_of(edge, "source")
                                                  : text_of(edge, "target")));
    }
    contain(*source, *target);
  }
}

void Catalog::finalize() {
  if (context_.options.is_host_config) {
    const auto add_default = [&](std::string_view type_name, std::string_view title,
                                 std::vector<std::pair<std::string, Datum>> attributes) {
      const ResourceType* type = context_.types.find(type_name);
      if (type == nullptr || find(type_name, title) != nullptr) return;
      ResourceData data;
      data.title = title;
      data.attributes = std::move(attributes);
      add(std::make_unique<Resource>(*type, std::move(data), *this));
    };
    if (context_.options.default_schedules) {
      add_default("schedule", "puppet",
                  {{"period", Datum::string("hourly")}, {"repeat", Datum::integer(2)}});
      for (std::string_view period : {"hourly", "daily", "weekly", "monthly", "never"}) {
        add_default("schedule", period, {{"period", Datum::string(period)}});
      }
    }
    add_default("filebucket", "puppet",
                {{"path", Datum::string(context_.options.client_bucket_directory)}});
  }
  for (Resource* resource : order_) resource->type().finish(*resource);
  check_relationships();
}

void Catalog::check_relationships() const {
  for (const Resource* resource : order_) {
    for (std::string_view kind : {"require", "subscribe", "before", "notify"}) {
      for (const std::string& reference : resource->related(kind)) {
        if (find(normalized(reference)) != nullptr) continue;
        const bool is_earlier = kind == "require" || kind == "subscribe";
        throw Failure(fmt::format("Could not find {} {} for {}{}",
                                  is_earlier ? "dependency" : "dependent", reference,
                                  resource->reference(), resource->place_text()));
      }
    }
  }
}

Resource* Catalog::find(std::string_view reference) const {
  const auto found = names_.find(std::string(reference));
  if (found != names_.end()) return found->second;
  const std::string other = normalized(reference);
  const auto again = names_.find(other);
  return again == names_.end() ? nullptr : again->second;
}

Resource* Catalog::find(std::string_view type, std::string_view title) const {
  const auto found = names_.find(fmt::format("{}[{}]", capitalized_type(type), title));
  return found == names_.end() ? nullptr : found->second;
}

void Catalog::add_names(Resource& resource) {
  const auto [known, is_new] = names_.try_emplace(resource.reference(), &resource);
  if (!is_new) {
    const Resource& other = *known->second;
    throw Failure(fmt::format(
        "Duplicate declaration: {} is already declared{}; cannot redeclare", resource.reference(),
        other.file().empty() ? std::string()
                             : fmt::format(" at (file: {}, line: {})", other.file(), other.line())));
  }
  if (resource.type().is_container()) return;
  std::vector<std::string> aliases = resource.texts("alias");
  if (resource.type().is_isomorphic() && resource.name() != resource.title()) {
    aliases.push_back(resource.name());
  }
  for (const std::string& alias : aliases) {
    const std::string reference =
        fmt::format("{}[{}]", capitalized_type(resource.type().name()), alias);
    const auto [place, is_free] = names_.try_emplace(reference, &resource);
    if (is_free || place->second == &resource) continue;
    throw Failure(fmt::format("Cannot alias {} to [\"{}\"]{}; resource [\"{}\", \"{}\"] already "
                              "declared{}",
                              resource.reference(), alias,
                              resource.file().empty()
                                  ? std::string()
                                  : fmt::format(" at (file: {}, line: {})", resource.file(),
                                                resource.line()),
                              capitalized_type(resource.type().name()), alias,
                              place->second->file().empty()
                                  ? std::string()
                                  : fmt::format(" at (file: {}, line: {})", place->second->file(),
                                                place->second->line())));
  }
}

Resource& Catalog::add(std::unique_ptr<Resource> resource) {
  add_names(*resource);
  order_.push_back(resource.get());
  return *owned_.emplace_back(std::move(resource));
}

Resource& Catalog::add_beside(const Resource& other, std::unique_ptr<Resource> resource,
                              bool before) {
  add_names(*resource);
  auto place = std::ranges::find(order_, &other);
  if (place != order_.end() && !before) ++place;
  order_.insert(place, resource.get());
  Resource& added = *owned_.emplace_back(std::move(resource));
  if (Resource* container = container_of(other)) contain(*container, added);
  return added;
}

void Catalog::contain(Resource& container, Resource& contained) {
  containers_.try_emplace(&contained, &container);
  contents_[&container].push_back(&contained);
}

Resource* Catalog::container_of(const Resource& resource) const {
  const auto found = containers_.find(&resource);
  return found == containers_.end() ? nullptr : found->second;
}

const std::vector<Resource*>& Catalog::contents_of(const Resource& container) const {
  static const std::vector<Resource*> kNone;
  const auto found = contents_.find(&container);
  return found == contents_.end() ? kNone : found->second;
}

}  // namespace bunraku::apply
