// Resources of a catalog, as a compilation builds them.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/name_index.h"
#include "catalog/compiler/definition.h"
#include "catalog/compiler/tag_set.h"
#include "evaluation/function.h"
#include "resource_types/native_type.h"
#include "values/value.h"

namespace bunraku {

class Scope;

struct ResourceParameter {
  Name name;
  Value value;
  const Definition* source;  // who set it; decides who may override it
  Place place;
  bool is_append = false;     // +>
  bool is_looked_up = false;  // in the data, as a parameter of a class
};

// A growing array in an arena.
template <typename T>
class ArenaVector {
 public:
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t at) { return items_[at]; }
  const T& operator[](size_t at) const { return items_[at]; }
  T& push(Arena& arena, const T& item) {
    if (size_ == capacity_) grow(arena);
    return *::new (&items_[size_++]) T(item);
  }

 private:
  void grow(Arena& arena) {
    capacity_ = capacity_ == 0 ? 4 : capacity_ * 2;
    T* items = arena.make_array<T>(capacity_);
    std::uninitialized_copy(begin(), end(), items);
    items_ = items;
  }

  T* items_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

// The parameters of a resource in the order of setting, found by their names.
class ResourceParameters : public ArenaVector<ResourceParameter> {
 public:
  void push(Arena& arena, const ResourceParameter& parameter) {
    ArenaVector::push(arena, parameter);
    index_.extend(arena, size(), [this](size_t i) { return (*this)[i].name; });
  }
  // Null when there is none.
  const ResourceParameter* find(Name name) const {
    const size_t at = index_.find(name, size(), [this](size_t i) { return (*this)[i].name; });
    return at == NameIndex::kNowhere ? nullptr : &(*this)[at];
  }

 private:
  NameIndex index_;
};

enum class ResourceKind : uint8_t { kUnknown, kClass, kDefinedType, kCompilableType };
std::string_view name_of(ResourceKind kind);

struct Resource {
  Name type;               // as it is shown: File, Apache::Vhost, Class
  Name type_key;           // down-cased
  std::string_view title;  // as it is shown: of a class its name with capitals
  ResourceKind kind = ResourceKind::kUnknown;
  const NativeType* native = nullptr;
  Definition* definition = nullptr;
  Scope* scope = nullptr;  // where it was declared
  const Definition* source = nullptr;
  Place place;  // null when no source declared it
  TagSet tags;
  ResourceParameters parameters;
  ArenaVector<Name> sensitive;
  // Containment, in the order of adding.
  ArenaVector<Resource*> containers;
  ArenaVector<Resource*> contained;
  uint32_t number = 0;  // in the catalog
  // The main stage and the main class are known by a symbol in the reference, so that their title
  // is no tag and differs from the name.
  bool is_main = false;
  // What `title` is the text of where create_resources() was given no text: it is then no tag, and
  // differs from the name. undef otherwise.
  Value title_value;
  bool is_virtual = false;
  bool is_exported = false;
  // Made by create_resources(), which says nothing of exporting: the reference then writes that key
  // last.
  bool is_from_function = false;
  bool is_evaluated = false;
  bool is_evaluation_finished = false;
  bool is_finished = false;
  bool is_overridden = false;  // after it was declared

  // Was the parameter's value Sensitive? It is kept without that once the resource is finished.
  bool is_sensitive(Name parameter) const {
    return std::find(sensitive.begin(), sensitive.end(), parameter) != sensitive.end();
  }
  bool is_class() const {
    return kind == ResourceKind::kClass || (definition && definition->is_class());
  }
  const ResourceParameter* find(Name name) const;
  ResourceParameter* find(Name name);
  // undef when it is not set.
  Value value_of(Name name) const;
  // Is a value of the namevar the title itself, so that the catalog need not list it?
  bool is_title(Value value) const;
  // "File[/etc/motd]"
  std::string reference() const;
  void append_reference(std::string& to) const;
  // Tagged itself, or by one of the containers that it is declared in?
  bool has_tag(Name tag) const;
};

// What the catalog keeps for a scope.
struct CatalogScope {
  struct Default {
    Name type_key;
    ResourceParameter parameter;
  };

  Resource* resource = nullptr;  // null: none (yet)
  Definition* source = nullptr;
  ArenaVector<Default> defaults;  // in the order of setting
};
// The resource whose code the scope is; null when there is none.
const Resource* resource_of(const Scope& scope);

// How a resource is found in the catalog.
struct ResourceName {
  Name type_key;           // down-cased
  std::string_view title;  // as it is shown
};

// The type under which a resource stands in the catalog: the reference takes a component for a
// class.
Name catalog_type_key(Name type_key);
// The title of a class: its name with capitals. One that is called component can not be found by
// it.
std::string class_title(std::string_view name);

// Does the first pattern of the type match, and capture the title as it is? False also where it
// takes the pattern to know.
bool captures_whole_title(const NativeType& type, std::string_view title);
// Values that the title gives to attributes: a pair for each capture of the first pattern that
// matches. Nothing when no pattern does.
bool parse_title(const Resource& resource, std::vector<TitlePart>& parts);

}  // namespace bunraku
