// A catalog: resources by reference, their containment, classes and tags.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "catalog/compiler/resource.h"

namespace bunraku {

class Catalog {
 public:
  explicit Catalog(Arena& arena) : arena_(arena) {}
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  Arena& arena() { return arena_; }
  const std::vector<Resource*>& resources() const { return resources_; }
  const std::vector<std::string_view>& classes() const { return classes_; }
  const TagSet& tags() const { return tags_; }

  // Throws EvaluationError when a resource of the same type and title exists, or when an alias or
  // the key of the managed object collides with another.
  void add(Resource& resource);
  // Removes a resource that was added, with its aliases and its containment. Later resources get
  // other numbers.
  void remove(Resource& resource);
  bool contains(const Resource& resource) const {
    return resource.number < resources_.size() && resources_[resource.number] == &resource;
  }
  // Repeats the checks of add() for all but virtual resources, with the aliases they have now. Such
  // aliases are still not used by find().
  void check_aliases();
  // Finds a resource by title, alias, or normalized title (File['/tmp/'] finds File['/tmp']).
  // Returns null when there is none. `type_key` is down-cased; for a class, `title` has any case.
  Resource* find(Name type_key, std::string_view title) const;
  Resource* find_class(Name name) const;

  // Adds a containment. A container that has been removed is ignored.
  void add_containment(Resource& container, Resource& resource);
  bool is_contained(const Resource& container, const Resource& resource) const;

  void add_class(std::string_view name);
  void merge_tags(const TagSet& tags) { tags_.merge(arena_, tags); }

 private:
  // Stores its hash, so that growing the index does not read the titles again.
  struct Key {
    Key(Name type, std::string_view text);
    bool operator==(const Key&) const = default;

    uint64_t hash;
    Name type_key;
    std::string_view title;
  };
  struct KeyHash {
    using is_avalanching = void;
    size_t operator()(const Key& key) const { return key.hash; }
  };

  void add_to_index(Resource& resource);
  void add_aliases(Resource& resource);
  // Returns the other resource that already has the key, if any.
  const Resource* add_alias(Resource& resource, std::string_view key);
  [[noreturn]] static void fail_alias(const Resource& resource, const Resource& first,
                                      std::string_view shown_key, std::string_view shown_reference);
  Resource* find_exact(Name type_key, std::string_view title) const;

  Arena& arena_;
  std::vector<Resource*> resources_;
  std::vector<std::string_view> classes_;
  TagSet tags_;
  boost::unordered_flat_map<Key, Resource*, KeyHash> index_;
};

// "(file: /x/site.pp, line: 3)"; empty when there is no place.
std::string location_text(const Place& place);
// The same for the place of the declaration, with the file that the catalog has.
std::string location_text(const Resource& resource);

}  // namespace bunraku
