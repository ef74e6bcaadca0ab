#include "catalog/compiler/catalog_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

#include "catalog/compiler/compiler.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/static_catalog.h"
#include "pcore/flattened.h"
#include "pcore/serialization.h"
#include "base/formats/json.h"
#include "base/diagnostics/log.h"

namespace bunraku {
namespace {

bool holds_reference(Value value) {
  if (value.is_type()) return is_reference(*value.as_type());
  if (value.is_array()) {
    const std::span<const Value> items = value.as_array();
    return std::any_of(items.begin(), items.end(), holds_reference);
  }
  if (value.is_hash()) {
    const HashObject& hash = value.as_hash();
    return std::any_of(hash.begin(), hash.end(), [](const HashEntry& entry) {
      return holds_reference(entry.key) || holds_reference(entry.value);
    });
  }
  return false;
}

// Is it a reference, or an array with one in it, at any depth? Hashes are not looked into.
bool lists_reference(Value value) {
  if (value.is_type()) return is_reference(*value.as_type());
  if (!value.is_array()) return false;
  const std::span<const Value> items = value.as_array();
  return std::any_of(items.begin(), items.end(), lists_reference);
}

// References in parameters are written as text. Those within Sensitive and Deferred values stay
// types.
Value with_references_as_text(Arena& arena, Value value) {
  if (value.is_type() && is_reference(*value.as_type())) {
    return Value::string(arena, reference_text(value));
  }
  if (value.is_array()) {
    ArrayBuilder items(arena, value.as_array().size());
    for (const Value item : value.as_array()) items.push(with_references_as_text(arena, item));
    return items.finish();
  }
  if (value.is_hash()) {
    HashBuilder hash(arena, value.as_hash().size);
    for (const HashEntry& entry : value.as_hash()) {
      hash.set(with_references_as_text(arena, entry.key),
               with_references_as_text(arena, entry.value));
    }
    return hash.finish();
  }
  return value;
}

// Values that have to become strings are as bad as the setting `strict` says.
class ConversionReporter final : public DiagnosticSink {
 public:
  ConversionReporter(Evaluator& evaluator, const Resource& resource)
      : evaluator_(evaluator), resource_(resource) {}

  void report(Diagnostic diagnostic) override {
    // The reference's texts grow with each value of a resource that it tells of.
    if (told_.empty()) told_ = resource_.reference();
    told_ += diagnostic.arguments[0];
    diagnostic.arguments[0] = told_;
    diagnostic.primary = resource_.place.range();
    diagnostic.primary.is_whole_line = true;
    switch (evaluator_.settings().strict) {
      case Strictness::kError:
        throw EvaluationError(std::move(diagnostic));
      case Strictness::kOff:
      case Strictness::kWarning:
        diagnostic.severity = Severity::kWarning;
        if (LogSink* log = evaluator_.host().log) log->log(log_record(diagnostic));
    }
  }

 private:
  Evaluator& evaluator_;
  const Resource& resource_;
  std::string told_;
};

class CatalogWriter {
 public:
  CatalogWriter(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options)
      : json_(json), compiler_(compiler), catalog_(compiler.catalog()), options_(options) {}

  void write() {
    json_.begin_object();
    write_tags();
    json_.member("name", compiler_.node().name);
    json_.key("version");
    if (options_.version_is_time) {
      json_.integer(options_.version_time);
    } else {
      json_.string(options_.version);
    }
    json_.key("code_id");
    options_.code_id ? json_.string(*options_.code_id) : json_.null();
    json_.member("catalog_uuid", options_.uuid);
    json_.member("catalog_format", int64_t{2});
    json_.member("environment", compiler_.environment().name());
    json_.key("resources");
    json_.begin_array();
    for (const Resource* resource : catalog_.resources()) {
      if (is_shown(*resource)) write_resource(*resource);
    }
    json_.end_array();
    write_edges();
    json_.key("classes");
    json_.begin_array();
    for (const std::string_view name : catalog_.classes()) json_.string(name);
    json_.end_array();
    if (options_.metadata != nullptr) options_.metadata->write(json_);
    json_.end_object();
  }

 private:
  struct Attribute {
    Name name;
    Value value;
  };

  bool is_shown(const Resource& resource) const {
    return !resource.is_virtual || options_.include_virtual;
  }

  // The classes' tags come first, as if they were added anew.
  void write_tags() {
    Arena arena;
    TagSet tags;
    for (const std::string_view name : catalog_.classes()) add_tag(arena, tags, name);
    tags.merge(arena, catalog_.tags());
    write_tag_list(tags);
  }

  void write_tag_list(const TagSet& tags) {
    json_.key("tags");
    json_.begin_array();
    for (const Name tag : tags) json_.string(tag.text());
    json_.end_array();
  }

  void write_resource(const Resource& resource) {
    json_.begin_object();
    json_.member("type", resource.type.text());
    json_.member("title", resource.title);
    write_tag_list(resource.tags);
    if (resource.place.program != nullptr) {
      const std::string& path = resource.place.program->path();
      json_.member("file", path);
      json_.member("line",
                   int64_t{resource.place.program->position(*resource.place.expression).line});
    }
    const bool kind_first = resource.is_from_function && !resource.is_exported;
    if (kind_first) json_.member("kind", name_of(resource.kind));
    json_.key("exported");
    json_.boolean(resource.is_exported);
    if (!kind_first) json_.member("kind", name_of(resource.kind));
    if (resource.is_virtual) {
      json_.key("virtual");
      json_.boolean(true);
    }
    write_parameters(resource);
    if (!resource.sensitive.empty()) {
      json_.key("sensitive_parameters");
      json_.begin_array();
      for (const Name name : resource.sensitive) json_.string(name.text());
      json_.end_array();
    }
    json_.end_object();
  }

  void set(Name name, Value value) {
    const auto same = std::find_if(attributes_.begin(), attributes_.end(),
                                   [&](const Attribute& other) { return other.name == name; });
    if (same == attributes_.end()) {
      attributes_.push_back({name, value});
    } else {
      same->value = value;
    }
  }

  Value flat_array(Value array, bool drops_undef) {
    ArrayBuilder items(catalog_.arena());
    for (const Value item : flattened(catalog_.arena(), array.as_array())) {
      if (!drops_undef || !item.is_undef()) items.push(item);
    }
    return items.finish();
  }

  // What the title gives comes first; explicit values take its place.
  void collect_attributes(const Resource& resource, Name namevar) {
    static const Name kName("name");
    attributes_.clear();
    if (!parse_title(resource, parts_)) {
      fail(fmt::format("No set of title patterns matched the title \"{}\".", resource.title));
    }
    for (const TitlePart& part : parts_) set(part.attribute, part.value);
    for (const ResourceParameter& parameter : resource.parameters) {
      if (parameter.value.is_undef()) continue;
      Value value = parameter.value;
      if (resource.is_sensitive(parameter.name)) {
        set(parameter.name == kName ? namevar : parameter.name, value);
        continue;
      }
      const bool is_relationship = is_relationship_metaparameter(parameter.name);
      if (is_relationship) value = compiler_.extended(value);
      if (holds_reference(value) || is_relationship) {
        if (value.is_array() && (is_relationship || lists_reference(value))) {
          value = flat_array(value, is_relationship);
        }
        value = with_references_as_text(catalog_.arena(), value);
      }
      set(parameter.name == kName ? namevar : parameter.name, value);
    }
  }

  // What cannot be written is told at the place of the resource.
  void write_parameters(const Resource& resource) {
    try {
      static const Name kName("name");
      const Name namevar = resource.native != nullptr ? resource.native->namevar() : kName;
      collect_attributes(resource, namevar);
      write_attributes(resource, namevar);
    } catch (const EvaluationError& error) {
      Diagnostic diagnostic = error.diagnostic();
      if (diagnostic.primary.file != nullptr) throw;
      diagnostic.primary = resource.place.range();
      diagnostic.primary.is_whole_line = true;
      throw EvaluationError(std::move(diagnostic), ErrorKind::kEvaluation);
    }
  }

  void write_attributes(const Resource& resource, Name namevar) {
    bool is_open = false;
    ConversionReporter conversions(compiler_.evaluator(), resource);
    for (const Attribute& attribute : attributes_) {
      if (attribute.name == namevar && resource.is_title(attribute.value)) continue;
      if (!is_open) {
        json_.key("parameters");
        json_.begin_object();
        is_open = true;
      }
      json_.key(attribute.name.text());
      write_value(attribute, conversions);
    }
    if (is_open) json_.end_object();
  }

  void write_value(const Attribute& attribute, ConversionReporter& conversions) {
    if (options_.rich_data) {
      return write_rich_data(json_, attribute.value, true, TypeForm::kPcore);
    }
    const std::string path = fmt::format("['{}']", attribute.name.text());
    write_rich_data(json_, attribute.value, false, TypeForm::kPcore, path, &conversions);
  }

  void write_edges() {
    json_.key("edges");
    json_.begin_array();
    for (const Resource* target : catalog_.resources()) {
      if (!is_shown(*target)) continue;
      for (const Resource* source : target->containers) {
        if (!is_shown(*source)) continue;
        json_.begin_object();
        write_reference("source", *source);
        write_reference("target", *target);
        json_.end_object();
      }
    }
    json_.end_array();
  }

  void write_reference(std::string_view key, const Resource& resource) {
    reference_.clear();
    resource.append_reference(reference_);
    json_.member(key, reference_);
  }

  JsonWriter& json_;
  Compiler& compiler_;
  Catalog& catalog_;
  const CatalogJsonOptions& options_;
  // Used again and again.
  std::vector<TitlePart> parts_;
  std::vector<Attribute> attributes_;
  std::string reference_;
};

}  // namespace

void write_catalog(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options) {
  CatalogWriter(json, compiler, options).write();
}

std::string make_uuid() {
  std::random_device random;
  uint32_t words[4];
  for (uint32_t& word : words) word = random();
  words[1] = (words[1] & 0xFFFF0FFF) | 0x4000;
  words[2] = (words[2] & 0x3FFFFFFF) | 0x80000000;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", words[0], words[1] >> 16,
                     words[1] & 0xFFFF, words[2] >> 16, words[2] & 0xFFFF, words[3]);
}

}  // namespace bunraku
