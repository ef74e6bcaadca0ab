// The status, in the form that monitoring systems read.
#include "base/formats/json.h"
#include "store/http/api.h"
#include "store/http/responses.h"

namespace bunraku::store {
namespace {

void write_service(JsonWriter& json, bool is_running, size_t queued) {
  json.begin_object();
  json.member("service_version", kProtocolVersion);
  json.member("service_status_version", 1);
  json.member("detail_level", "info");
  json.member("state", is_running ? "running" : "error");
  json.key("status");
  json.begin_object();
  json.key("maintenance_mode?"), json.boolean(false);
  json.member("queue_depth", static_cast<int64_t>(queued));
  json.key("read_db_up?"), json.boolean(is_running);
  json.key("write_db_up?"), json.boolean(is_running);
  json.key("write_dbs_up?"), json.boolean(is_running);
  json.key("write_db");
  json.begin_object();
  json.key("default");
  json.begin_object();
  json.key("up?"), json.boolean(is_running);
  json.end_object();
  json.end_object();
  json.end_object();
  json.key("active_alerts");
  json.begin_array();
  json.end_array();
  json.member("service_name", "puppetdb-status");
  json.end_object();
}

}  // namespace

net::Response Api::answer_status(std::string_view path) {
  bool is_running = true;
  try {
    store_.read([](Connection& connection) { connection.query("SELECT 1")->next(); });
  } catch (const StoreError&) {
    is_running = false;
  }
  const int status = is_running ? 200 : 503;
  const size_t queued = store_.keeper() == nullptr ? 0 : store_.keeper()->depth();
  if (path.starts_with("/status/v1/simple")) {
    return text_response(status, is_running ? "running" : "error");
  }
  std::string text;
  JsonWriter json(text);
  if (path == "/status/v1/services/puppetdb-status") {
    write_service(json, is_running, queued);
  } else if (path == "/status/v1/services" || path == "/status/v1/services/") {
    json.begin_object();
    json.key("puppetdb-status");
    write_service(json, is_running, queued);
    json.end_object();
  } else {
    return text_response(404, "Not Found");
  }
  return json_response(status, std::move(text));
}

}  // namespace bunraku::store
