// The mounts of the file server: they map `puppet:///MOUNT/PATH` to files on disk.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

class Environment;
class LogSink;

class Mounts {
 public:
  // The mounts that every server has, and those in the file at `config_path` (fileserver.conf) if
  // it exists; empty: no file. A file with a mistake is ignored as a whole, which is logged.
  // `environment` and `log`, which may be null, must outlive this object.
  Mounts(const Environment& environment, const std::string& config_path, LogSink* log);

  // Returns the path for "modules/ntp/ntp.conf" with links unresolved; no value when there is no
  // such mount or file. Throws EvaluationError for a key without a mount or one that leads out of
  // it.
  std::optional<std::string> find(std::string_view key) const;

 private:
  enum class Kind : uint8_t {
    kOfModule,   // MODULE/PATH: a file of one module
    kOfModules,  // PATH: a file of the first module that has it
    kDirectory   // PATH: a file of a directory that fileserver.conf names
  };
  struct Mount {
    Kind kind;
    std::string directory;  // relative to a module, or absolute
  };
  using RelativePath = std::optional<std::string>;

  void read(const std::string& config_path);
  RelativePath find_in_module(const Mount& mount, const RelativePath& path) const;
  RelativePath find_in_modules(const Mount& mount, const RelativePath& path) const;
  RelativePath find_in_directory(const Mount& mount, const RelativePath& path) const;

  const Environment& environment_;
  LogSink* log_;
  std::map<std::string, Mount, std::less<>> mounts_;
};

}  // namespace bunraku
