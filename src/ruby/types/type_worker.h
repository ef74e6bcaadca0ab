// The process that holds types and providers of modules while a catalog is applied, and the
// exchange with it (frames as ruby/worker/session.h describes them, in the Marshal format).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/catalog.h"
#include "ruby/worker/pool.h"

namespace bunraku::ruby_types {

struct WorkerOptions {
  RubyOptions ruby;
  std::vector<std::string> modules;    // directories of modules; their lib is on the load path
  std::vector<std::string> libraries;  // further directories of Ruby code, such as libdir
  std::string run_mode;                // "agent" or "user"
  // Each returns a hash. Called once for each process, when it starts.
  std::function<apply::Datum()> facts;
  std::function<apply::Datum()> settings;
};

// Used by one thread. The process starts with the first call.
class TypeWorker {
 public:
  // `native` are the types that Ruby code may make resources of. It and `log` must outlive this
  // object.
  TypeWorker(WorkerOptions options, const apply::TypeRegistry& native, apply::RunLog& log);
  ~TypeWorker();
  TypeWorker(const TypeWorker&) = delete;
  TypeWorker& operator=(const TypeWorker&) = delete;

  // Sends the request "apply.NAME" and returns its answer. Questions about `catalog` (null: none)
  // are answered meanwhile. Throws Failure for errors that Ruby raises and when the process has
  // ended.
  apply::Datum call(std::string_view name, apply::Datum::List arguments,
                    apply::Catalog* catalog = nullptr);

  // The number of the current or next process, from 1. Resources of earlier processes are gone.
  int64_t generation() const { return generation_; }
  const WorkerOptions& options() const { return options_; }
  apply::RunLog& log() const { return log_; }

 private:
  void start();
  apply::Datum converse(std::string_view name, apply::Datum::List arguments);
  void send(const apply::Datum& message);
  std::string receive();
  void answer(const apply::Datum& question);
  apply::Datum answer_to(std::string_view name, const apply::Datum& arguments);
  apply::Datum answer_about_catalog(std::string_view name, const apply::Datum& arguments);
  [[noreturn]] void lose(std::string reason);

  WorkerOptions options_;
  const apply::TypeRegistry& native_;
  apply::RunLog& log_;
  std::unique_ptr<RubyWorker> worker_;
  apply::Catalog* catalog_ = nullptr;
  bool has_exit_handlers_ = false;  // code is registered for the end of the process
  int64_t generation_ = 1;
  int depth_ = 0;
};

// A reference to a resource for the process: [number or -1, type, title].
apply::Datum reference_of(const apply::Resource& resource, int64_t generation);

}  // namespace bunraku::ruby_types
