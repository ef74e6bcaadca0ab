// Types and providers of modules: each operation of the transaction becomes a request to the Ruby
// process.
#include "ruby/types/ruby_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"
#include "ruby/types/counterpart.h"
#include "ruby/types/native_kind.h"
#include "ruby/types/package_kinds.h"
#include "ruby/types/service_kinds.h"

namespace bunraku::ruby_types {

using apply::Attribute;
using apply::AttributeInfo;
using apply::AttributeKind;
using apply::AutomaticRelation;
using apply::CurrentValues;
using apply::Datum;
using apply::Failure;
using apply::ProviderKind;
using apply::ReadAttributes;
using apply::RelationKind;
using apply::Resource;
using apply::ResourceData;

namespace {

const Datum& item(const Datum& list, size_t at) {
  static const Datum kNull{};
  return at < list.items().size() ? list.items()[at] : kNull;
}

std::string text(const Datum& hash, std::string_view key) {
  return part(hash, key).to_text();
}

bool is_true(const Datum& hash, std::string_view key) {
  return part(hash, key).is_true();
}

// A provider without operations: the type forwards all of them. It only marks that the resource has
// a provider.
class RubyProvider final : public apply::Provider {};

class RubyProviderKind final : public ProviderKind {
 public:
  RubyProviderKind(const RubyType& type, const Datum& description)
      : type_(type),
        name_(text(description, "name")),
        features_(text(description, "features")),
        can_prefetch_(is_true(description, "prefetches")),
        finishes_(is_true(description, "finishes")) {}

  std::string_view name() const override { return name_; }
  std::string_view features() const override { return features_; }

  // The answer is cached once it is true, for the rest of the run.
  bool is_suitable(const apply::Host&) const override {
    if (!is_suitable_) {
      is_suitable_ = type_.worker()
                         .call("suitable", {Datum::string(type_.name()), Datum::string(name_)})
                         .is_true();
    }
    return is_suitable_;
  }

  // While the resource is created, its Ruby object already has a provider.
  std::unique_ptr<apply::Provider> make(Resource& resource) const override {
    if (resource.provider_kind() != nullptr && resource.counterpart() >= 0 &&
        !resource.value("provider").is_symbol(name_)) {
      type_.worker().call("set_provider",
                          {Datum::integer(type_.number_of(resource)), Datum::string(name_)},
                          &resource.catalog());
    }
    return std::make_unique<RubyProvider>();
  }

  bool can_prefetch() const override { return can_prefetch_; }
  void prefetch(apply::Context&, std::span<Resource* const> resources) const override {
    Datum::List numbers;
    for (Resource* resource : resources) {
      numbers.push_back(Datum::integer(type_.number_of(*resource)));
    }
    type_.worker().call(
        "prefetch",
        {Datum::string(type_.name()), Datum::string(name_), Datum::array(std::move(numbers))},
        resources.empty() ? nullptr : &resources.front()->catalog());
  }

  void finish_run() const override {
    if (!finishes_) return;
    type_.worker().call("finish_run", {Datum::string(type_.name()), Datum::string(name_)});
  }

 private:
  const RubyType& type_;
  std::string name_;
  std::string features_;
  bool can_prefetch_;
  bool finishes_;
  mutable bool is_suitable_ = false;
};

Datum hash_of(const std::vector<std::pair<std::string, Datum>>& attributes) {
  Datum::Entries entries;
  for (const auto& [name, value] : attributes) {
    if (!value.is_null()) entries.emplace_back(Datum::string(name), value);
  }
  return Datum::hash(std::move(entries));
}

}  // namespace

RubyType::RubyType(std::string name, const Datum& description, TypeWorker& worker)
    : name_(std::move(name)),
      worker_(worker),
      is_isomorphic_(is_true(description, "isomorphic")),
      can_refresh_(is_true(description, "refreshes")),
      refreshes_itself_(is_true(description, "self_refresh")),
      generates_(is_true(description, "generates")),
      eval_generates_(is_true(description, "eval_generates")),
      checks_(is_true(description, "checks")),
      relates_(is_true(description, "relates")),
      finishes_(is_true(description, "finishes")),
      can_list_(is_true(description, "lists")) {
  const Datum& keys = part(description, "keys");
  for (const Datum& answer : part(description, "attributes").items()) {
    AttributeInfo info;
    info.name = keep(text(answer, "name"));
    info.kind = is_true(answer, "property") ? AttributeKind::kProperty : AttributeKind::kParameter;
    info.is_namevar = std::ranges::any_of(
        keys.items(), [&](const Datum& key) { return key.to_text() == info.name; });
    info.takes_all = is_true(answer, "all");
    info.feature = keep(text(answer, "features"));
    info.is_idempotent = is_true(answer, "idempotent");
    attributes_.push_back(info);
  }
  for (const Datum& answer : part(description, "providers").items()) {
    add_provider(std::make_unique<RubyProviderKind>(*this, answer));
  }
}

std::string_view RubyType::keep(std::string text) {
  return texts_.emplace_back(std::move(text));
}

const ProviderKind* RubyType::default_provider(apply::Context&) const {
  if (default_provider_ == nullptr && !providers().empty()) {
    const Datum answer = worker_.call("default_provider", {Datum::string(name_)});
    if (!answer.is_null()) default_provider_ = find_provider(answer.to_text());
  }
  return default_provider_;
}

std::vector<apply::Instance> RubyType::instances(apply::Context&) const {
  std::vector<apply::Instance> all;
  const Datum answer = worker_.call("instances", {Datum::string(name_)});
  for (const Datum& one : answer.items()) {
    apply::Instance instance{item(one, 0).to_text(), {}, item(one, 1).to_text(), true};
    for (const Datum& value : item(one, 2).items()) {
      instance.properties.emplace_back(item(value, 0).to_text(), item(value, 1));
    }
    all.push_back(std::move(instance));
  }
  return all;
}

// --- making a resource ---

Datum RubyType::create(Resource& resource, const ResourceData& data) const {
  const std::vector<std::string> tags = resource.tags();
  const Datum details =
      Datum::hash({{Datum::string("file"), data.file.empty() ? Datum() : Datum::string(data.file)},
                   {Datum::string("line"), data.line > 0 ? Datum::integer(data.line) : Datum()},
                   {Datum::string("tags"), Datum::strings(tags)},
                   {Datum::string("sensitive"), Datum::strings(data.sensitive)},
                   {Datum::string("virtual"), Datum::boolean(data.is_virtual)},
                   {Datum::string("exported"), Datum::boolean(data.is_exported)}});
  Datum answer =
      worker_.call("create",
                   {Datum::string(name_),
                    Datum::string(data.given_title.empty() ? data.title : data.given_title),
                    hash_of(data.attributes), details},
                   &resource.catalog());
  Counterpart{worker_.generation(), part(answer, "number").integer_value()}.keep_in(resource);
  return answer;
}

ReadAttributes RubyType::read_description(const Datum& answer) const {
  ReadAttributes read;
  read.name = text(answer, "name");
  read.title = text(answer, "title");
  if (!part(answer, "provider").is_null()) read.provider = find_provider(text(answer, "provider"));
  for (const Datum& tag : part(answer, "tags").items()) read.tags.push_back(tag.to_text());
  for (const Datum& one : part(answer, "attributes").items()) {
    const AttributeInfo* info = find_attribute(text(one, "name"));
    if (info == nullptr || is_true(one, "metaparameter")) continue;
    Attribute attribute;
    attribute.info = info;
    attribute.values = part(one, "values").items();
    attribute.original = attribute.values;
    attribute.is_sensitive = is_true(one, "sensitive");
    read.attributes.push_back(std::move(attribute));
  }
  return read;
}

ReadAttributes RubyType::read(Resource& resource, const ResourceData& data) const {
  if (data.counterpart >= 0) {
    // Ruby code has made this resource and can describe it.
    resource.set_counterpart(data.counterpart);
    return read_description(worker_.call(
        "describe", {Datum::integer(data.counterpart & 0xffffffff)}, &resource.catalog()));
  }
  return read_description(create(resource, data));
}

int64_t RubyType::number_of(Resource& resource) const {
  const Counterpart known = Counterpart::of(resource);
  if (known.is_of(worker_.generation())) return known.number;
  // The process that held the object has ended, so the object is made again.
  const ResourceData data = resource.data();
  const int64_t number = part(create(resource, data), "number").integer_value();
  const ProviderKind* kind = resource.provider_kind();
  if (kind != nullptr && kind->can_prefetch()) {
    Resource* pointer = &resource;
    kind->prefetch(resource.context(), std::span(&pointer, 1));
  }
  return number;
}

Datum RubyType::ask(std::string_view request, const Resource& resource, Datum::List more) const {
  Datum::List arguments{Datum::integer(number_of(const_cast<Resource&>(resource)))};
  std::ranges::move(more, std::back_inserter(arguments));
  return worker_.call(request, std::move(arguments), &resource.catalog());
}

void RubyType::finish(Resource& resource) const {
  if (finishes_) ask("finish", resource);
}

void RubyType::check_before_run(Resource& resource) const {
  if (checks_) ask("pre_run_check", resource);
}

std::vector<AutomaticRelation> RubyType::automatic_relations(const Resource& resource) const {
  constexpr std::pair<std::string_view, RelationKind> kKinds[] = {
      {"require", RelationKind::kRequire},
      {"subscribe", RelationKind::kSubscribe},
      {"before", RelationKind::kBefore},
      {"notify", RelationKind::kNotify}};
  std::vector<AutomaticRelation> relations;
  if (!relates_) return relations;
  const Datum answer = ask("relations", resource);
  for (const Datum& one : answer.items()) {
    const std::string kind = item(one, 0).to_text();
    const auto* known =
        std::ranges::find(kKinds, kind, &std::pair<std::string_view, RelationKind>::first);
    if (known == std::end(kKinds)) continue;
    relations.push_back({known->second, item(one, 1).to_text(), item(one, 2).to_text()});
  }
  return relations;
}

// --- evaluating it ---

CurrentValues RubyType::retrieve_all(Resource& resource) const {
  // Properties without a desired value, which are only audited.
  Datum::List watched;
  for (const Attribute* property : resource.properties()) {
    if (!property->has_value()) watched.push_back(Datum::string(property->name()));
  }
  CurrentValues values;
  const Datum answer = ask("retrieve", resource, {Datum::array(std::move(watched))});
  for (const Datum& one : answer.items()) values.emplace_back(item(one, 0).to_text(), item(one, 1));
  return values;
}

bool RubyType::is_in_sync(Resource& resource, Attribute& property, const Datum& current) const {
  const Datum name = Datum::string(property.name());
  // The resource's own property is compared with the value that Ruby retrieved; Ruby keeps it.
  if (&property == resource.find(property.name())) return ask("insync", resource, {name}).is_true();
  return ask("insync_values", resource, {name, Datum::array(property.values), current}).is_true();
}

void RubyType::sync(Resource& resource, Attribute& property) const {
  ask("sync", resource, {Datum::string(property.name())});
}

void RubyType::flush(Resource& resource) const {
  ask("flush", resource);
}

void RubyType::refresh(Resource& resource) const {
  ask("refresh", resource);
}

// --- words ---

std::string RubyType::change_text(Resource& resource, Attribute& property, const Datum&,
                                  const Datum&) const {
  return ask("change_text", resource, {Datum::string(property.name())}).to_text();
}

std::string RubyType::current_text(Resource& resource, const Attribute& property,
                                   const Datum& current) const {
  return ask("current_text", resource, {Datum::string(property.name()), current}).to_text();
}

std::string RubyType::desired_text(Resource& resource, const Attribute& property,
                                   const Datum& desired) const {
  return ask("desired_text", resource, {Datum::string(property.name()), desired}).to_text();
}

std::string RubyType::event_name(const Resource& resource, const Attribute& property) const {
  return item(ask("event", resource, {Datum::string(property.name())}), 0).to_text();
}

bool RubyType::invalidates_refreshes(const Resource& resource, const Attribute& property) const {
  return item(ask("event", resource, {Datum::string(property.name())}), 1).is_true();
}

Datum RubyType::desired(const Resource& resource, const Attribute& property) const {
  if (!property.has_value()) return {};
  return item(ask("event", resource, {Datum::string(property.name())}), 2);
}

// --- more than one resource ---

std::vector<std::unique_ptr<Resource>> RubyType::make_generated(Resource& resource,
                                                                const Datum& answer) const {
  std::vector<std::unique_ptr<Resource>> made;
  for (const Datum& one : answer.items()) {
    const std::string type_name = text(one, "type");
    const ResourceType* type = resource.context().types.find(type_name);
    if (type == nullptr) throw Failure(fmt::format("Resource type '{}' was not found", type_name));
    ResourceData data;
    data.title = text(one, "title");
    for (const auto& [name, value] : part(one, "attributes").entries()) {
      data.attributes.emplace_back(name.to_text(), value);
    }
    if (const Datum* described = one.find("resource")) {
      data.counterpart = worker_.generation() << 32 | part(*described, "number").integer_value();
      data.tags = {};
    }
    made.push_back(std::make_unique<Resource>(*type, std::move(data), resource.catalog()));
  }
  return made;
}

std::vector<std::unique_ptr<Resource>> RubyType::generate(Resource& resource) const {
  if (!generates_) return {};
  return make_generated(resource, ask("generate", resource));
}

std::vector<std::unique_ptr<Resource>> RubyType::eval_generate(Resource& resource) const {
  if (!eval_generates_) return {};
  return make_generated(resource, ask("eval_generate", resource));
}

// --- all types ---

bool RubyTypeRegistry::has_file(std::string_view name) const {
  const std::string file = fmt::format("puppet/type/{}.rb", name);
  const auto has = [&](const std::string& library) { return exists(join_path(library, file)); };
  return std::ranges::any_of(worker_.options().modules,
                             [&](const std::string& module) { return has(module + "/lib"); }) ||
         std::ranges::any_of(worker_.options().libraries, has);
}

// A native type, with the providers that modules have for it.
const apply::ResourceType* RubyTypeRegistry::native_type(std::string_view name) const {
  struct Extension {
    std::string_view type;
    std::vector<std::unique_ptr<apply::ProviderKind>> (*kinds)(TypeWorker&);
    std::unique_ptr<apply::ResourceType> (*make)(std::vector<std::unique_ptr<apply::ProviderKind>>);
  };
  static constexpr Extension kExtensions[] = {{"package", package_kinds, apply::make_package_type},
                                              {"service", service_kinds, apply::make_service_type}};
  const auto extension = std::ranges::find(kExtensions, name, &Extension::type);
  if (extension == std::end(kExtensions)) return native_.find(name);
  auto known = std::ranges::find(extended_, name, [](const auto& entry) { return entry.first; });
  if (known == extended_.end()) {
    auto kinds = extension->kinds(worker_);
    extended_.emplace_back(name, kinds.empty() ? nullptr : extension->make(std::move(kinds)));
    known = std::prev(extended_.end());
  }
  return known->second != nullptr ? known->second.get() : native_.find(name);
}

const apply::ResourceType* RubyTypeRegistry::find(std::string_view name) const {
  if (const apply::ResourceType* type = native_type(name)) return type;
  const auto known = std::ranges::find(types_, name, [](const auto& type) { return type->name(); });
  if (known != types_.end()) return known->get();
  if (std::ranges::find(unknown_, name) != unknown_.end()) return nullptr;
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  const Datum answer =
      is_name && has_file(name) ? worker_.call("type", {Datum::string(name)}) : Datum();
  if (answer.is_null()) {
    unknown_.emplace_back(name);
    return nullptr;
  }
  return types_.emplace_back(std::make_unique<RubyType>(std::string(name), answer, worker_)).get();
}

}  // namespace bunraku::ruby_types
