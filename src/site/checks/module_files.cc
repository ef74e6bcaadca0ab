// Checks of metadata.json and Puppetfile.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/diagnostics/file_range.h"
#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "site/checks/file_check.h"
#include "validation/ruby_json.h"
#include "values/sem_ver.h"

namespace bunraku::checks {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// "owner-name" or "owner/name"
bool is_full_name(std::string_view name) {
  const size_t separator = name.find_first_of("-/");
  return separator != name.npos && is_word(name.substr(0, separator)) &&
         is_word(name.substr(separator + 1));
}

std::string dashed(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '/', '-');
  return text;
}

class MetadataCheck {
 public:
  MetadataCheck(SourcePointer source, DiagnosticList& problems)
      : source_(std::move(source)), problems_(problems) {}

  void check() {
    Arena arena;
    DataNode metadata;
    try {
      metadata = read_ruby_json(source_->text(), arena);
    } catch (const DataError& error) {
      return report(range_at(source_, error.line(), error.column()), error.what());
    }
    if (!metadata.is(DataKind::kHash)) return report("", "metadata.json must hold an object");
    check_name(metadata.find("name"));
    check_version(metadata.find("version"));
    for (const std::string_view key : {"author", "license", "source"}) {
      check_text(key, metadata.find(key), Severity::kError);
    }
    // The reference does not read the summary.
    check_text("summary", metadata.find("summary"), Severity::kWarning);
    check_dependencies(metadata.find("dependencies"));
  }

 private:
  void report(Range range, std::string message, Severity severity = Severity::kError) {
    Diagnostic problem =
        make_diagnostic(Issue::kInvalidDataFile, std::move(range), {std::move(message)});
    problem.severity = severity;
    problems_.report(std::move(problem));
  }

  // Reports at the first occurrence of the quoted text; empty: for the whole file.
  void report(std::string_view word, std::string message, Severity severity = Severity::kError) {
    const std::string quoted = fmt::format("\"{}\"", word);
    const size_t at = word.empty() ? std::string_view::npos : source_->text().find(quoted);
    if (at == std::string_view::npos) {
      return report(range_at(source_, 1), std::move(message), severity);
    }
    const Location location{static_cast<uint32_t>(at), static_cast<uint32_t>(quoted.size())};
    report(Range{source_, location}, std::move(message), severity);
  }

  static bool is_given(const DataNode* value) {
    return value != nullptr && !value->is(DataKind::kNull);
  }

  void check_text(std::string_view key, const DataNode* value, Severity severity) {
    if (!is_given(value)) {
      report(value == nullptr ? "" : key, fmt::format("'{}' is missing", key), severity);
    } else if (!value->is(DataKind::kString)) {
      report(key, fmt::format("'{}' must be a string", key), severity);
    }
  }

  void check_name(const DataNode* name) {
    if (!is_given(name) || !name->is(DataKind::kString)) {
      return check_text("name", name, Severity::kError);
    }
    // Modules of a control repository are not published, and work without an owner.
    if (!is_full_name(name->text_value())) {
      report(name->text_value(),
             fmt::format("'{}' is not of the form owner-name, under which modules are published",
                         name->text_value()),
             Severity::kWarning);
    }
  }

  void check_version(const DataNode* version) {
    if (!is_given(version)) return check_text("version", version, Severity::kError);
    Arena arena;
    if (!version->is(DataKind::kString) || !is_version(arena, version->text_value())) {
      report("version", "'version' must be a semantic version, as \"1.2.3\"");
    }
  }

  static bool is_version(Arena& arena, std::string_view text) {
    try {
      return parse_sem_ver(arena, text) != nullptr;
    } catch (const EvaluationError&) {
      return false;
    }
  }

  static bool is_range(Arena& arena, std::string_view text) {
    try {
      return parse_sem_ver_range(arena, text) != nullptr;
    } catch (const EvaluationError&) {
      return false;
    }
  }

  void check_dependencies(const DataNode* dependencies) {
    if (!is_given(dependencies)) {
      return check_text("dependencies", dependencies, Severity::kError);
    }
    if (!dependencies->is(DataKind::kArray)) {
      return report("dependencies", "'dependencies' must be an array");
    }
    Arena arena;
    std::vector<std::string> seen;
    for (const DataNode& dependency : dependencies->items()) {
      const DataNode* name = dependency.find("name");
      if (name == nullptr || !name->is(DataKind::kString) || !is_full_name(name->text_value())) {
        report("dependencies", "each dependency needs a 'name' of the form owner-name");
        continue;
      }
      const std::string full = dashed(name->text_value());
      if (std::ranges::find(seen, full) != seen.end()) {
        report(name->text_value(), fmt::format("the dependency '{}' is listed twice", full));
      }
      seen.push_back(full);
      const DataNode* range = dependency.find("version_requirement");
      if (range == nullptr) continue;
      if (!range->is(DataKind::kString) || !is_range(arena, range->text_value())) {
        report(name->text_value(),
               fmt::format("the version_requirement of '{}' is not a range of versions", full));
      }
    }
  }

  SourcePointer source_;
  DiagnosticList& problems_;
};

}  // namespace

void check_metadata(const std::string& path, DiagnosticList& problems) {
  MetadataCheck(std::make_shared<SourceFile>(path, read_file(path)), problems).check();
}

// A Puppetfile is a program; its modules are found by the usual forms of its lines.
void check_puppetfile(const std::string& path, DiagnosticList& problems) {
  const auto source = std::make_shared<SourceFile>(path, read_file(path));
  static const Regex* const kModule = Regex::compile(R"(^[ \t]*mod[ \t(]+(['"])([^'"\n]*)\1)");
  std::unordered_map<std::string, Range> seen;
  Captures captures;
  size_t from = 0;
  while (kModule->search(source->text(), from, captures)) {
    from = captures.end();
    const std::string_view name = captures.text(source->text(), 2);
    const auto at = static_cast<uint32_t>(name.data() - source->text().data());
    const Range range{source, {at, static_cast<uint32_t>(name.size())}};
    if (!is_word(name) && !is_full_name(name)) {
      problems.report(make_diagnostic(Issue::kInvalidDataFile, range,
                                      {fmt::format("'{}' is not a name of a module", name)}));
      continue;
    }
    // The directory of "owner-name" is the name.
    const size_t separator = name.find_first_of("-/");
    const std::string directory(separator == name.npos ? name : name.substr(separator + 1));
    const auto [first, is_new] = seen.try_emplace(directory, range);
    if (is_new) continue;
    Diagnostic problem =
        make_diagnostic(Issue::kInvalidDataFile, range,
                        {fmt::format("the module '{}' is listed twice", directory)});
    problem.labels.push_back({first->second, "here first"});
    problems.report(std::move(problem));
  }
}

}  // namespace bunraku::checks
