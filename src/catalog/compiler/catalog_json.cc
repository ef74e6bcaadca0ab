// Conversion of the compiler's resources into plain data.
#include "catalog/compiler/catalog_json.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "base/diagnostics/log.h"
#include "base/formats/data_tree_writer.h"
#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "catalog/compiler/compiler.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/references.h"
#include "catalog/compiler/static_catalog.h"
#include "catalog/document/catalog_writer.h"
#include "serialization/serialization.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku {
namespace {

bool holds_reference(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_type()) return is_reference(*value.as_type());
  if (value.is_array()) {
    const std::span<const Value> items = value.as_array();
    return std::ranges::any_of(items, holds_reference);
  }
  if (value.is_hash()) {
    const HashObject& hash = value.as_hash();
    return std::ranges::any_of(hash, [](const HashEntry& entry) {
      return holds_reference(entry.key) || holds_reference(entry.value);
    });
  }
  return false;
}

// Returns whether the value is a reference, or an array that contains one at any depth. Hashes are
// not searched.
bool lists_reference(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_type()) return is_reference(*value.as_type());
  if (!value.is_array()) return false;
  const std::span<const Value> items = value.as_array();
  return std::ranges::any_of(items, lists_reference);
}

// Converts references in parameters into text. Those within Sensitive and Deferred values stay
// types.
Value with_references_as_text(Arena& arena, Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
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

// Reports values that must become strings, with the severity of the setting `strict`.
class ConversionReporter final : public DiagnosticSink {
 public:
  ConversionReporter(Evaluator& evaluator, const Resource& resource)
      : evaluator_(evaluator), resource_(resource) {}

  // Sets the attribute that further reports are about.
  void enter(Name attribute) { attribute_ = attribute; }

  void report(Diagnostic diagnostic) override {
    // In the reference, the text grows with each reported value of a resource.
    if (shown_.empty()) shown_ = resource_.reference();
    shown_ += fmt::format("['{}']{}", attribute_.text(), diagnostic.arguments[0]);
    diagnostic.arguments[0] = shown_;
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
  Name attribute_;
  std::string shown_;
};

class DocumentMaker {
 public:
  // The owner of the document's texts: the document, or the compiler, which must then outlive it.
  enum class Texts : uint8_t { kOwn, kOfCompiler };

  DocumentMaker(Compiler& compiler, const CatalogJsonOptions& options, Texts texts)
      : compiler_(compiler),
        catalog_(compiler.catalog()),
        options_(options),
        texts_(texts),
        values_(made_.arena, kValueDepth) {}

  CatalogDocument make() {
    make_head();
    made_.resources.reserve(catalog_.resources().size());
    for (const Resource* resource : catalog_.resources()) {
      if (is_shown(*resource)) make_resource(*resource, made_.resources.emplace_back());
    }
    make_tail();
    return std::move(made_);
  }

  // Writes the catalog as text, without keeping the resources.
  void write(JsonWriter& json) {
    make_head();
    begin_catalog(json, made_);
    DocumentResource made;
    const auto& resources = catalog_.resources();
    for (size_t i = 0; i < resources.size(); ++i) {
      prefetch(resources, i);
      if (!is_shown(*resources[i])) continue;
      make_resource(*resources[i], made);
      write_resource(json, made);
    }
    make_tail();
    end_catalog(json, made_);
  }

 private:
  // The depth of a parameter's value in the JSON: catalog, array, resource, parameters.
  static constexpr uint32_t kValueDepth = 4;

  struct Attribute {
    Name name;
    Value value;
  };

  void make_head() {
    made_.name = kept(compiler_.node().name);
    made_.environment = kept(compiler_.environment().name());
    made_.version = options_.version_is_time
                        ? DataNode::integer(options_.version_time)
                        : DataNode::text(DataKind::kString, copy(options_.version));
    if (options_.code_id) made_.code_id = copy(*options_.code_id);
    made_.catalog_uuid = copy(options_.uuid);
    add_tags();
    references_.resize(catalog_.resources().size());
  }

  // All resources are more than the processor's nearer memory holds: those that come next are
  // fetched while one is written.
  template <typename Resources>
  static void prefetch(const Resources& resources, size_t at) {
    constexpr size_t kCacheLine = 64;
    if (at + 2 < resources.size()) {
      const auto* next = reinterpret_cast<const char*>(resources[at + 2]);
      for (size_t i = 0; i < sizeof(Resource); i += kCacheLine) __builtin_prefetch(next + i);
    }
    if (at + 1 < resources.size()) {
      __builtin_prefetch(resources[at + 1]->parameters.begin());
      __builtin_prefetch(resources[at + 1]->tags.begin());
    }
  }

  void make_tail() {
    add_edges();
    for (const std::string_view name : catalog_.classes()) made_.classes.push_back(kept(name));
    if (options_.metadata != nullptr) add_metadata();
  }

  std::string_view copy(std::string_view text) { return made_.arena.copy(text); }

  // Returns a text of the compiler, copied unless the compiler owns the document's texts.
  std::string_view kept(std::string_view text) {
    return texts_ == Texts::kOfCompiler ? text : copy(text);
  }

  bool is_shown(const Resource& resource) const {
    return !resource.is_virtual || options_.include_virtual;
  }

  // Adds the classes' tags first, as if they were new.
  void add_tags() {
    Arena arena;
    TagSet tags;
    for (const std::string_view name : catalog_.classes()) add_tag(arena, tags, name);
    tags.merge(arena, catalog_.tags());
    for (const Name tag : tags) made_.tags.push_back(copy(tag.text()));
  }

  void add_metadata() {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    options_.metadata->write(json);
    json.end_object();
    const DataNode members = read_json(copy(text), made_.arena);
    if (const DataNode* files = members.find("metadata")) made_.metadata = *files;
    if (const DataNode* directories = members.find("recursive_metadata")) {
      made_.recursive_metadata = *directories;
    }
  }

  // `made` may hold another resource; its memory is reused.
  void make_resource(const Resource& resource, DocumentResource& made) {
    made.reference = kept(resource.reference_text);
    references_[resource.number] = made.reference;
    made.type = kept(resource.type.text());
    made.title = kept(resource.title);
    made.kind = name_of(resource.kind);
    made.is_kind_first = resource.is_from_function && !resource.is_exported;
    made.is_exported = resource.is_exported;
    made.is_virtual = resource.is_virtual;
    made.tags.clear();
    made.tags.reserve(resource.tags.size());
    for (const Name tag : resource.tags) made.tags.push_back(kept(tag.text()));
    made.file = {};
    made.line = 0;
    if (resource.place.program != nullptr) {
      made.file = path_of(resource.file());
      made.line = resource.place.program->position(*resource.place.expression).line;
    }
    made.sensitive.clear();
    for (const Name name : resource.sensitive) made.sensitive.push_back(kept(name.text()));
    add_parameters(resource, made);
  }

  // Successive resources are mostly of the same file.
  std::string_view path_of(const std::string& path) {
    if (path != last_file_) {
      last_file_ = path;
      last_path_ = copy(compiler_.environment().reported_path(path));
    }
    return last_path_;
  }

  // A catalog has parameter names in lower case, whatever the class or define declares; of two
  // names that differ only in case, the later one is used.
  static Name parameter_name(Name name, Name namevar) {
    static const Name kName("name");
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::ranges::any_of(name.text(), is_capital)) name = Name(downcase(name.text()));
    return name == kName ? namevar : name;
  }

  void set(Name name, Value value) {
    const auto name_at = [this](size_t i) { return attributes_[i].name; };
    const size_t same = index_.find(name, attributes_.size(), name_at);
    if (same == NameIndex::kNowhere) {
      attributes_.push_back({name, value});
      index_.extend(catalog_.arena(), attributes_.size(), name_at);
    } else {
      attributes_[same].value = value;
    }
  }

  Value flat_array(Value array, bool drops_undef) {
    ArrayBuilder items(catalog_.arena());
    for (const Value item : flattened(catalog_.arena(), array.as_array())) {
      if (!drops_undef || !item.is_undef()) items.push(item);
    }
    return items.finish();
  }

  // Attributes from the title are first; explicit values replace them.
  void collect_attributes(const Resource& resource, Name namevar) {
    attributes_.clear();
    index_ = {};
    if (!parse_title(resource, parts_)) {
      fail(Issue::kUnmatchedTitle, {std::string(resource.title)});
    }
    for (const TitlePart& part : parts_) set(part.attribute, part.value);
    for (const ResourceParameter& parameter : resource.parameters) {
      if (parameter.value.is_undef()) continue;
      Value value = parameter.value;
      if (resource.is_sensitive(parameter.name)) {
        set(parameter_name(parameter.name, namevar), value);
        continue;
      }
      const bool is_relationship = is_relationship_metaparameter(parameter.name);
      if (is_relationship) value = compiler_.extended(value);
      if (holds_reference(value) || is_relationship) {
        if (value.is_array() && (is_relationship || lists_reference(value))) {
          value = flat_array(value, is_relationship);
        }
        if (!options_.keeps_references) value = with_references_as_text(catalog_.arena(), value);
      }
      set(parameter_name(parameter.name, namevar), value);
    }
  }

  // A value that cannot be serialized is reported at the place of the resource.
  void add_parameters(const Resource& resource, DocumentResource& made) {
    try {
      static const Name kName("name");
      const Name namevar = resource.native != nullptr ? resource.native->namevar() : kName;
      collect_attributes(resource, namevar);
      add_attributes(resource, namevar, made);
    } catch (const EvaluationError& error) {
      Diagnostic diagnostic = error.diagnostic();
      if (diagnostic.primary.file != nullptr) throw;
      diagnostic.primary = resource.place.range();
      diagnostic.primary.is_whole_line = true;
      throw EvaluationError(std::move(diagnostic), ErrorKind::kEvaluation);
    }
  }

  void add_attributes(const Resource& resource, Name namevar, DocumentResource& made) {
    ConversionReporter conversions(compiler_.evaluator(), resource);
    made.parameters.clear();
    made.parameters.reserve(attributes_.size());
    for (const Attribute& attribute : attributes_) {
      if (attribute.name == namevar && resource.is_title(attribute.value)) continue;
      made.add(kept(attribute.name.text()), data_of(attribute, conversions));
    }
  }

  DataNode data_of(const Attribute& attribute, ConversionReporter& conversions) {
    const Value value = attribute.value;
    if (value.is_boolean()) return DataNode::boolean(value.as_boolean());
    if (value.is_string() && !value.is_byte_string() && is_valid_utf8(value.as_string())) {
      return DataNode::text(DataKind::kString, kept(value.as_string()));
    }
    conversions.enter(attribute.name);
    // Without rich data, references are text.
    const bool keeps_references = options_.rich_data && options_.keeps_references;
    const TypeForm form = keeps_references ? TypeForm::kText : TypeForm::kPcore;
    write_rich_data(values_, value, options_.rich_data, form, {}, &conversions);
    return values_.finish();
  }

  void add_edges() {
    for (const Resource* target : catalog_.resources()) {
      if (!is_shown(*target)) continue;
      for (const Resource* source : target->containers) {
        if (!is_shown(*source)) continue;
        made_.edges.push_back({references_[source->number], references_[target->number]});
      }
    }
  }

  Compiler& compiler_;
  Catalog& catalog_;
  const CatalogJsonOptions& options_;
  const Texts texts_;
  CatalogDocument made_;
  DataTreeWriter values_;
  std::vector<std::string_view> references_;  // by the index of the resource
  std::string_view last_file_, last_path_;    // of path_of()
  // Reused for each resource.
  std::vector<TitlePart> parts_;
  std::vector<Attribute> attributes_;
  NameIndex index_;  // of attributes_
};

}  // namespace

CatalogDocument catalog_document(Compiler& compiler, const CatalogJsonOptions& options) {
  return DocumentMaker(compiler, options, DocumentMaker::Texts::kOwn).make();
}

void write_catalog(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options) {
  DocumentMaker(compiler, options, DocumentMaker::Texts::kOfCompiler).write(json);
}

std::string make_uuid() {
  uint32_t words[4];
  if (getentropy(words, sizeof words) != 0) throw std::system_error(errno, std::generic_category());
  words[1] = (words[1] & 0xFFFF0FFF) | 0x4000;
  words[2] = (words[2] & 0x3FFFFFFF) | 0x80000000;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:04x}{:08x}", words[0], words[1] >> 16,
                     words[1] & 0xFFFF, words[2] >> 16, words[2] & 0xFFFF, words[3]);
}

}  // namespace bunraku
