// Looks up clients in lists.
#include "store/http/access.h"

#include <algorithm>

namespace bunraku::store {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  if (name.empty()) return false;
  return std::ranges::any_of(
      names, [&](const std::string& known) { return known == "*" || known == name; });
}

}  // namespace

Access Access::all() {
  Access access;
  access.may_ask = access.may_administer = access.may_store_all = true;
  return access;
}

Access AccessLists::of(const std::string& name) const {
  Access access;
  access.name = name;
  access.may_ask = has(queries, name);
  access.may_store_all = has(commands, name);
  access.may_administer = has(administration, name);
  return access;
}

}  // namespace bunraku::store
