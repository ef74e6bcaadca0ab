// Which facts a compilation reads, by their paths. Reading a variable reads all that it holds,
// unless the reader says which part of it is wanted.
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
  // `facts` is the node's hash; `top` the scope that has each fact as a variable.
  FactReads(Value facts, const Scope& top);

  // Keys from the top, each followed by kEnd: "os\x1ffamily\x1f". Empty: all facts.
  const std::set<std::string>& paths() const { return paths_; }
  static constexpr char kEnd = '\x1f';

  // --- for those who read ---

  // The variable was looked for and `found` (null: not at all); all of it counts as read.
  void variable(Name name, const Value* found);
  // A value that may be of the facts was used as a whole.
  void whole(Value value);
  // The part of `value` that the segments lead to was read.
  void part(Value value, std::span<const Value> segments);
  // Nothing of that name may appear among the facts.
  void absent(std::string_view name);
  bool is_of_facts(Value value) const;

  // That of the compilation on this thread; null when there is no observer.
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

// Makes it that of this thread while it stands.
class ObservedFacts {
 public:
  explicit ObservedFacts(FactReads* reads);
  ~ObservedFacts();
  ObservedFacts(const ObservedFacts&) = delete;
  ObservedFacts& operator=(const ObservedFacts&) = delete;

 private:
  FactReads* outer_;
};

// While it stands, a hash of the facts that a variable holds does not count as read: the code that
// made this says which part of it is. Inside, `is_partial` false takes that back.
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

// What a path of paths() leads to; null when nothing is there.
const Value* find_fact(Value facts, std::string_view path);

}  // namespace bunraku
