// Answers of the store's routes, and requests split into what they ask.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "net/message.h"
#include "store/query/answer.h"

namespace bunraku::store {

net::Response text_response(int status, std::string text);
net::Response json_response(int status, std::string json);
// {"error": "..."}
net::Response error_response(int status, std::string_view message);

// Path segments, each decoded alone: a title may have slashes. Nothing for broken escapes.
std::optional<std::vector<std::string>> path_segments(std::string_view path);

// What a query is asked with: of the URL, or of a JSON body.
struct QueryParameters {
  Arena arena;
  std::optional<std::string> text;  // as it came in a URL, or a string of a body
  DataNode tree;                    // an array of a body
  Paging paging;
  bool counts_total = false;
  bool is_pretty = false;
  bool shows_expiration = false, shows_packages = false, shows_tree = false;
  std::optional<std::string> summarize_by, count_by;
  DataNode counts_filter;
  bool has_distinct_resources = false;
  std::optional<std::string> distinct_start, distinct_end;
  std::optional<std::chrono::milliseconds> timeout;  // zero: none
  std::vector<std::string> names;                    // of all that were given

  // The query's tree; PQL is understood where `takes_pql`. Null when there is none. Throws
  // StoreError.
  DataNode query(bool takes_pql);
};

// A request that is answered with this status and text.
class RequestError : public std::exception {
 public:
  RequestError(int status, std::string message) : status_(status), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int status() const { return status_; }

 private:
  int status_;
  std::string message_;
};

// Refuses parameters that mean nothing at an endpoint ("nodes"; empty: the root).
void check_parameters(const QueryParameters& parameters, std::string_view endpoint);

// Throws RequestError, and StoreError (kInput) for values that mean nothing.
void read_parameters(const net::Request& request, std::string_view query, QueryParameters& to);

// GET and POST of /pdb/query/v4/...; `segments` is what follows. Throws RequestError, StoreError.
net::Response answer_query_request(Store& store, const net::Request& request,
                                   const std::vector<std::string>& segments, std::string_view query,
                                   const AnswerLimits& limits);

}  // namespace bunraku::store
