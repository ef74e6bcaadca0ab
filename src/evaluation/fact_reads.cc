#include "evaluation/fact_reads.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

std::string_view without_colons(std::string_view name) {
  return name.starts_with("::") ? name.substr(2) : name;
}

}  // namespace

FactReads::FactReads(Value facts, const Scope& top)
    : facts_(facts.is_hash() ? &facts.as_hash() : nullptr), top_(top) {
  if (facts_ != nullptr) add_hashes(*facts_, {});
}

void FactReads::add_hashes(const HashObject& hash, const std::string& path) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (!hashes_.try_emplace(&hash, path).second) return;
  for (const HashEntry& entry : hash) {
    if (!entry.key.is_string() || !entry.value.is_hash()) continue;
    add_hashes(entry.value.as_hash(), path + std::string(entry.key.as_string()) + kEnd);
  }
}

bool FactReads::is_of_facts(Value value) const {
  return value.is_hash() && hashes_.contains(&value.as_hash());
}

// Facts are variables of the top scope; those of other scopes have their own values.
bool FactReads::is_top_variable(const Value* found) const {
  const auto bindings = top_.variables().bindings();
  const auto* bytes = reinterpret_cast<const char*>(found);
  return bytes >= reinterpret_cast<const char*>(bindings.data()) &&
         bytes < reinterpret_cast<const char*>(bindings.data() + bindings.size());
}

void FactReads::variable(Name name, const Value* found) {
  const std::string_view text = without_colons(name.text());
  // The trusted data have the same name of the node as this fact.
  if (text == "trusted") absent("clientcert");
  if (found == nullptr) return absent(text);
  if (is_of_facts(*found)) {
    if (!is_partial_) whole(*found);
    return;
  }
  if (facts_ != nullptr && is_top_variable(found) && facts_->find(text) != nullptr) {
    paths_.insert(std::string(text) + kEnd);
  }
}

void FactReads::absent(std::string_view name) {
  // Facts have no qualified names.
  if (name.find("::") == std::string_view::npos) paths_.insert(std::string(name) + kEnd);
}

void FactReads::whole(Value value) {
  if (!value.is_hash()) return;
  const auto found = hashes_.find(&value.as_hash());
  if (found != hashes_.end()) paths_.insert(found->second);
}

void FactReads::part(Value value, std::span<const Value> segments) {
  if (!value.is_hash()) return;
  const auto found = hashes_.find(&value.as_hash());
  if (found == hashes_.end()) return;
  std::string path = found->second;
  bool is_at_end = true;
  for (const Value segment : segments) {
    if (!is_of_facts(value)) break;
    // A path has only strings as segments; at any other one, the value so far counts as read.
    is_at_end = segment.is_string();
    if (!is_at_end) break;
    path.append(segment.as_string()).push_back(kEnd);
    const Value* next = value.as_hash().find(segment);
    value = next == nullptr ? Value() : *next;
  }
  // A hash from a partial read is reported by the code that reads the part.
  if (is_partial_ && is_at_end && is_of_facts(value)) return;
  paths_.insert(std::move(path));
}

ObservedFacts::ObservedFacts(FactReads* inner) : outer_(FactReads::current_) {
  FactReads::current_ = inner;
}
ObservedFacts::~ObservedFacts() {
  FactReads::current_ = outer_;
}

PartialFactRead::PartialFactRead(bool is_partial) : reads_(FactReads::current()) {
  if (reads_ == nullptr) return;
  was_partial_ = reads_->is_partial_;
  reads_->is_partial_ = is_partial;
}
PartialFactRead::~PartialFactRead() {
  if (reads_ != nullptr) reads_->is_partial_ = was_partial_;
}

const Value* find_fact(Value facts, std::string_view path) {
  const Value* at = nullptr;
  for (Value within = facts; !path.empty(); within = *at) {
    const size_t end = path.find(FactReads::kEnd);
    at = within.is_hash() ? within.as_hash().find(path.substr(0, end)) : nullptr;
    if (at == nullptr) return nullptr;
    path.remove_prefix(end + 1);
  }
  return at;
}

}  // namespace bunraku
