// The provider systemd with a program in place of systemctl.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "apply/providers/registry.h"
#include "apply/providers/service/service_provider.h"
#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"
#include "no_log.h"

namespace bunraku::apply {
namespace {

class NoSources : public FileSources {
 public:
  std::optional<SourceMetadata> find(const std::string&, const SourceQuery&) override { return {}; }
  std::optional<std::vector<SourceMetadata>> list(const std::string&, const SourceQuery&) override {
    return {};
  }
  void read(const SourceMetadata&, const std::function<void(std::string_view)>&) override {}
};

// A directory on the PATH with a systemctl that prints `state` and fails as systemctl does for it.
class Systemctl {
 public:
  explicit Systemctl(const std::string& state, int status) : path_(std::getenv("PATH")) {
    directory_ = (std::filesystem::temp_directory_path() / "systemctl-XXXXXX").string();
    REQUIRE(mkdtemp(directory_.data()) != nullptr);
    const std::string program = directory_ + "/systemctl";
    write_file(program, "#!/bin/sh\necho " + state + "\nexit " + std::to_string(status) + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", (directory_ + ":" + path_).c_str(), 1);
  }
  ~Systemctl() {
    setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(directory_);
  }

 private:
  std::string path_, directory_;
};

// Whether `enable => true` is in sync for a unit in the state, and what its provider decides
// itself.
std::pair<bool, std::optional<bool>> enabled_in(const std::string& state, int status) {
  const Systemctl systemctl(state, status);
  NoLog sink;
  RunLog log(sink);
  NoSources sources;
  const RunOptions options;
  const std::unique_ptr<Host> host =
      make_host([](std::string_view name) { return name == "os.family" ? "RedHat" : ""; });
  Context context{options, *host, sources, log, native_types_registry()};
  Catalog catalog(context);
  ResourceData data;
  data.title = "sample";
  data.attributes = {{"enable", Datum::boolean(true)}};
  Resource resource(*context.types.find("service"), std::move(data), catalog);
  const std::unique_ptr<Provider> provider = make_systemd_kind()->make(resource);
  auto& service = static_cast<ServiceProvider&>(*provider);
  return {service.enabled() == "true", service.own_enablement_check(Datum::symbol("false"))};
}

}  // namespace

TEST_CASE("units that can be enabled are compared by word, others are as desired") {
  CHECK(enabled_in("enabled", 0) == std::pair(true, std::optional<bool>()));
  CHECK(enabled_in("disabled", 1) == std::pair(false, std::optional<bool>()));
  CHECK(enabled_in("static", 0) == std::pair(true, std::optional(true)));
  CHECK(enabled_in("indirect", 0) == std::pair(false, std::optional(true)));
}

}  // namespace bunraku::apply
