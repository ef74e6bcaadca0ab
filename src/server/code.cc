// Generations of the environments' code.
#include "server/code.h"

#include <algorithm>

#include "base/system/file_system.h"
#include "site/settings/repository.h"

namespace bunraku::server {
namespace {

// Changes are noticed after this time at most. A check reads the stamps of all files of an
// environment.
constexpr std::chrono::milliseconds kLookInterval{500};

std::shared_ptr<compilation::Service> make_service(
    Settings settings, std::shared_ptr<compilation::StoredNodes> store) {
  compilation::Inputs inputs;
  inputs.store = std::move(store);
  return std::make_shared<compilation::Service>(std::move(settings), std::move(inputs),
                                                compilation::Sources{},
                                                compilation::Refresh::kByTimeout, kLookInterval);
}

}  // namespace

Code::Code(Settings settings, std::shared_ptr<compilation::StoredNodes> store)
    : store_(std::move(store)), service_(make_service(std::move(settings), store_)) {}

std::shared_ptr<compilation::Service> Code::current() const {
  const std::scoped_lock lock(mutex_);
  return service_;
}

void Code::set_settings(Settings settings) {
  std::shared_ptr<compilation::Service> next = make_service(std::move(settings), store_);
  const std::scoped_lock lock(mutex_);
  service_.swap(next);
}

void Code::flush(const std::string& environment) {
  const std::shared_ptr<compilation::Service> service = current();
  environment.empty() ? service->flush_all() : service->flush(environment);
}

bool Code::has_environment(const std::string& name) const {
  if (!is_environment_name(name)) return false;
  return std::ranges::any_of(
      current()->settings().list("environmentpath"),
      [&](const std::string& directory) { return is_directory(join_path(directory, name)); });
}

std::vector<std::pair<std::string, std::string>> Code::environments() const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const std::string& directory : current()->settings().list("environmentpath")) {
    if (!is_directory(directory)) continue;
    for (const DirectoryEntry& entry : list_directory(directory)) {
      const bool is_known =
          std::ranges::any_of(found, [&](const auto& other) { return other.first == entry.name; });
      if (entry.is_directory && is_environment_name(entry.name) && !is_known) {
        found.emplace_back(entry.name, join_path(directory, entry.name));
      }
    }
  }
  return found;
}

}  // namespace bunraku::server
