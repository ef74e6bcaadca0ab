// Parsed files, shared by all environments and compilations of the process. A file is parsed again
// only when it has changed on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku {

// A parsed and checked file. When the diagnostics have errors, the program must not be used.
struct ParsedFile {
  ProgramPointer program;
  LateDigest digest;  // of the bytes
  std::vector<Diagnostic> diagnostics;
  bool has_errors = false;
  bool has_syntax_errors = false;  // then the static rules were not checked
};
using ParsedFilePointer = std::shared_ptr<const ParsedFile>;

// Input of the static rules: settings, and the file's place among the modules.
struct ParseSettings {
  bool tasks = false;
  Strictness strict = Strictness::kError;
  ModuleLocation location;
};

// Parses and checks code without the cache.
ParsedFilePointer parse_and_validate(SourcePointer source, SourceForm form,
                                     const ParseSettings& settings);

// Safe from any thread.
class ProgramCache {
 public:
  // Throws EvaluationError when the file cannot be read.
  ParsedFilePointer parse(const std::string& path, SourceForm form, const ParseSettings& settings);

  // The cache of the process.
  static ProgramCache& shared();

 private:
  struct Entry {
    FileStamp stamp;
    ParsedFilePointer file;
  };
  // Returns an empty entry for a key that is not cached.
  Entry find(const std::string& key);

  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by form, settings and path
};

}  // namespace bunraku
