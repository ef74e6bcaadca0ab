// Compiles the catalog of a node, for a server or any other program.
//
//   Service service(Settings(...), Inputs{}, Sources{});   // once; see service.h
//
//   CatalogRequest request;
//   request.node.name = "web01.example.com";
//   request.node.facts = document_facts(facts);            // the text of a request or file
//   const CatalogAnswer answer = compile_catalog(service, request);
//   if (answer.failure) report(answer.failure->message); else send(answer.json);
//
// A Service is safe from any thread, and many threads may compile concurrently.
// A request may have limits of time and memory, and may be cancelled (request.node.limits). A
// request that exceeds them fails with CatalogFailure::limit set; others are not affected. A server
// makes its Service with Refresh::kByTimeout, so that environments are read again according to
// environment_timeout, and calls flush() on demand.
//
// compile_catalog() provides the large stack that it needs. The sources of values (facts, trusted
// data) are called on another thread while the caller waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "catalog/compiler/catalog_json.h"
#include "catalog/compiler/static_catalog.h"
#include "compilation/compilation.h"

namespace bunraku::compilation {

// Options of a catalog's JSON.
struct CatalogForm {
  JsonForm json = JsonForm::kCompact;
  std::string uuid;  // catalog_uuid; empty: a random one
  // The version of the environment's code, which agents use to request files.
  std::optional<std::string> code_id;
  // Adds metadata of files from modules, where the settings allow it. Requires a code_id.
  bool is_static = false;
  // The checksum types that the agent supports, by preference; empty: those of the settings.
  std::vector<std::string> checksum_types;
  // Includes resources that stayed virtual, marked "virtual": true.
  bool include_virtual = false;
  // Values that JSON cannot represent become strings, whatever the settings are.
  bool is_plain = false;
  // References in parameters are kept as types (see CatalogJsonOptions).
  bool keeps_references = false;
};

struct CatalogRequest {
  NodeInput node;
  CatalogForm form;
  LogLevel log_level = LogLevel::kNotice;  // lower levels are not logged
};

// The reason why there is no catalog.
struct CatalogFailure {
  ErrorKind kind = ErrorKind::kError;
  // Complete, in the reference's words: prefix, text, place, " on node NAME".
  std::string message;
  // Null when the program itself failed (memory, the system).
  std::optional<Diagnostic> diagnostic;
  std::optional<Limit> limit;  // the limit of the request that was exceeded
};

struct CatalogAnswer {
  std::string json;                       // the catalog; empty after a failure
  std::optional<CatalogFailure> failure;  // set when there is no catalog
  std::vector<LogRecord> log;             // the log records of the compilation, in order
  std::string environment;  // the environment of the compilation; empty when it was not found
  size_t resources = 0;     // without virtual ones
  double seconds = 0;
};

// Throws only std::bad_alloc; safe from any thread.
CatalogAnswer compile_catalog(Service& service, const CatalogRequest& request);

// --- the steps, for callers that have a Compilation of their own ---

// The options that are known before evaluation, with the version, for which a command of the
// environment may be run. Throws EvaluationError.
CatalogJsonOptions catalog_options(Compilation& compilation, const CatalogForm& form);

// The checksum type of a static catalog; empty when the catalog is not static. Throws
// EvaluationError when the agent and this side have no type in common.
std::string_view static_checksum_type(Compilation& compilation, const CatalogForm& form);

// The catalog of a completed compilation; static if there is a checksum type. Throws
// EvaluationError.
std::string catalog_json(Compilation& compilation, JsonForm form, CatalogJsonOptions options,
                         std::string_view checksum_type);

// The reference's prefix for errors of this kind, such as "Evaluation Error: ".
std::string message_prefix(ErrorKind kind, std::string_view environment);

}  // namespace bunraku::compilation
