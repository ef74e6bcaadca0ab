// The function that answers a request.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "net/message.h"
#include "server/api/call.h"

namespace bunraku::server {

// The lanes in which requests are answered.
enum class Lane : uint8_t { kQuick, kCompilations, kStore };

struct Route {
  std::string name;  // for metrics: "puppet-v3-catalog"; "none" for an unknown path
  Lane lane = Lane::kQuick;
  bool is_v3 = false;  // errors are sent as JSON
  // Null for an unknown path.
  std::function<net::Response(const Call&)> answer;
};

// Returns whether the path belongs to the store's routes. A query may follow.
bool is_store_path(std::string_view path);

Route find_route(std::string_view method, std::string_view path);

}  // namespace bunraku::server
