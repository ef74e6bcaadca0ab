// Catalogs for test programs, in which each example is a compilation of its own: modules, settings,
// code, node and facts are part of a request, and environments stay in memory between requests.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/system/limits.h"
#include "compilation/service.h"
#include "testing/file_watch.h"

namespace bunraku::testing {

// Answers one request at a time. A request is a JSON object:
//
//   settings       texts by the names of settings: modulepath, hiera_config, environment, strict...
//   node           the name
//   facts, parameters, trusted, server_facts    objects
//   code           replaces the manifests
//   virtual        true: includes resources that stayed virtual
//   log_level      the lowest level of logs in the answer; default "notice"
//
// The answer is a line: {"catalog": ..., "logs": [...]} or {"error": {...}, "logs": [...]}. In the
// catalog's parameters, references are types and strings are strings.
//
// Requests with equal settings share an environment until one of its files changes; a few recently
// used environments are kept.
class CatalogRequests {
 public:
  CatalogRequests(RubyOptions ruby, RequestLimits limits);

  // Returns a line without its end. Does not throw for an invalid request.
  std::string answer(std::string_view request);

 private:
  struct Kept {
    std::string settings;  // as written in the request
    std::unique_ptr<compilation::Service> service;
    std::unique_ptr<FileWatch> watch;
  };

  compilation::Service& service_for(const DataNode& settings);
  std::string answer(const DataNode& request);

  const RubyOptions ruby_;
  const RequestLimits limits_;
  std::list<Kept> kept_;  // sorted by last use, the latest first
};

}  // namespace bunraku::testing
