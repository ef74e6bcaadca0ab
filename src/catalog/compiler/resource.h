// Resources of a catalog during compilation.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
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
  const Definition* source;  // the code that set it; decides who may override it
  Place place;
  bool is_append = false;     // +>
  bool is_looked_up = false;  // looked up in data, as a parameter of a class
};

// Mostly few, and for a short time.
using ResourceParameterList = boost::container::small_vector<ResourceParameter, 6>;

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
  // Removes the first equal item, if there is one.
  void remove(const T& item) {
    T* found = std::find(begin(), end(), item);
    if (found == end()) return;
    std::move(found + 1, end(), found);
    --size_;
  }
  void clear() { size_ = 0; }

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

// The parameters of a resource in the order of setting, with an index of names.
class ResourceParameters : public ArenaVector<ResourceParameter> {
 public:
  void push(Arena& arena, const ResourceParameter& parameter) {
    ArenaVector::push(arena, parameter);
    index_.extend(arena, size(), [this](size_t i) { return (*this)[i].name; });
  }
  // Returns null when the parameter is not set.
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
  Name type;                        // as shown: File, Apache::Vhost, Class
  Name type_key;                    // down-cased
  std::string_view title;           // as shown: for a class its name with capitals
  std::string_view reference_text;  // of reference(), in the catalog's arena
  ResourceKind kind = ResourceKind::kUnknown;
  const NativeType* native = nullptr;
  Definition* definition = nullptr;
  Scope* scope = nullptr;  // the scope of the declaration
  const Definition* source = nullptr;
  Place place;  // null when no code declared it
  TagSet tags;
  ResourceParameters parameters;
  ArenaVector<Name> sensitive;
  // Containment, in the order of adding.
  ArenaVector<Resource*> containers;
  ArenaVector<Resource*> contained;
  uint32_t number = 0;  // the index in the catalog
  // The reference has symbols as the titles of the main stage and the main class: such a title is
  // not a tag and differs from the name.
  bool is_main = false;
  // The title when create_resources() got one that is not a string (`title` is its text): it is not
  // a tag and differs from the name. undef otherwise.
  Value title_value;
  bool is_virtual = false;
  bool is_exported = false;
  // Made by create_resources() without a mention of exporting: the reference then writes that key
  // last.
  bool is_from_function = false;
  bool is_evaluated = false;
  bool is_evaluation_finished = false;
  bool is_finished = false;
  bool is_overridden = false;  // after its declaration

  // Returns whether the parameter's value was Sensitive. The finished resource has the plain value.
  bool is_sensitive(Name parameter) const {
    return std::find(sensitive.begin(), sensitive.end(), parameter) != sensitive.end();
  }
  bool is_class() const {
    return kind == ResourceKind::kClass || (definition && definition->is_class());
  }
  const ResourceParameter* find(Name name) const;
  ResourceParameter* find(Name name);
  // Returns undef when the parameter is not set.
  Value value_of(Name name) const;
  // Returns whether a value of the namevar equals the title, so that the catalog need not list it.
  bool is_title(Value value) const;
  // The file of the declaration; "unknown" where a function declares the resource in code that
  // comes from no file, as in the reference's stack of calls. Not for resources without a place.
  const std::string& file() const;
  // "File[/etc/motd]"
  std::string reference() const { return std::string(reference_text); }
  // Returns whether the resource or a container in which it is declared has the tag.
  bool has_tag(Name tag) const;
};

// The catalog's data of a scope.
struct CatalogScope {
  struct Default {
    Name type_key;
    ResourceParameter parameter;
  };

  Resource* resource = nullptr;  // null: none (yet)
  Definition* source = nullptr;
  ArenaVector<Default> defaults;  // in the order of setting
};
// Returns the resource whose code the scope belongs to; null when there is none.
const Resource* resource_of(const Scope& scope);

// The key of a resource in the catalog.
struct ResourceName {
  Name type_key;           // down-cased
  std::string_view title;  // as shown
};

// Returns the type by which the catalog finds a resource: as in the reference, component is a
// class.
Name catalog_type_key(Name type_key);
// Returns the title of a class: its name with capitals. A class that is called component cannot be
// found by it.
std::string class_title(std::string_view name);

// Returns whether the type's first pattern matches and captures the whole title. May return false
// when only the pattern could tell.
bool captures_whole_title(const NativeType& type, std::string_view title);
// Determines the attribute values from the title: a pair for each capture of the first pattern that
// matches. Returns false when none does.
bool parse_title(const Resource& resource, std::vector<TitlePart>& parts);

}  // namespace bunraku
