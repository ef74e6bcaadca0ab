// The settings of a store: lifetimes of data, rights of clients, filters. The files are
// PuppetDB's own (ini, sections in brackets), so that its configuration can be used unchanged;
// [access] is an addition.
//
//   [database]
//   node-ttl = 7d
//   node-purge-ttl = 14d
//   report-ttl = 14d
//   resource-events-ttl = 14d
//   gc-interval = 60
//   facts-blocklist = uptime, uptime_seconds
//   facts-blocklist-type = literal
//   [read-database]
//   url = postgresql://reader@replica.example.com/store
//   [puppetdb]
//   certificate-allowlist = /etc/puppetdb/allowlist
//   [access]
//   queries = puppetboard.example.com
//   commands = compile1.example.com, compile2.example.com
//   administration = admin.example.com
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/commands/fact_filter.h"
#include "store/http/access.h"
#include "store/lifecycle/garbage.h"

namespace bunraku::store {

struct ListenSettings {
  std::string host, ssl_host;
  std::optional<uint16_t> port, ssl_port;
  std::string certificate, key, authorities, revocations;  // paths; empty: those of puppet.conf
};

struct Configuration {
  Lifetimes lifetimes;
  std::chrono::minutes garbage_interval{60};  // 0: never
  AccessLists access;
  FactFilter fact_filter;
  std::string read_url;  // of a replica for queries; empty: none
  ListenSettings listen;
  size_t largest_command = size_t{64} << 20;  // bytes, uncompressed
  std::vector<std::string> notices;           // keys without a meaning here
};

// Reads a file, or all *.ini files of a directory. Throws StoreError (kInput) with file and line
// for an invalid value or line, and FileError.
Configuration read_configuration(const std::string& path);

// Parses "14d", "12h 30m", "90s", "500ms" to whole seconds, rounded up. Returns no value for other
// text.
std::optional<std::chrono::seconds> parse_duration(std::string_view text);

}  // namespace bunraku::store
