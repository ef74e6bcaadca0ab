// Catalogs for test programs, of which each example is a compilation of its own: modules, settings,
// code, node and facts come with a request, and environments stay in memory between requests.
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
//   code           what is compiled in place of manifests
//   virtual        true: resources that stayed virtual are shown, too
//   log_level      what weighs less is not in the answer; "notice" when left out
//
// The answer is a line: {"catalog": ..., "logs": [...]} or {"error": {...}, "logs": [...]}. In the
// catalog's parameters references are types, and strings are strings.
//
// Requests with equal settings share an environment for as long as none of its files changes; the
// few that were used last are kept.
class CatalogRequests {
 public:
  CatalogRequests(RubyOptions ruby, RequestLimits limits);

  // Without a line end. Does not throw for what is wrong with a request.
  std::string answer(std::string_view request);

 private:
  struct Kept {
    std::string settings;  // as the request has them
    std::unique_ptr<compilation::Service> service;
    std::unique_ptr<FileWatch> watch;
  };

  compilation::Service& service_for(const DataNode& settings);
  std::string answer(const DataNode& request);

  const RubyOptions ruby_;
  const RequestLimits limits_;
  std::list<Kept> kept_;  // the one that was used last is first
};

}  // namespace bunraku::testing
