// Functions of libaugeas, loaded at run time: the program neither links nor requires the library.
#include "apply/providers/augeas/augeas_library.h"

#include <fmt/format.h>

#include "apply/transaction/failure.h"
#include "base/system/lazy_library.h"

namespace bunraku::apply {
namespace {

struct Functions {
  void* (*init)(const char* root, const char* load_path, unsigned flags);
  void (*close)(void* tree);
  int (*get)(const void* tree, const char* path, const char** value);
  int (*set)(void* tree, const char* path, const char* value);
  int (*setm)(void* tree, const char* base, const char* below, const char* value);
  int (*rm)(void* tree, const char* path);
  int (*mv)(void* tree, const char* from, const char* to);
  int (*rename)(void* tree, const char* path, const char* label);
  int (*insert)(void* tree, const char* path, const char* label, int is_before);
  int (*defvar)(void* tree, const char* name, const char* expression);
  int (*defnode)(void* tree, const char* name, const char* expression, const char* value,
                 int* is_created);
  int (*match)(const void* tree, const char* path, char*** matches);
  int (*load)(void* tree);
  int (*save)(void* tree);
  void (*free)(void* memory);

  Functions() {
    // A separate scope, because Oniguruma defines functions whose names Augeas expects from the C
    // library.
    const LazyLibrary library("libaugeas.so.0", "Augeas", LibraryScope::kSeparate);
    library.find("aug_init", init);
    library.find("aug_close", close);
    library.find("aug_get", get);
    library.find("aug_set", set);
    library.find("aug_setm", setm);
    library.find("aug_rm", rm);
    library.find("aug_mv", mv);
    library.find("aug_rename", rename);
    library.find("aug_insert", insert);
    library.find("aug_defvar", defvar);
    library.find("aug_defnode", defnode);
    library.find("aug_match", match);
    library.find("aug_load", load);
    library.find("aug_save", save);
    library.find("free", free);
  }
};

// Throws LibraryError; the next call tries again.
const Functions& functions() {
  static const Functions found;
  return found;
}

}  // namespace

bool has_augeas_library() {
  try {
    functions();
    return true;
  } catch (const LibraryError&) {
    return false;
  }
}

AugeasTree::AugeasTree(const std::string& root, const std::string& load_path, unsigned flags) {
  constexpr size_t kNeeded = 64 << 20;
  expect_memory(kNeeded);
  try {
    handle_ = functions().init(root.c_str(), load_path.c_str(), flags);
  } catch (const LibraryError& error) {
    throw Failure(error.what());
  }
  if (handle_ == nullptr) throw Failure("Failed to initialize Augeas");
}

AugeasTree::~AugeasTree() {
  functions().close(handle_);
}

std::optional<std::string> AugeasTree::get(const std::string& path) const {
  const char* value = nullptr;
  functions().get(handle_, path.c_str(), &value);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> AugeasTree::match(const std::string& path) const {
  char** matches = nullptr;
  const int count = functions().match(handle_, path.c_str(), &matches);
  if (count < 0) {
    throw Failure(fmt::format("unknown error - Matching path expression '{}' failed", path));
  }
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    paths.emplace_back(matches[i]);
    functions().free(matches[i]);
  }
  functions().free(static_cast<void*>(matches));
  return paths;
}

bool AugeasTree::set(const std::string& path, const char* value) {
  return functions().set(handle_, path.c_str(), value) >= 0;
}

bool AugeasTree::set_each(const std::string& base, const std::string& below, const char* value) {
  return functions().setm(handle_, base.c_str(), below.c_str(), value) >= 0;
}

bool AugeasTree::remove(const std::string& path) {
  return functions().rm(handle_, path.c_str()) >= 0;
}

bool AugeasTree::move(const std::string& from, const std::string& to) {
  return functions().mv(handle_, from.c_str(), to.c_str()) >= 0;
}

bool AugeasTree::rename(const std::string& path, const std::string& label) {
  return functions().rename(handle_, path.c_str(), label.c_str()) >= 0;
}

bool AugeasTree::insert(const std::string& path, const std::string& label, bool is_before) {
  return functions().insert(handle_, path.c_str(), label.c_str(), is_before ? 1 : 0) >= 0;
}

bool AugeasTree::define_variable(const std::string& name, const std::string& expression) {
  return functions().defvar(handle_, name.c_str(), expression.c_str()) >= 0;
}

bool AugeasTree::define_node(const std::string& name, const std::string& expression,
                             const std::string& value) {
  return functions().defnode(handle_, name.c_str(), expression.c_str(), value.c_str(), nullptr) >=
         0;
}

void AugeasTree::load() {
  functions().load(handle_);
}

bool AugeasTree::save() {
  return functions().save(handle_) >= 0;
}

}  // namespace bunraku::apply
