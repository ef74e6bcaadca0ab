#include "catalog/collector.h"

#include <algorithm>

namespace bunraku {
namespace {

Value attribute_of(const Resource& resource, Name attribute) {
  static const Name kTitle("title");
  return attribute == kTitle ? Value::string(resource.title) : resource.value_of(attribute);
}

bool equals_attribute(const Query& query, const Resource& resource) {
  const Value actual = attribute_of(resource, query.attribute);
  if (!actual.is_array()) return equal(actual, query.value);
  const std::span<const Value> items = actual.as_array();
  return std::any_of(items.begin(), items.end(),
                     [&](Value item) { return equal(item, query.value); });
}

}  // namespace

bool matches(const Query& query, const Resource& resource) {
  switch (query.kind) {
    case Query::Kind::kAnd:
      return matches(*query.left, resource) && matches(*query.right, resource);
    case Query::Kind::kOr:
      return matches(*query.left, resource) || matches(*query.right, resource);
    case Query::Kind::kEqual:
      return equals_attribute(query, resource);
    case Query::Kind::kNotEqual:
      return !equal(attribute_of(resource, query.attribute), query.value);
    case Query::Kind::kTag:
      return std::any_of(query.tags.begin(), query.tags.end(),
                         [&](Name tag) { return resource.has_tag(tag); });
  }
  return false;
}

}  // namespace bunraku
