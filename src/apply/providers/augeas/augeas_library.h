// libaugeas, loaded when the first resource needs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bunraku::apply {

// Flags for opening a tree.
inline constexpr unsigned kAugeasTypeCheck = 1U << 2;
inline constexpr unsigned kAugeasNoLoad = 1U << 5;
inline constexpr unsigned kAugeasNoModuleLoad = 1U << 6;

// Returns whether the library can be loaded on this host. Checked again until it can, because a
// package may be installed during a run.
bool has_augeas_library();

// A tree of configuration files. Paths are path expressions of Augeas. Used by one thread.
class AugeasTree {
 public:
  // Throws Failure when the tree cannot be opened.
  AugeasTree(const std::string& root, const std::string& load_path, unsigned flags);
  ~AugeasTree();
  AugeasTree(const AugeasTree&) = delete;
  AugeasTree& operator=(const AugeasTree&) = delete;

  // The value of a node; no value when it has none or does not exist.
  std::optional<std::string> get(const std::string& path) const;
  // Throws Failure for an invalid expression.
  std::vector<std::string> match(const std::string& path) const;

  // Each returns whether it succeeded. A `value` of null removes the node's value.
  bool set(const std::string& path, const char* value);
  bool set_each(const std::string& base, const std::string& below, const char* value);
  bool remove(const std::string& path);
  bool move(const std::string& from, const std::string& to);
  bool rename(const std::string& path, const std::string& label);
  bool insert(const std::string& path, const std::string& label, bool is_before);
  bool define_variable(const std::string& name, const std::string& expression);
  bool define_node(const std::string& name, const std::string& expression,
                   const std::string& value);
  // Reads the files.
  void load();
  // Writes the changed files.
  bool save();

 private:
  void* handle_;
};

}  // namespace bunraku::apply
