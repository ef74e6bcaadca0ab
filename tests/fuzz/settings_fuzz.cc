// Input: any bytes as a settings file; the first byte chooses which: puppet.conf, environment.conf,
// fileserver.conf, bunraku.toml, hiera.yaml, facter.conf, or facts of a node.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "base/formats/document_check.h"
#include "base/memory/arena.h"
#include "base/system/file_overlay.h"
#include "facts/facter_conf.h"
#include "site/environment/environment_conf.h"
#include "site/file_serving/mounts_file.h"
#include "site/lookup/hiera_config.h"
#include "site/node/facts.h"
#include "site/settings/puppet_conf.h"
#include "site/settings/repository_conf.h"

using namespace bunraku;

namespace {

constexpr const char* kDirectory = "/nonexistent/fuzz";

void read_hiera_yaml(const std::string& path) {
  Arena arena;
  DataFiles files;
  HieraConfigSource source{
      .layer = Layer::kEnvironment,
      .root = kDirectory,
      .path = path,
      .codedir = kDirectory,
      .environment = "production",
      .warn = [](const std::string&) {},
      .warn_deprecated = [](std::string_view, const std::string&, const std::string&) {}};
  for (const Layer layer : {Layer::kGlobal, Layer::kEnvironment, Layer::kModule}) {
    source.layer = layer;
    try {
      read_hiera_config(arena, files, source);
    } catch (const EvaluationError&) {
    }
  }
}

void read(char kind, std::string_view text) {
  Arena arena;
  LogKeeper log;
  FileOverlay overlay;
  const OverlaidFiles overlaid(&overlay);
  const std::string directory = kDirectory;
  switch (kind & 7) {
    case 0:
      parse_puppet_conf(text, "puppet.conf");
      break;
    case 1:
      parse_environment_conf(text, directory + "/environment.conf", "production",
                             {{"codedir", "/nonexistent/code"}, {"confdir", "/nonexistent"}});
      break;
    case 2:
      parse_mounts_file(text, "fileserver.conf", &log);
      break;
    case 3:
      overlay.set(directory + '/' + std::string(kRepositoryConfName), std::string(text));
      read_repository_conf(directory);
      break;
    case 4:
      overlay.set(directory + "/hiera.yaml", std::string(text));
      read_hiera_yaml(directory + "/hiera.yaml");
      break;
    case 5:
      overlay.set(directory + "/facter.conf", std::string(text));
      facts::read_facter_conf(facts::Machine(), directory + "/facter.conf", log);
      break;
    case 6:
      read_facts(arena, text, "facts.yaml");
      break;
    default:
      find_toml_mistake(text);
      find_xml_mistake(text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  try {
    read(static_cast<char>(data[0]), {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const EvaluationError& error) {
    const LogRecord record = log_record(error.diagnostic());
    text_of(record);
    json_of(record);
  }
  return 0;
}
