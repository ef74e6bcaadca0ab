// Helpers of service providers.
#include "apply/providers/service/service_provider.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <optional>

#include "base/system/file_system.h"

namespace bunraku::apply {

ExecutionResult ask(std::vector<std::string> words) {
  ExecutionRequest request;
  request.words = std::move(words);
  return run_command(request);
}

std::string without_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

namespace {

// Returns whether the service starts in at least four run levels.
bool has_start_links(const std::string& service) {
  const std::string pattern =
      fmt::format("/etc/rc*.d/S??{}", service.substr(0, service.find(".service")));
  glob_t found{};
  const size_t count = glob(pattern.c_str(), 0, nullptr, &found) == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return count >= 4;
}

}  // namespace

std::string debian_enabled(const std::string& service) {
  const std::optional<int> status =
      ask({"/usr/sbin/invoke-rc.d", "--quiet", "--query", service, "start"}).status;
  if (status == 104 || status == 106) return "true";
  if (status == 101 || status == 105) return has_start_links(service) ? "true" : "false";
  return "false";
}

bool is_started_by_systemd() {
  try {
    return read_file("/proc/1/comm").find("systemd") != std::string::npos;
  } catch (const FileError&) {
    return false;
  }
}

bool is_one_of(const std::string& value, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, value) != values.end();
}

std::string init_script(const Resource& resource) {
  const std::string& name = resource.name();
  std::vector<std::string> directories = resource.texts("path");
  if (directories.empty()) directories = {"/etc/init.d"};
  for (const std::string& directory : directories) {
    for (const std::string& path : {directory + "/" + name, directory + "/" + name + ".sh"}) {
      if (bunraku::exists(path)) return path;
    }
  }
  throw Failure(fmt::format("Could not find init script for '{}'", name));
}

}  // namespace bunraku::apply
