// Reading of external facts. The order is that of the reference: directories in the given order, in
// each the last name first; the first value of a name is used.
#include "facts/external_facts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "base/formats/yaml.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/text/ascii.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

constexpr std::chrono::seconds kProgramTimeLimit{300};
constexpr uint64_t kLargestOutput = uint64_t{64} << 20;

void log_line(LogSink& log, LogLevel level, std::string message) {
  LogRecord record;
  record.level = level;
  record.source = "Facter";
  record.message = std::move(message);
  log.log(record);
}

// Reads lines "name=value"; other lines are ignored.
DataNode read_pairs(std::string_view text, Arena& arena) {
  DataHashBuilder hash;
  const auto string = [&](std::string_view part) {
    return DataNode::text(DataKind::kString, arena.copy(part));
  };
  for (const std::string_view line : lines(text)) {
    const size_t equals = line.find('=', 1);
    if (line.empty() || equals == std::string_view::npos || equals + 1 == line.size()) continue;
    hash.set(string(line.substr(0, equals)), string(line.substr(equals + 1)));
  }
  return hash.finish(arena);
}

enum class Kind : uint8_t { kText, kYaml, kJson, kProgram, kNone };

// The kind of a file, by its suffix; other files are programs when they are executable.
Kind kind_of(const Machine& machine, const std::string& path) {
  const std::string_view name = after_last_slash(path);
  const size_t dot = name.rfind('.');
  const std::string ending =
      dot == std::string_view::npos || dot == 0 ? std::string() : to_lower(name.substr(dot + 1));
  if (ending == "yaml") return Kind::kYaml;
  if (ending == "txt") return Kind::kText;
  if (ending == "json") return Kind::kJson;
  constexpr std::array<std::string_view, 4> kForeign = {"bat", "cmd", "com", "exe"};
  if (std::ranges::find(kForeign, ending) != kForeign.end()) return Kind::kNone;
  const bool may_run = machine.is_file(path) && access(machine.rooted(path).c_str(), X_OK) == 0;
  return may_run ? Kind::kProgram : Kind::kNone;
}

std::vector<std::string> program_environment() {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!variable.starts_with("LC_ALL=") && !variable.starts_with("LANG=")) {
      variables.emplace_back(variable);
    }
  }
  variables.insert(variables.end(), {"LC_ALL=C", "LANG=C"});
  return variables;
}

class Reader {
 public:
  Reader(const Machine& machine, FactSet& to, const ExternalOptions& options, LogSink& log)
      : machine_(machine), to_(to), options_(options), log_(log) {}

  void read_directory(const std::string& directory) {
    std::vector<std::string> names = machine_.names(directory);
    std::ranges::reverse(names);
    for (const std::string& name : names) {
      if (name.starts_with('.')) continue;
      if (std::ranges::find(options_.blocked_files, name) != options_.blocked_files.end()) {
        log_line(log_, LogLevel::kDebug, fmt::format("External fact file {} blocked.", name));
        continue;
      }
      read_file_of_facts(join_path(directory, name));
    }
  }

 private:
  void read_file_of_facts(const std::string& path) {
    const auto started = std::chrono::steady_clock::now();
    const Kind kind = kind_of(machine_, path);
    if (kind == Kind::kNone) return;
    try {
      add(path, cached_or_read(path, kind));
    } catch (const DataError& error) {
      log_line(
          log_, LogLevel::kErr,
          fmt::format("Failed to handle {} as {} facts: {}", path, class_of(kind), error.what()));
    }
    if (options_.timings == nullptr) return;
    options_.timings->push_back(
        {std::string(after_last_slash(path)), std::chrono::duration_cast<std::chrono::microseconds>(
                                                  std::chrono::steady_clock::now() - started)});
  }

  DataNode cached_or_read(const std::string& path, Kind kind) {
    const std::string name(after_last_slash(path));
    const auto lifetime = options_.lifetimes.find(name);
    if (lifetime == options_.lifetimes.end()) return read(path, kind);
    const std::string cache = join_path(options_.cache_directory, name);
    const auto age =
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch().count() -
                                 file_stamp(machine_.rooted(cache)).modified);
    if (age < lifetime->second) {
      if (const auto text = machine_.read(cache)) {
        try {
          return without_version(read_json(*text, to_.arena()));
        } catch (const DataError&) {
          // An invalid cache file is written again.
        }
      }
    }
    const DataNode data = read(path, kind);
    if (data.is(DataKind::kHash)) write_cache(cache, data);
    return data;
  }

  static constexpr std::string_view kVersionKey = "cache_format_version";

  DataNode without_version(const DataNode& data) {
    if (!data.is(DataKind::kHash)) throw DataError("no cached facts");
    HashFact facts(to_.arena());
    for (const DataEntry& entry : data.entries()) {
      if (entry.key.text_value() != kVersionKey) facts.set(entry.key.text_value(), entry.value);
    }
    return facts.finish();
  }

  void write_cache(const std::string& path, const DataNode& data) {
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    json.begin_object();
    for (const DataEntry& entry : data.entries()) {
      if (!entry.key.is(DataKind::kString)) continue;
      json.key(entry.key.text_value());
      json.data(entry.value);
    }
    json.member(kVersionKey, int64_t{1});
    json.end_object();
    try {
      create_directory(machine_.rooted(options_.cache_directory));
      // Facts may be readable only by root.
      write_file(machine_.rooted(path), text, 0600);
    } catch (const FileError& error) {
      log_line(log_, LogLevel::kWarning, fmt::format("Could not write cache: {}", error.what()));
    }
  }

  // The reference's messages name the class that reads a file.
  static std::string_view class_of(Kind kind) {
    switch (kind) {
      case Kind::kText:
        return "LegacyFacter::Util::Parser::TextParser";
      case Kind::kYaml:
        return "LegacyFacter::Util::Parser::YamlParser";
      case Kind::kJson:
        return "LegacyFacter::Util::Parser::JsonParser";
      default:
        return "LegacyFacter::Util::Parser::ScriptParser";
    }
  }

  DataNode read(const std::string& path, Kind kind) {
    if (kind == Kind::kProgram) return output_of(path);
    const auto text = machine_.read(path);
    if (!text) throw DataError("it cannot be read");
    switch (kind) {
      case Kind::kJson:
        return read_json(*text, to_.arena());
      case Kind::kYaml:
        return read_yaml(*text, yaml_options(), to_.arena());
      default:
        return read_pairs(*text, to_.arena());
    }
  }

  static YamlOptions yaml_options() {
    YamlOptions options;
    options.allow_symbols = false;
    return options;
  }

  DataNode output_of(const std::string& path) {
    ProcessCall call;
    call.start.words = {machine_.rooted(path)};
    call.start.environment = program_environment();
    call.largest_output = kLargestOutput;
    call.time_limit = kProgramTimeLimit;
    const ProcessResult result = run_process(call);
    if (const std::string_view errors = stripped(result.errors); !errors.empty()) {
      log_line(
          log_, LogLevel::kWarning,
          fmt::format("Command {} completed with the following stderr message: {}", path, errors));
    }
    if (result.outcome != ProcessOutcome::kEnded) throw DataError(result.reason);
    try {
      const DataNode data = read_yaml(result.output, YamlOptions(), to_.arena());
      if (data.is(DataKind::kHash)) return data;
    } catch (const DataError& error) {
      log_line(
          log_, LogLevel::kDebug,
          fmt::format("Could not parse executable fact output as YAML or JSON ({})", error.what()));
    }
    return read_pairs(result.output, to_.arena());
  }

  void add(const std::string& path, const DataNode& data) {
    const bool is_nothing = data.is(DataKind::kNull);
    if (!is_nothing && !data.is(DataKind::kHash)) {
      log_line(log_, LogLevel::kWarning, fmt::format("Could not interpret fact file {}", path));
      return;
    }
    if (is_nothing || data.entries().empty()) {
      log_line(log_, LogLevel::kDebug,
               fmt::format("Fact file {} was parsed but no key=>value data was returned", path));
      return;
    }
    for (const DataEntry& entry : data.entries()) {
      const bool is_named = entry.key.is(DataKind::kString) || entry.key.is(DataKind::kSymbol) ||
                            entry.key.is(DataKind::kBigInteger);
      const std::string name = is_named ? to_lower(entry.key.text_value())
                               : entry.key.is(DataKind::kInteger)
                                   ? std::to_string(entry.key.integer_value())
                                   : std::string();
      if (name.empty() || !names_.insert(name).second) continue;
      to_.add(name, entry.value, FactKind::kExternal);
    }
  }

  const Machine& machine_;
  FactSet& to_;
  const ExternalOptions& options_;
  LogSink& log_;
  std::set<std::string> names_;  // those that have a value already
};

}  // namespace

std::vector<std::string> default_external_directories(const Machine& machine) {
  if (machine.identity().uid == 0) {
    return {"/etc/puppetlabs/facter/facts.d", "/etc/facter/facts.d",
            "/opt/puppetlabs/facter/facts.d"};
  }
  const auto home = machine.variable("HOME");
  if (!home) return {};
  return {*home + "/.facter/facts.d", *home + "/.puppetlabs/opt/facter/facts.d"};
}

void collect_external_facts(const Machine& machine, FactSet& to, const ExternalOptions& options,
                            LogSink& log) {
  Reader reader(machine, to, options, log);
  for (const std::string& directory : options.directories) reader.read_directory(directory);
}

void collect_environment_facts(const std::vector<std::string>& environment, FactSet& to) {
  for (const std::string_view variable : environment) {
    constexpr std::string_view kPrefix = "facter";
    const size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    std::string name = to_lower(variable.substr(0, equals));
    if (!name.starts_with(kPrefix)) continue;
    name.erase(0, kPrefix.size());
    if (name.starts_with('_')) name.erase(0, 1);
    const bool is_word = std::ranges::all_of(
        name, [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
    // FACTERLIB names the directories of custom facts.
    if (name.empty() || !is_word || name == "lib") continue;
    to.add(name, to.text(variable.substr(equals + 1)), FactKind::kExternal);
  }
}

}  // namespace bunraku::facts
