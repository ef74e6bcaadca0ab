// The calls of the server's APIs, one function each; router.cc has their paths. `key` is the path
// after the call's name. They throw ApiError or TextError for requests that they refuse.
#pragma once

#include <string>

#include "net/message.h"
#include "server/api/call.h"

namespace bunraku::server {

// puppet/v3 and v4
net::Response answer_catalog(const Call& call, const std::string& key);
net::Response answer_catalog_v4(const Call& call);
net::Response answer_node(const Call& call, const std::string& key);
net::Response store_facts(const Call& call, const std::string& key);
net::Response answer_file_metadata(const Call& call, const std::string& key);
net::Response answer_file_metadatas(const Call& call, const std::string& key);
net::Response answer_file_content(const Call& call, const std::string& key);
net::Response answer_static_file_content(const Call& call, const std::string& key);
net::Response answer_bucket(const Call& call, const std::string& key);
net::Response store_report(const Call& call, const std::string& key);
net::Response answer_environments(const Call& call);
net::Response answer_environment_modules(const Call& call);
net::Response answer_environment_classes(const Call& call);
net::Response answer_environment_transports(const Call& call);
net::Response answer_tasks(const Call& call);
net::Response answer_task(const Call& call, const std::string& key);
net::Response answer_plans(const Call& call);
net::Response answer_plan(const Call& call, const std::string& key);

// puppet-ca/v1; `call_name` is "certificate", "clean" and so on.
net::Response answer_authority(const Call& call, const std::string& call_name,
                               const std::string& key);

// Calls for operators.
net::Response flush_environments(const Call& call);
net::Response answer_status(const Call& call, const std::string& rest);
net::Response answer_metrics(const Call& call);
net::Response answer_page(const Call& call);

}  // namespace bunraku::server
