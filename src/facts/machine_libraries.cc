// Data from system libraries: block devices (libblkid) and the version of Augeas.
#include <blkid/blkid.h>

#include <cstdlib>
#include <memory>

#include "base/system/lazy_library.h"
#include "facts/machine.h"

namespace bunraku::facts {
namespace {

std::string tag_of(blkid_cache cache, const char* tag, const char* device) {
  const std::unique_ptr<char, void (*)(void*)> value(blkid_get_tag_value(cache, tag, device),
                                                     std::free);
  return value == nullptr ? std::string() : value.get();
}

// The functions of libaugeas that return its version.
class AugeasLibrary {
 public:
  // Throws LibraryError when the library is not installed.
  AugeasLibrary() {
    // In a separate scope, because Oniguruma defines functions with names that Augeas imports from
    // the C library.
    const LazyLibrary library("libaugeas.so.0", "Augeas", LibraryScope::kSeparate);
    library.find("aug_init", open_);
    library.find("aug_get", get_);
    library.find("aug_close", close_);
  }

  std::string version() const {
    constexpr unsigned int kNoLoad = 1U << 5;
    constexpr unsigned int kNoModuleAutoload = 1U << 6;
    constexpr size_t kNeeded = 32 << 20;
    expect_memory(kNeeded);
    const std::unique_ptr<void, void (*)(void*)> augeas(
        open_(nullptr, nullptr, kNoLoad | kNoModuleAutoload), close_);
    const char* value = nullptr;
    if (augeas == nullptr || get_(augeas.get(), "/augeas/version", &value) != 1) return {};
    return value == nullptr ? std::string() : value;
  }

 private:
  void* (*open_)(const char* root, const char* load_path, unsigned int flags) = nullptr;
  int (*get_)(const void* tree, const char* path, const char** value) = nullptr;
  void (*close_)(void* tree) = nullptr;
};

}  // namespace

std::map<std::string, BlockContents> Machine::block_contents() const {
  std::map<std::string, BlockContents> contents;
  blkid_cache cache = nullptr;
  // /dev/null as the cache file, because libblkid would write a real one at the end.
  if (blkid_get_cache(&cache, "/dev/null") != 0) return contents;
  blkid_probe_all(cache);
  const blkid_dev_iterate iterator = blkid_dev_iterate_begin(cache);
  blkid_dev device = nullptr;
  while (blkid_dev_next(iterator, &device) == 0) {
    const char* name = blkid_dev_devname(device);
    contents[name] = {tag_of(cache, "TYPE", name), tag_of(cache, "UUID", name),
                      tag_of(cache, "LABEL", name), tag_of(cache, "PARTUUID", name),
                      tag_of(cache, "PARTLABEL", name)};
  }
  blkid_dev_iterate_end(iterator);
  blkid_put_cache(cache);
  return contents;
}

std::string Machine::augeas_version() const {
  try {
    static const AugeasLibrary library;
    return library.version();
  } catch (const LibraryError&) {
    return {};
  }
}

}  // namespace bunraku::facts
