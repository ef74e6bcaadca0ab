#include "ruby/types/native_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"

namespace bunraku::ruby_types {

using apply::Datum;

const Datum& part(const Datum& hash, std::string_view key) {
  static const Datum kNull{};
  const Datum* found = hash.find(key);
  return found == nullptr ? kNull : *found;
}

// --- objects of resources -----------------------------------------------------------------------

int64_t ResourceObject::number() {
  if (number_ < 0 || generation_ != worker_.generation()) {
    number_ = worker_
                  .call("native_make",
                        {Datum::string(resource_.type().name()), Datum::string(kind_),
                         Datum::string(resource_.title())},
                        &resource_.catalog())
                  .integer_value();
    generation_ = worker_.generation();
  }
  return number_;
}

Datum ResourceObject::ask(std::string_view request, Datum::List arguments) {
  arguments.insert(arguments.begin(), Datum::integer(number()));
  return worker_.call(request, std::move(arguments), &resource_.catalog());
}

Datum ResourceObject::call(std::string_view method) {
  return ask("native_call", {Datum::string(method)});
}

// --- kinds --------------------------------------------------------------------------------------

std::vector<ProviderFile> provider_files(const TypeWorker& worker, std::string_view type) {
  std::vector<std::string> directories;
  for (const std::string& module : worker.options().modules) directories.push_back(module + "/lib");
  const std::vector<std::string>& libraries = worker.options().libraries;
  directories.insert(directories.end(), libraries.begin(), libraries.end());
  std::vector<ProviderFile> files;
  for (const std::string& directory : directories) {
    const std::string path = join_path(directory, fmt::format("puppet/provider/{}", type));
    if (!is_directory(path)) continue;
    for (const DirectoryEntry& entry : list_directory(path)) {
      constexpr std::string_view kSuffix = ".rb";
      const std::string file = join_path(path, entry.name);
      if (!entry.name.ends_with(kSuffix) || !is_file(file)) continue;
      std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
      if (std::ranges::find(files, name, &ProviderFile::name) != files.end()) continue;
      files.push_back({std::move(name), read_file(file).find("defaultfor") != std::string::npos});
    }
  }
  return files;
}

// The answer is kept once it is true, for the rest of the run. Resources of other providers can be
// listed where this one cannot be asked.
bool RubyNativeKind::is_suitable(const apply::Host&) const {
  if (is_suitable_) return true;
  try {
    is_suitable_ =
        worker_.call("suitable", {Datum::string(type_), Datum::string(file_.name)}).is_true();
  } catch (const apply::Failure& failure) {
    worker_.log().log(LogLevel::kWarning, fmt::format("The {} provider {} cannot be used: {}",
                                                      type_, file_.name, failure.message()));
  }
  return is_suitable_;
}

void RubyNativeKind::finish_run() const {
  if (!description().finishes) return;
  worker_.call("finish_run", {Datum::string(type_), Datum::string(file_.name)});
}

void RubyNativeKind::prefetch_objects(const apply::Resource& first, Datum::List numbers) const {
  worker_.call("prefetch",
               {Datum::string(type_), Datum::string(file_.name), Datum::array(std::move(numbers))},
               &first.catalog());
}

const RubyNativeKind::Description& RubyNativeKind::description() const {
  if (!description_) {
    const Datum answer =
        worker_.call("native_provider", {Datum::string(type_), Datum::string(file_.name)});
    description_ =
        Description{part(answer, "features").to_text(), part(answer, "prefetches").is_true(),
                    part(answer, "finishes").is_true(), part(answer, "default").is_true(),
                    static_cast<int>(part(answer, "specificity").integer_value())};
  }
  return *description_;
}

}  // namespace bunraku::ruby_types
