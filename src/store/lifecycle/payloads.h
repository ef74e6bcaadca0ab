// The stored data of a node, as commands that would store them again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/database/connection.h"

namespace bunraku::store {

struct NodePayloads {
  std::optional<std::string> facts;       // replace facts 5
  std::optional<std::string> catalog;     // replace catalog 9
  std::optional<std::string> expiration;  // configure expiration 1
  std::optional<std::string> inputs;      // replace catalog inputs 1
  int64_t catalog_timestamp = 0;
  int64_t inputs_timestamp = 0, expiration_timestamp = 0;
  std::vector<std::pair<int64_t, std::string>> reports;  // store report 8, by time
};

NodePayloads read_payloads(Connection& connection, int64_t node, const std::string& certname);

}  // namespace bunraku::store
