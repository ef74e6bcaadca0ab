#include "ruby/erb/template.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/text/text_hash.h"
#include "base/text/utf8.h"
#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

namespace {

// Returns whether the source starts with a comment that sets the encoding or frozen strings.
bool has_magic_comment(std::string_view source) {
  if (!source.starts_with("<%#")) return false;
  const std::string_view first = source.substr(0, source.find('\n'));
  return first.find("coding") != first.npos || first.find("frozen") != first.npos;
}

// Hashes sources fast: they are long, and are hashed at each rendering.
struct SourceHash {
  using is_transparent = void;
  size_t operator()(std::string_view source) const {
    return XXH3_64bits_withSeed(source.data(), source.size(), text_hash({}));
  }
};

// Templates by source. A cache that has grown too large is emptied; users keep the templates in
// use.
class Cache {
 public:
  std::shared_ptr<const Template> find(std::string_view source) {
    {
      const std::lock_guard lock(mutex_);
      auto found = templates_.find(source);
      if (found != templates_.end()) return found->second;
    }
    auto compiled = std::make_shared<const Template>(source);
    const std::lock_guard lock(mutex_);
    if (bytes_ > kMostBytes || templates_.size() >= kMostTemplates) {
      templates_.clear();
      bytes_ = 0;
    }
    if (templates_.try_emplace(std::string(source), compiled).second) bytes_ += source.size();
    return compiled;
  }

 private:
  static constexpr size_t kMostBytes = 32u << 20;
  // A compiled template takes some kilobytes, however short its source; inline templates may differ
  // between nodes.
  static constexpr size_t kMostTemplates = 1000;

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Template>, SourceHash, std::equal_to<>>
      templates_;
  size_t bytes_ = 0;
};

}  // namespace

Template::Template(std::string_view source) {
  find_variables(source);
  if (!is_valid_utf8(source)) {
    obstacle_ = {1, "text that is not UTF-8"};
    return;
  }
  if (has_marks(source) || has_magic_comment(source)) {
    obstacle_ = {1, has_marks(source) ? "a control character" : "a comment with settings"};
    return;
  }
  script_ = make_script(source);
  try {
    parsed_ = parse_script(script_, arena_);
    // Code that uses "instance_variable" may compute other names at run time.
    if (source.find("instance_variable") == std::string_view::npos) {
      named_variables_.instance = parsed_.instance_variables;
    }
  } catch (Obstacle& obstacle) {
    obstacle_ = std::move(obstacle);
  }
}

void Template::find_variables(std::string_view source) {
  named_variables_ = find_named_variables(source);
  for (std::string_view& name : named_variables_.looked_up) name = arena_.copy(name);
  if (!named_variables_.instance) return;
  for (std::string_view& name : *named_variables_.instance) name = arena_.copy(name);
}

void Template::render(TemplateScope& scope, std::string& text, int& line) const {
  Interpreter interpreter(parsed_, scope, text, weak_from_this().lock());
  try {
    interpreter.run();
    interpreter.report_changes();
  } catch (const Obstacle&) {
    if (parsed_.possible_obstacle) has_met_obstacle_.store(true, std::memory_order_relaxed);
    line = interpreter.line();
    throw;
  } catch (...) {
    line = interpreter.line();
    throw;
  }
}

std::shared_ptr<const Template> compiled_template(std::string_view source) {
  static Cache cache;
  return cache.find(source);
}

}  // namespace bunraku::erb
