// Makes the resources of a compiled catalog, with their names and containment.
#include "apply/transaction/catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

std::string_view rich_type(const DataNode& node) {
  const DataNode* type = node.find("__ptype");
  return type != nullptr && type->is(DataKind::kString) ? type->text_value() : std::string_view();
}

// Returns whether it is a Deferred value, which a function computes on the host.
bool is_deferred(const DataNode& node) {
  return rich_type(node) == "Deferred";
}

// Returns whether it is a parameterized type of the language, such as Integer[1, 2].
bool is_type(const DataNode& node) {
  const std::string_view type = rich_type(node);
  return type.starts_with("Pcore::") && type.ends_with("Type") && node.entries().size() > 1;
}

// Returns whether the value contains such a node at any depth.
bool holds(const DataNode& value, bool (*is_wanted)(const DataNode&)) {
  std::vector<const DataNode*> waiting{&value};
  while (!waiting.empty()) {
    const DataNode& node = *waiting.back();
    waiting.pop_back();
    if (node.is(DataKind::kArray)) {
      for (const DataNode& item : node.items()) waiting.push_back(&item);
    } else if (node.is(DataKind::kHash)) {
      if (is_wanted(node)) return true;
      for (const DataEntry& entry : node.entries()) waiting.push_back(&entry.value);
    }
  }
  return false;
}

// Adds a written parameter to the data of a resource. A Deferred value is resolved now, or stored
// to be resolved later.
void read_parameter(const DataNode& given, std::string name, Context& context, bool is_name,
                    ResourceData& data) {
  const DataNode* value = &given;
  if (holds(given, is_deferred)) {
    if (context.deferred == nullptr) {
      throw Failure(fmt::format(
          "Parameter {} of {} holds a Deferred value, which cannot be resolved", name, data.title));
    }
    // The name is needed now, so it cannot be resolved later.
    if (!context.options.resolves_deferred_first && context.options.is_host_config && !is_name) {
      if (is_sensitive_value(given)) data.sensitive.push_back(name);
      data.deferred.emplace_back(std::move(name), &given);
      return;
    }
    value = &context.deferred->resolve(given);
  } else if (context.deferred != nullptr && holds(given, is_type)) {
    value = &context.deferred->resolve(given);
  }
  if (is_sensitive_value(*value) &&
      std::ranges::find(data.sensitive, name) == data.sensitive.end()) {
    data.sensitive.push_back(name);
  }
  data.attributes.emplace_back(std::move(name), Datum::from(*value));
}

ResourceData data_of(const DocumentResource& resource, const ResourceType* type, Context& context) {
  ResourceData data;
  data.title = resource.title;
  data.file = resource.file;
  data.line = resource.line;
  data.has_file = !resource.file.empty() || resource.line > 0;
  data.tags.assign(resource.tags.begin(), resource.tags.end());
  data.sensitive.assign(resource.sensitive.begin(), resource.sensitive.end());
  data.is_exported = resource.is_exported;
  for (const DocumentParameter& parameter : resource.parameters) {
    // Containers use metaparameters only.
    if (type == nullptr && holds(parameter.value, is_deferred)) continue;
    std::string name(parameter.name);
    const bool is_name =
        type == nullptr || name == "name" || name == "provider" || name == type->namevar().name;
    read_parameter(parameter.value, std::move(name), context, is_name, data);
  }
  return data;
}

// Capitalizes a reference such as "class[main]".
std::string normalized(std::string_view reference) {
  const size_t bracket = reference.find('[');
  if (bracket == std::string_view::npos) return std::string(reference);
  const std::string type = capitalized_type(downcase(reference.substr(0, bracket)));
  std::string rest(reference.substr(bracket));
  // Names of classes are capitalized as well.
  if (type == "Class") rest = "[" + capitalized_type(downcase(rest.substr(1)));
  return type + rest;
}

}  // namespace

const ResourceType& Catalog::missing_type(const std::string& name) {
  std::unique_ptr<ResourceType>& type = missing_types_[name];
  if (type == nullptr) type = make_missing_type(name);
  return *type;
}

const ResourceType* Catalog::type_of(const DocumentResource& resource, bool has_kinds) {
  const bool is_native = resource.kind == "compilable_type";
  if (resource.type == "Class" || (has_kinds && !is_native)) return nullptr;
  const std::string key = downcase(resource.type);
  const ResourceType* type = nullptr;
  try {
    type = context_.types.find(key);
  } catch (const Failure& failure) {
    context_.log.log(LogLevel::kErr, failure.log_text());
  }
  if (type == nullptr) return is_native ? &missing_type(key) : nullptr;
  return type->is_container() && resource.type != "Stage" ? nullptr : type;
}

void Catalog::read_container(const DocumentResource& resource) {
  const ResourceData data = data_of(resource, nullptr, context_);
  auto container = std::make_unique<Resource>(*context_.types.find("component"),
                                              normalized(resource.reference), std::string(), *this);
  container->add_tags(data.tags);
  container->set_place(data.file, data.line);
  for (const auto& [name, value] : data.attributes) {
    const auto metaparameters = metaparameter_infos();
    if (std::ranges::find(metaparameters, name, &AttributeInfo::name) != metaparameters.end() &&
        !value.is_null()) {
      container->set(name, value);
    }
  }
  add(std::move(container));
}

void Catalog::read(const CatalogDocument& document) {
  name_ = document.name;
  environment_ = document.environment;
  uuid_ = document.catalog_uuid;
  classes_.assign(document.classes.begin(), document.classes.end());
  version_ = Datum::from(document.version);
  const bool has_kinds = document.catalog_format >= 2;
  for (const DocumentResource& resource : document.resources) {
    const ResourceType* type = type_of(resource, has_kinds);
    if (type == nullptr) {
      read_container(resource);
      continue;
    }
    std::string reference =
        fmt::format("{}[{}]", capitalized_type(downcase(resource.type)), resource.title);
    Resource& added =
        add(std::make_unique<Resource>(*type, data_of(resource, type, context_), *this));
    // Edges refer to the resource by its written title.
    names_.try_emplace(std::move(reference), &added);
  }
  for (const ContainmentEdge& edge : document.edges) {
    Resource* source = find(normalized(edge.source));
    Resource* target = find(normalized(edge.target));
    if (source == nullptr || target == nullptr) {
      throw Failure(fmt::format("Could not find resource {} of an edge of the catalog",
                                source == nullptr ? edge.source : edge.target));
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
      for (const std::string_view period : {"hourly", "daily", "weekly", "monthly", "never"}) {
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
    for (const std::string_view kind : {"require", "subscribe", "before", "notify"}) {
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

namespace {

// `"a", :b, nil`: the items of a list in Ruby's notation.
std::string inspected(std::vector<Datum> items) {
  const std::string text = Datum::array(std::move(items)).inspected();
  return text.substr(1, text.size() - 2);
}

}  // namespace

void Catalog::add_names(Resource& resource) {
  const auto [known, is_new] = names_.try_emplace(resource.reference(), &resource);
  if (!is_new) {
    const Resource& other = *known->second;
    throw Failure(fmt::format(
        "Duplicate declaration: {} is already declared{}; cannot redeclare", resource.reference(),
        other.file().empty()
            ? std::string()
            : fmt::format(" at (file: {}, line: {})", other.file(), other.line())));
  }
  if (resource.type().is_container()) return;
  const std::string type = capitalized_type(resource.type().name());
  for (const std::string& alias : resource.texts("alias")) {
    const std::string text = inspected({Datum::string(alias)});
    add_alias(resource, fmt::format("{}[{}]", type, alias), text, text);
  }
  if (!resource.type().is_isomorphic()) return;
  std::vector<Datum> key = resource.type().uniqueness_key(resource);
  if (key.size() > 1) {
    // Not a name by which others refer to the resource.
    const std::string text = inspected(std::move(key));
    add_alias(resource, fmt::format("{} {}", type, text), fmt::format("[{}]", text), text);
  } else if (resource.name() != resource.title()) {
    const std::string text = inspected({Datum::string(resource.name())});
    add_alias(resource, fmt::format("{}[{}]", type, resource.name()), fmt::format("[{}]", text),
              text);
  }
}

// `shown` and `parts` are the key in the message, in Ruby's notation.
void Catalog::add_alias(Resource& resource, std::string name, std::string_view shown,
                        std::string_view parts) {
  const auto [place, is_free] = names_.try_emplace(std::move(name), &resource);
  if (is_free || place->second == &resource) return;
  const Resource& other = *place->second;
  throw Failure(fmt::format(
      "Cannot alias {} to {}{}; resource [\"{}\", {}] already declared{}", resource.reference(),
      shown,
      resource.file().empty()
          ? std::string()
          : fmt::format(" at (file: {}, line: {})", resource.file(), resource.line()),
      capitalized_type(resource.type().name()), parts,
      other.file().empty() ? std::string()
                           : fmt::format(" (file: {}, line: {})", other.file(), other.line())));
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
