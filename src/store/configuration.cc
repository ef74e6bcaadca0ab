// Reads ini files with PuppetDB's names.
#include "store/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "store/error.h"

namespace bunraku::store {
namespace {

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::vector<std::string> names_of(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    if (const std::string_view name = trimmed(text.substr(0, comma)); !name.empty()) {
      names.emplace_back(name);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

// Returns whether all keys of the section are about PuppetDB's internals.
bool is_meaningless(std::string_view section) {
  constexpr std::array<std::string_view, 5> kSections{"global", "nrepl", "read-database", "repl",
                                                      "developer"};
  return std::ranges::find(kSections, section) != kSections.end();
}

class Reader {
 public:
  Reader(const std::string& file, Configuration& configuration)
      : file_(file), configuration_(configuration) {}

  void read(std::string_view text) {
    std::string section;
    while (!text.empty()) {
      ++line_;
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line.front() == '#' || line.front() == ';') continue;
      if (line.front() == '[') {
        if (line.back() != ']') fail("a section without its bracket");
        section = trimmed(line.substr(1, line.size() - 2));
        continue;
      }
      const size_t equals = line.find('=');
      if (equals == std::string_view::npos) fail(fmt::format("'{}' is no setting", line));
      if (section.empty()) fail("a setting before any section");
      take(section, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    if (blocklist_.empty()) return;
    try {
      configuration_.fact_filter = FactFilter(blocklist_, blocks_patterns_);
    } catch (const StoreError& error) {
      throw StoreError(StoreErrorKind::kInput, fmt::format("{}: {}", file_, error.what()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw StoreError(StoreErrorKind::kInput, fmt::format("{}:{}: {}", file_, line_, problem));
  }

  std::chrono::seconds duration(std::string_view key, std::string_view value) const {
    const auto found = parse_duration(value);
    if (!found) fail(fmt::format("{} is no duration such as 14d or 12h 30m: '{}'", key, value));
    return *found;
  }
  int64_t number(std::string_view key, std::string_view value, int64_t most) const {
    const auto found = whole_number(value);
    if (!found || *found > most) {
      fail(fmt::format("{} is no number up to {}: '{}'", key, most, value));
    }
    return *found;
  }

  void take(std::string_view section, std::string_view key, std::string_view value) {
    const bool is_known = section == "database"             ? take_database(key, value)
                          : section == "puppetdb"           ? take_puppetdb(key, value)
                          : section == "access"             ? take_access(key, value)
                          : section == "jetty"              ? take_jetty(key, value)
                          : section == "command-processing" ? take_commands(key, value)
                          : section == "read-database"      ? take_read_database(key, value)
                                                            : false;
    if (!is_known && !is_meaningless(section)) {
      configuration_.notices.push_back(fmt::format(
          "{}:{}: [{}] {} has no meaning here and is ignored", file_, line_, section, key));
    }
  }

  bool take_database(std::string_view key, std::string_view value) {
    Lifetimes& lifetimes = configuration_.lifetimes;
    if (key == "node-ttl") {
      lifetimes.node_ttl = duration(key, value);
    } else if (key == "node-purge-ttl") {
      lifetimes.node_purge_ttl = duration(key, value);
    } else if (key == "node-purge-gc-batch-limit") {
      lifetimes.nodes_at_once = number(key, value, 1'000'000'000);
    } else if (key == "report-ttl") {
      lifetimes.report_ttl = duration(key, value);
      if (!has_event_ttl_) lifetimes.event_ttl = lifetimes.report_ttl;
    } else if (key == "resource-events-ttl") {
      lifetimes.event_ttl = duration(key, value);
      has_event_ttl_ = true;
    } else if (key == "gc-interval") {
      configuration_.garbage_interval =
          std::chrono::minutes(number(key, value, int64_t{60} * 24 * 365));
    } else if (key == "facts-blocklist") {
      blocklist_ = names_of(value);
    } else if (key == "facts-blocklist-type") {
      if (value != "literal" && value != "regex") {
        fail(fmt::format("facts-blocklist-type is literal or regex, not '{}'", value));
      }
      blocks_patterns_ = value == "regex";
    } else {
      return false;
    }
    return true;
  }

  // PuppetDB's own keys describe a database in PuppetDB's schema, which cannot be used as a store.
  bool take_read_database(std::string_view key, std::string_view value) {
    if (key != "url") return false;
    configuration_.read_url = value;
    return true;
  }

  // PuppetDB's list of clients, which have all rights.
  bool take_puppetdb(std::string_view key, std::string_view value) {
    if (key != "certificate-allowlist" && key != "certificate-whitelist") {
      return key == "disable-update-checking";
    }
    const std::string text = read_file(std::string(value));
    std::string_view rest = text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string name(trimmed(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (name.empty() || name.front() == '#') continue;
      AccessLists& access = configuration_.access;
      for (auto* list : {&access.queries, &access.commands, &access.administration}) {
        list->push_back(name);
      }
    }
    return true;
  }

  bool take_access(std::string_view key, std::string_view value) {
    AccessLists& access = configuration_.access;
    auto* list = key == "queries"          ? &access.queries
                 : key == "commands"       ? &access.commands
                 : key == "administration" ? &access.administration
                                           : nullptr;
    if (list == nullptr)
      fail(fmt::format("[access] has queries, commands and administration, not '{}'", key));
    for (std::string& name : names_of(value)) list->push_back(std::move(name));
    return true;
  }

  bool take_jetty(std::string_view key, std::string_view value) {
    ListenSettings& listen = configuration_.listen;
    if (key == "host") {
      listen.host = value;
    } else if (key == "ssl-host") {
      listen.ssl_host = value;
    } else if (key == "port") {
      listen.port = static_cast<uint16_t>(number(key, value, 65535));
    } else if (key == "ssl-port") {
      listen.ssl_port = static_cast<uint16_t>(number(key, value, 65535));
    } else if (key == "ssl-cert") {
      listen.certificate = value;
    } else if (key == "ssl-key") {
      listen.key = value;
    } else if (key == "ssl-ca-cert") {
      listen.authorities = value;
    } else if (key == "ssl-crl-path") {
      listen.revocations = value;
    } else {
      return false;
    }
    return true;
  }

  bool take_commands(std::string_view key, std::string_view value) {
    if (key != "max-command-size") return false;
    configuration_.largest_command = static_cast<size_t>(number(key, value, int64_t{1} << 30));
    return true;
  }

  const std::string& file_;
  Configuration& configuration_;
  size_t line_ = 0;
  bool has_event_ttl_ = false;
  std::vector<std::string> blocklist_;
  bool blocks_patterns_ = false;
};

}  // namespace

std::optional<std::chrono::seconds> parse_duration(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  constexpr int64_t kMost = int64_t{1000} * 60 * 60 * 24 * 365 * 1000;  // a thousand years
  int64_t milliseconds = 0;
  while (!text.empty()) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    const size_t letters = std::min(text.find_first_not_of("dhms"), text.size());
    const std::string_view unit = text.substr(0, letters);
    const int64_t factor = unit == "d"    ? int64_t{24} * 3600 * 1000
                           : unit == "h"  ? int64_t{3600} * 1000
                           : unit == "m"  ? int64_t{60} * 1000
                           : unit == "s"  ? int64_t{1000}
                           : unit == "ms" ? int64_t{1}
                                          : 0;
    if (factor == 0 || value > (kMost - milliseconds) / factor) return std::nullopt;
    milliseconds += value * factor;
    text = trimmed(text.substr(letters));
  }
  return std::chrono::seconds((milliseconds + 999) / 1000);
}

Configuration read_configuration(const std::string& path) {
  Configuration configuration;
  if (!is_directory(path)) {
    Reader(path, configuration).read(read_file(path));
    return configuration;
  }
  std::vector<std::string> files;
  for (const DirectoryEntry& entry : list_directory(path)) {
    if (!entry.is_directory && entry.name.ends_with(".ini")) {
      files.push_back(join_path(path, entry.name));
    }
  }
  std::ranges::sort(files);
  for (const std::string& file : files) Reader(file, configuration).read(read_file(file));
  return configuration;
}

}  // namespace bunraku::store
