// What libraries of the system know: block devices (libblkid) and the version of Augeas.
#include <blkid/blkid.h>
#include <dlfcn.h>

#include <cstdlib>
#include <memory>

#include "facts/machine.h"

namespace bunraku::facts {
namespace {

std::string tag_of(blkid_cache cache, const char* tag, const char* device) {
  const std::unique_ptr<char, void (*)(void*)> value(blkid_get_tag_value(cache, tag, device),
                                                     std::free);
  return value == nullptr ? std::string() : value.get();
}

// The part of libaugeas that answers for its version. The library is loaded when it is there.
class AugeasLibrary {
 public:
  AugeasLibrary() : library_(dlopen("libaugeas.so.0", RTLD_LAZY | RTLD_LOCAL)) {}
  // It stays loaded: it has libraries of its own that do not like to be unloaded.
  ~AugeasLibrary() = default;
  AugeasLibrary(const AugeasLibrary&) = delete;
  AugeasLibrary& operator=(const AugeasLibrary&) = delete;

  std::string version() const {
    if (library_ == nullptr) return {};
    const auto open = function<void* (*)(const char*, const char*, unsigned int)>("aug_init");
    const auto get = function<int (*)(const void*, const char*, const char**)>("aug_get");
    const auto close = function<void (*)(void*)>("aug_close");
    if (open == nullptr || get == nullptr || close == nullptr) return {};
    constexpr unsigned int kNoLoad = 1U << 5;
    constexpr unsigned int kNoModuleAutoload = 1U << 6;
    const std::unique_ptr<void, void (*)(void*)> augeas(
        open(nullptr, nullptr, kNoLoad | kNoModuleAutoload), close);
    const char* value = nullptr;
    if (augeas == nullptr || get(augeas.get(), "/augeas/version", &value) != 1) return {};
    return value == nullptr ? std::string() : value;
  }

 private:
  template <typename Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_;
};

}  // namespace

std::map<std::string, BlockContents> Machine::block_contents() const {
  std::map<std::string, BlockContents> contents;
  blkid_cache cache = nullptr;
  // No file for what was found: it would be written at the end.
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
  return AugeasLibrary().version();
}

}  // namespace bunraku::facts
