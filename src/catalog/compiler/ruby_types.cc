#include "catalog/compiler/ruby_types.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <unordered_map>

#include "base/formats/json.h"
#include "base/memory/data_names.h"
#include "base/regex/regex.h"
#include "base/system/file_reader.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/reads.h"
#include "base/text/digest.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/generated_types.h"
#include "evaluation/evaluator.h"
#include "ruby/worker/prelude.h"
#include "serialization/serialization.h"

namespace bunraku {
namespace {

Value member(Value description, std::string_view key) {
  const Value* found = description.is_hash() ? description.as_hash().find(key) : nullptr;
  return found == nullptr ? Value() : *found;
}

std::span<const Value> items(Value value) {
  return value.is_array() ? value.as_array() : std::span<const Value>();
}

std::vector<Name> names(Value list) {
  std::vector<Name> all;
  for (const Value name : items(list)) {
    if (name.is_string()) all.emplace_back(name.as_string());
  }
  return all;
}

void create_directories(const std::string& directory) {
  for (size_t at = directory.find('/', 1); at != std::string::npos;
       at = directory.find('/', at + 1)) {
    mkdir(directory.substr(0, at).c_str(), 0755);
  }
  mkdir(directory.c_str(), 0755);
}

// Asks a worker about a resource type that `file` defines.
Value ask_worker(Evaluator& evaluator, std::string_view method, std::span<const Value> arguments,
                 Name type, const std::string& file, const Place& place) {
  const std::string subject = fmt::format("The resource type '{}'", type.text());
  RubyRequest request;
  request.method = method;
  request.arguments = arguments;
  request.place = place;
  request.subject = subject;
  request.file = file;
  RubyHost* ruby = evaluator.host().ruby;
  if (ruby == nullptr) {
    evaluator.fail(Issue::kRubyUnavailable, place,
                   {subject, fmt::format(" ({})", file), "there is none here"});
  }
  return ruby->call(request);
}

// Parses titles in a worker, each title once.
class RubyTitleParser final : public TitleParser {
 public:
  RubyTitleParser(Evaluator& evaluator, Name type, std::string file)
      : evaluator_(evaluator), type_(type), file_(std::move(file)) {}

  bool parse(std::string_view title, std::vector<TitlePart>& parts) override {
    auto [known, is_new] = known_.try_emplace(std::string(title));
    if (is_new) known->second = ask(title);
    if (!known->second.is_hash()) return false;
    for (const HashEntry& entry : known->second.as_hash()) {
      if (!entry.value.is_undef()) parts.push_back({data_name(entry.key.as_string()), entry.value});
    }
    return true;
  }

 private:
  Value ask(std::string_view title) {
    const Value arguments[] = {Value::string(type_.text()), Value::string(file_),
                               Value::string(title)};
    return ask_worker(evaluator_, "types.parse_title", arguments, type_, file_, Place{});
  }

  Evaluator& evaluator_;
  Name type_;
  std::string file_;
  std::unordered_map<std::string, Value> known_;  // a hash; undef when no pattern matches
};

}  // namespace

RubyTypes::RubyTypes(const Environment& environment, Loader& loader, Evaluator& evaluator,
                     std::string directory)
    : environment_(environment),
      loader_(loader),
      evaluator_(evaluator),
      directory_(std::move(directory)) {}

const NativeType* RubyTypes::load(Name name, const std::string& path, const Place& place) {
  if (const NativeType* known = kept_type(name)) return known;
  return make(name, path, described(name, path, place));
}

const NativeType* RubyTypes::kept_type(Name name) const {
  return ReadObserver::current() == nullptr ? environment_.kept_type(name) : nullptr;
}

Value RubyTypes::described(Name name, const std::string& path, const Place& place) {
  // Another prelude might describe types differently.
  const std::string key =
      digest_hex(DigestAlgorithm::kSha256,
                 fmt::format("{}\n{}\n{}", prelude_digest(), path, loader_.digest(path)));
  const std::string file = directory_.empty()
                               ? std::string()
                               : fmt::format("{}/{}-{}.json", directory_, name.text(), key);
  if (const Value known = kept(file); known.is_hash()) return known;

  // The error message for code that uses the type differs from that for a request of the type.
  const Value arguments[] = {Value::string(name.text()), Value::string(path),
                             Value::boolean(place.expression != nullptr)};
  const Value description = ask_worker(evaluator_, "types.describe", arguments, name, path, place);
  keep(file, description);
  return description;
}

// Returns undef when there is no description, or when a file that took part has changed.
Value RubyTypes::kept(const std::string& file) {
  if (file.empty() || !is_file(file)) return {};
  Arena& arena = evaluator_.arena();
  try {
    FileReader reader(file);
    // The file decides on catalogs, so only a private one is trusted.
    if (!reader.is_private()) return {};
    const Value record = read_json(arena, arena.copy(reader.read_all()), file);
    for (const Value part : items(member(record, "digests"))) {
      const std::span<const Value> pair = items(part);
      if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return {};
      const std::string path(pair[0].as_string());
      if (!is_file(path) || loader_.digest(path) != pair[1].as_string()) return {};
    }
    return member(record, "type");
  } catch (const FileError&) {
    return {};
  } catch (const EvaluationError&) {
    return {};
  }
}

// A description that cannot be written only costs time, so errors are ignored.
void RubyTypes::keep(const std::string& file, Value description) {
  if (file.empty()) return;
  Arena& arena = evaluator_.arena();
  try {
    ArrayBuilder digests(arena);
    for (const Value path : items(member(description, "files"))) {
      if (!path.is_string()) return;
      const std::string digest = loader_.digest(std::string(path.as_string()));
      digests.push(Value::array(arena, {path, Value::string(arena, digest)}));
    }
    HashBuilder record(arena);
    record.set("digests", digests.finish());
    record.set("type", description);
    std::string text;
    JsonWriter writer(text);
    write_rich_data(writer, record.finish(), false, TypeForm::kText);
    create_directories(directory_);
    write_file(file, text, NewFile{.mode = 0644, .is_synced = false});
  } catch (const FileError&) {
  } catch (const EvaluationError&) {
  }
}

const NativeType* RubyTypes::make(Name name, const std::string& path, Value description) {
  auto type = std::make_shared<NativeType>();
  type->name = name;
  type->is_isomorphic = member(description, "isomorphic").is_truthy();
  type->key_attributes = names(member(description, "keys"));
  type->properties = names(member(description, "properties"));
  type->parameters = names(member(description, "parameters"));
  static const Name kProvider("provider");
  if (!member(description, "has_schema").is_truthy() && !type->has_attribute(kProvider)) {
    if (member(description, "has_provider").is_truthy()) {
      type->parameters.push_back(kProvider);
    } else {
      type->has_provider = [environment = &environment_, module = environment_.module_of(path),
                            directory = fmt::format("lib/puppet/provider/{}", name.text())] {
        return environment->has_directory(directory, module);
      };
    }
  }
  if (member(description, "changes_titles").is_truthy()) {
    title_parsers_.push_back(std::make_unique<RubyTitleParser>(evaluator_, name, path));
    type->title_parser = title_parsers_.back().get();
  }
  for (const Value pattern : items(member(description, "patterns"))) {
    const std::span<const Value> parts = items(pattern);
    if (parts.size() != 2 || !parts[0].is_string()) continue;
    std::vector<Name> captures = names(parts[1]);
    const bool is_whole = parts[0].as_string() == "(?m-ix:(.*))" && captures.size() == 1;
    try {
      type->title_patterns.push_back(
          {is_whole ? nullptr : Regex::compile(parts[0].as_string()), std::move(captures)});
    } catch (const RegexError& error) {
      fail(Issue::kUnusableType,
           {fmt::format("The resource type '{}' has a title pattern that cannot be used: {}",
                        name.text(), error.what())});
    }
  }
  return add(std::move(type));
}

const NativeType* RubyTypes::load_generated(Name name) {
  if (const NativeType* known = kept_type(name)) return known;
  if (environment_.directory().empty()) return nullptr;
  const std::string path =
      fmt::format("{}/.resource_types/{}.pp", environment_.directory(), name.text());
  if (!is_file(path)) return nullptr;
  const ParsedFilePointer file = environment_.parse(path);
  auto type = std::make_shared<NativeType>();
  type->name = name;
  if (!read_generated(*file->program, *type)) {
    fail(Issue::kUnusableType,
         {fmt::format("The file {} does not define the resource type '{}'", path, name.text())});
  }
  return add(std::move(type));
}

const NativeType* RubyTypes::add(std::shared_ptr<NativeType> type) {
  type->sorted_key_attributes = type->key_attributes;
  std::sort(type->sorted_key_attributes.begin(), type->sorted_key_attributes.end(),
            [](Name a, Name b) { return a.text() < b.text(); });
  // A kept type would hide the read files from an observer.
  const bool is_kept = type->title_parser == nullptr && ReadObserver::current() == nullptr;
  const Name name = type->name;
  if (is_kept) return environment_.keep_type(name, std::move(type));
  types_.push_back(std::move(type));
  return types_.back().get();
}

}  // namespace bunraku
