#include "values/flattened.h"

#include <algorithm>

#include "base/memory/arena.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

void flatten_into(ArrayBuilder& flat, std::span<const Value> items, Nesting& nesting) {
  const NestingGuard guard(nesting, "An array");
  for (const Value item : items) {
    if (item.is_array()) {
      flatten_into(flat, item.as_array(), nesting);
    } else {
      flat.push(item);
    }
  }
}

}  // namespace

std::span<const Value> flattened(Arena& arena, std::span<const Value> items) {
  if (std::ranges::none_of(items, [](Value item) { return item.is_array(); })) {
    return items;
  }
  ArrayBuilder flat(arena);
  Nesting nesting;
  flatten_into(flat, items, nesting);
  return flat.finish().as_array();
}

}  // namespace bunraku
