// A resource type of a module as the transaction uses it: it forwards every operation to the Ruby
// process, which holds an object for each resource.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/resource_type.h"
#include "ruby/types/type_worker.h"

namespace bunraku::ruby_types {

// Immutable apart from the requests that it sends; used by the thread of the run.
class RubyType final : public apply::ResourceType {
 public:
  // `description` is the answer to the request "type". The worker must outlive the type.
  RubyType(std::string name, const apply::Datum& description, TypeWorker& worker);

  std::string_view name() const override { return name_; }
  std::span<const apply::AttributeInfo> attributes() const override { return attributes_; }
  bool is_isomorphic() const override { return is_isomorphic_; }
  const apply::ProviderKind* default_provider(apply::Context& context) const override;
  bool can_list() const override { return can_list_; }
  std::vector<apply::Instance> instances(apply::Context& context) const override;

  bool reads_attributes() const override { return true; }
  apply::ReadAttributes read(apply::Resource& resource,
                             const apply::ResourceData& data) const override;
  void finish(apply::Resource& resource) const override;
  void check_before_run(apply::Resource& resource) const override;
  std::vector<apply::AutomaticRelation> automatic_relations(
      const apply::Resource& resource) const override;

  apply::CurrentValues retrieve_all(apply::Resource& resource) const override;
  bool is_in_sync(apply::Resource& resource, apply::Attribute& property,
                  const apply::Datum& current) const override;
  void sync(apply::Resource& resource, apply::Attribute& property) const override;
  void flush(apply::Resource& resource) const override;

  std::string change_text(apply::Resource& resource, apply::Attribute& property,
                          const apply::Datum& current, const apply::Datum& desired) const override;
  std::string current_text(apply::Resource& resource, const apply::Attribute& property,
                           const apply::Datum& current) const override;
  std::string desired_text(apply::Resource& resource, const apply::Attribute& property,
                           const apply::Datum& desired) const override;
  std::string event_name(const apply::Resource& resource,
                         const apply::Attribute& property) const override;
  bool invalidates_refreshes(const apply::Resource& resource,
                             const apply::Attribute& property) const override;
  apply::Datum desired(const apply::Resource& resource,
                       const apply::Attribute& property) const override;

  bool can_refresh() const override { return can_refresh_; }
  void refresh(apply::Resource& resource) const override;
  bool refreshes_itself() const override { return refreshes_itself_; }
  std::vector<std::unique_ptr<apply::Resource>> generate(apply::Resource& resource) const override;
  std::vector<std::unique_ptr<apply::Resource>> eval_generate(
      apply::Resource& resource) const override;

  // The number of the resource's object. Makes the object again when its process has been replaced.
  int64_t number_of(apply::Resource& resource) const;
  TypeWorker& worker() const { return worker_; }

 private:
  apply::Datum ask(std::string_view request, const apply::Resource& resource,
                   apply::Datum::List more = {}) const;
  apply::Datum create(apply::Resource& resource, const apply::ResourceData& data) const;
  apply::ReadAttributes read_description(const apply::Datum& answer) const;
  std::vector<std::unique_ptr<apply::Resource>> make_generated(apply::Resource& resource,
                                                               const apply::Datum& answer) const;
  std::string_view keep(std::string text);

  std::string name_;
  TypeWorker& worker_;
  std::deque<std::string> texts_;  // the texts that the attributes point into
  std::vector<apply::AttributeInfo> attributes_;
  bool is_isomorphic_ = true;
  bool can_refresh_ = false;
  bool refreshes_itself_ = false;
  bool generates_ = false;
  bool eval_generates_ = false;
  bool checks_ = false;
  bool relates_ = false;
  bool finishes_ = false;
  bool can_list_ = false;
  mutable const apply::ProviderKind* default_provider_ = nullptr;
};

// Finds native types first, then those of modules, each of which is requested once.
class RubyTypeRegistry final : public apply::TypeRegistry {
 public:
  // Both must outlive it.
  RubyTypeRegistry(const apply::TypeRegistry& native, TypeWorker& worker)
      : native_(native), worker_(worker) {}

  // Throws Failure when a type's code cannot be loaded.
  const apply::ResourceType* find(std::string_view name) const override;

 private:
  bool has_file(std::string_view name) const;
  const apply::ResourceType* native_type(std::string_view name) const;

  const apply::TypeRegistry& native_;
  TypeWorker& worker_;
  mutable std::vector<std::unique_ptr<RubyType>> types_;
  mutable std::vector<std::string> unknown_;
  // The native types that were needed and that may have providers of modules. The type is null
  // where modules have none.
  mutable std::vector<std::pair<std::string, std::unique_ptr<apply::ResourceType>>> extended_;
};

}  // namespace bunraku::ruby_types
