// Records which facts a compilation reads, as paths. Reading a variable reads its whole value,
// unless the reader names the part.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "evaluation/scope.h"

namespace bunraku {

class FactReads {
 public:
  // `facts` is the node's hash; `top` is the scope that has each fact as a variable.
  FactReads(Value facts, const Scope& top);

  // Keys from the top, each followed by kEnd: "os\x1ffamily\x1f". An empty path means all facts.
  const std::set<std::string>& paths() const { return paths_; }
  static constexpr char kEnd = '\x1f';

  // --- for readers ---

  // Records a search of the variable, with its result `found` (null: none); all of it counts as
  // read.
  void variable(Name name, const Value* found);
  // Records that a value, which may be of the facts, was used as a whole.
  void whole(Value value);
  // Records a read of the part of `value` that the segments lead to.
  void part(Value value, std::span<const Value> segments);
  // Records that the result depends on the absence of a fact of that name.
  void absent(std::string_view name);
  bool is_of_facts(Value value) const;

  // The object for the compilation on this thread; null when reads are not observed.
  static FactReads* current() { return current_; }

 private:
  static constinit inline thread_local FactReads* current_ = nullptr;

  friend class ObservedFacts;
  friend class PartialFactRead;
  void add_hashes(const HashObject& hash, const std::string& path);
  bool is_top_variable(const Value* found) const;

  const HashObject* facts_;
  const Scope& top_;
  std::unordered_map<const HashObject*, std::string> hashes_;
  std::set<std::string> paths_;
  bool is_partial_ = false;
};

// Sets the current object of this thread during its lifetime.
class ObservedFacts {
 public:
  explicit ObservedFacts(FactReads* reads);
  ~ObservedFacts();
  ObservedFacts(const ObservedFacts&) = delete;
  ObservedFacts& operator=(const ObservedFacts&) = delete;

 private:
  FactReads* outer_;
};

// During its lifetime, a hash of facts in a variable does not count as read: the code that created
// this reports the part. An inner one with `is_partial` false reverts that.
class PartialFactRead {
 public:
  explicit PartialFactRead(bool is_partial = true);
  ~PartialFactRead();
  PartialFactRead(const PartialFactRead&) = delete;
  PartialFactRead& operator=(const PartialFactRead&) = delete;

 private:
  FactReads* reads_;
  bool was_partial_ = false;
};

// Returns the value at a path of paths(); null when there is none.
const Value* find_fact(Value facts, std::string_view path);

}  // namespace bunraku
