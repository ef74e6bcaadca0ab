// A node's catalog, asked for and answered: what a server, or any program that compiles, calls.
//
//   Service service(Settings(...), Inputs{}, Sources{});   // once; see service.h
//
//   CatalogRequest request;
//   request.node.name = "web01.example.com";
//   request.node.facts = document_facts(facts);            // the text of a request or file
//   const CatalogAnswer answer = compile_catalog(service, request);
//   if (answer.failure) report(answer.failure->message); else send(answer.json);
//
// A Service is safe from any thread, and many threads may compile at the same time.
// A request may bring limits of time and memory, and be cancelled (request.node.limits); one that
// goes over them fails with CatalogFailure::limit set, and the others go on. A server makes its
// Service with Refresh::kByTimeout, so that environments are read again as environment_timeout
// says, and calls flush() when it is asked to.
//
// compile_catalog() takes care of the stack that it needs. The sources of values (facts, trusted
// data) are called on another thread than the caller's while the caller waits.
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

// What a catalog's JSON holds, where the node leaves a choice.
struct CatalogForm {
  JsonForm json = JsonForm::kCompact;
  std::string uuid;  // catalog_uuid; empty: a random one
  // The version of the environment's code, which agents ask for files of.
  std::optional<std::string> code_id;
  // Adds what agents have to know of files from modules, where the settings allow it. Needs a
  // code_id.
  bool is_static = false;
  // The checksum types that the agent knows, the best first; empty: those of the settings.
  std::vector<std::string> checksum_types;
  // Resources that stayed virtual are shown too, marked "virtual": true.
  bool include_virtual = false;
  // Values that JSON has no words for become strings, whatever the settings say.
  bool is_plain = false;
  // References in parameters stay types (see CatalogJsonOptions).
  bool keeps_references = false;
};

struct CatalogRequest {
  NodeInput node;
  CatalogForm form;
  LogLevel log_level = LogLevel::kNotice;  // what weighs less is not logged
};

// Why there is no catalog.
struct CatalogFailure {
  ErrorKind kind = ErrorKind::kError;
  // Complete, as the reference words it: prefix, text, place, " on node NAME".
  std::string message;
  // Null when the program itself failed (memory, the system).
  std::optional<Diagnostic> diagnostic;
  std::optional<Limit> limit;  // which limit of the request was reached
};

struct CatalogAnswer {
  std::string json;                       // the catalog; empty when there is a failure
  std::optional<CatalogFailure> failure;  // set when there is no catalog
  std::vector<LogRecord> log;             // what the compilation logged, in its order
  std::string environment;                // in which it was compiled; empty when it was not found
  size_t resources = 0;                   // without virtual ones
  double seconds = 0;
};

// Throws nothing but std::bad_alloc; any thread may call it.
CatalogAnswer compile_catalog(Service& service, const CatalogRequest& request);

// --- the steps, for callers that have a Compilation of their own ---

// What is known before anything is evaluated: among that the version, for which a command of the
// environment may be run. Throws EvaluationError.
CatalogJsonOptions catalog_options(Compilation& compilation, const CatalogForm& form);

// The type of checksums in a static catalog; empty when the catalog is to be none. Throws
// EvaluationError when the agent and this side have no type in common.
std::string_view static_checksum_type(Compilation& compilation, const CatalogForm& form);

// The catalog of a compilation that is done; static where there is a type of checksums. Throws
// EvaluationError.
std::string catalog_json(Compilation& compilation, JsonForm form, CatalogJsonOptions options,
                         std::string_view checksum_type);

// "Evaluation Error: " and the like: what the reference puts before an error of this kind.
std::string message_prefix(ErrorKind kind, std::string_view environment);

}  // namespace bunraku::compilation
