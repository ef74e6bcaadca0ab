#include "catalog/compiler/collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "types/ruby_value_text.h"
#include "types/type_text.h"

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
  return std::ranges::any_of(items, [&](Value item) { return equal(item, query.value); });
}

std::string text_of(const Query& query) {
  const auto operands = [&](std::string_view word) {
    return fmt::format("({} {} {})", text_of(*query.left), word, text_of(*query.right));
  };
  switch (query.kind) {
    case Query::Kind::kAnd:
      return operands("and");
    case Query::Kind::kOr:
      return operands("or");
    case Query::Kind::kEqual:
    case Query::Kind::kNotEqual:
      return fmt::format(
          "{} {} {}", query.attribute.text(),
          query.kind == Query::Kind::kEqual ? "==" : "!=", ruby_inspect(query.value));
    case Query::Kind::kTag: {
      std::vector<std::string> tags;
      for (const Name tag : query.tags) tags.push_back(fmt::format("tag == '{}'", tag.text()));
      return fmt::format("{}", fmt::join(tags, " or "));
    }
  }
  return {};
}

}  // namespace

std::string query_text(const Collector& collector) {
  if (collector.kind == Collector::Kind::kFixedSet) {
    std::vector<std::string> wanted;
    for (const Collector::Reference& reference : collector.wanted) wanted.push_back(reference.text);
    return fmt::format("realize({})", fmt::join(wanted, ", "));
  }
  const bool is_exported = collector.kind == Collector::Kind::kExported;
  const std::string query = collector.query == nullptr ? "" : text_of(*collector.query) + " ";
  return fmt::format("{} {} {}{}", capitalized_segments(collector.type_key.text()),
                     is_exported ? "<<|" : "<|", query, is_exported ? "|>>" : "|>");
}

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
      return std::ranges::any_of(query.tags, [&](Name tag) { return resource.has_tag(tag); });
  }
  return false;
}

}  // namespace bunraku
