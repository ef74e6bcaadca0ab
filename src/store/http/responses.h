// Answers of the store's routes, and parsed requests.
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

// The path's segments, decoded one by one because a title may contain slashes. Returns no value for
// invalid escapes.
std::optional<std::vector<std::string>> path_segments(std::string_view path);

// The parameters of a query, in the URL or a JSON body.
struct QueryParameters {
  Arena arena;
  std::optional<std::string> text;  // as written in a URL, or a string in a body
  DataNode tree;                    // an array in a body
  Paging paging;
  bool counts_total = false;
  bool is_pretty = false;
  bool shows_expiration = false, shows_packages = false, shows_tree = false;
  std::optional<std::string> summarize_by, count_by;
  DataNode counts_filter;
  bool has_distinct_resources = false;
  std::optional<std::string> distinct_start, distinct_end;
  std::optional<std::chrono::milliseconds> timeout;  // zero: no timeout
  std::vector<std::string> names;                    // the names of all given parameters

  // The tree of the query; PQL is accepted if `takes_pql`. Null when there is none. Throws
  // StoreError.
  DataNode query(bool takes_pql);
};

// The error for a request, answered with this status and text.
class RequestError : public std::exception {
 public:
  RequestError(int status, std::string message) : status_(status), message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  int status() const { return status_; }

 private:
  int status_;
  std::string message_;
};

// Throws for parameters without a meaning at an endpoint ("nodes"; empty: the root).
void check_parameters(const QueryParameters& parameters, std::string_view endpoint);

// Throws RequestError, and StoreError (kInput) for invalid values.
void read_parameters(const net::Request& request, std::string_view query, QueryParameters& to);

// Answers GET and POST of /pdb/query/v4/...; `segments` is the rest of the path. Throws
// RequestError, StoreError.
net::Response answer_query_request(Store& store, const net::Request& request,
                                   const std::vector<std::string>& segments, std::string_view query,
                                   const AnswerLimits& limits);

}  // namespace bunraku::store
