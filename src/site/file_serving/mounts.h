// The mounts of the file server: what the file of `puppet:///MOUNT/PATH` is on disk.
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
  // The mounts that every server has, and those of the file at `config_path` (fileserver.conf),
  // where there is one; none is looked for when it is empty. A file with a mistake counts for
  // nothing, which is reported to the log. `environment` and `log`, which may be null, must outlive
  // this.
  Mounts(const Environment& environment, const std::string& config_path, LogSink* log);

  // The path of what "modules/ntp/ntp.conf" names, links not resolved; nothing when there is no
  // such mount or file. Throws EvaluationError for a key that names no mount or leads out of it.
  std::optional<std::string> find(std::string_view key) const;

 private:
  enum class Kind : uint8_t {
    kOfModule,   // MODULE/PATH: a file of one module
    kOfModules,  // PATH: a file of the first module that has it
    kDirectory   // PATH: a file of a directory that fileserver.conf names
  };
  struct Mount {
    Kind kind;
    std::string directory;  // in a module, or on disk
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
