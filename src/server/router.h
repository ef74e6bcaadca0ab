// Which function answers a request.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "net/message.h"
#include "server/api/call.h"

namespace bunraku::server {

// In which lane a request is answered.
enum class Lane : uint8_t { kQuick, kCompilations, kStore };

struct Route {
  std::string name;  // for counts: "puppet-v3-catalog"; "none" when there is no such call
  Lane lane = Lane::kQuick;
  bool is_v3 = false;  // errors are sent as JSON
  // Null when there is no such call.
  std::function<net::Response(const Call&)> answer;
};

// Is this a path of the store's routes? The query may follow.
bool is_store_path(std::string_view path);

Route find_route(std::string_view method, std::string_view path);

}  // namespace bunraku::server
