// Calls of Ruby code during a run, and answers to its questions.
#include "ruby/types/type_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apply/transaction/transaction.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "ruby/types/counterpart.h"
#include "ruby/types/datum_marshal.h"
#include "ruby/types/service_kinds.h"
#include "serialization/serialization.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/type.h"

namespace bunraku::ruby_types {

using apply::AttributeInfo;
using apply::AttributeKind;
using apply::Catalog;
using apply::Datum;
using apply::Failure;
using apply::Resource;
using apply::ResourceType;

namespace {

// The kinds of messages; see ruby/worker/session.h.
enum ToWorker : int64_t { kRequest = 0, kAnswer = 1, kFailure = 2 };
enum FromWorker : int64_t { kAnswered = 0, kFailed = 1, kAsked = 2 };

// Providers run slow programs: package managers, checkouts. The reference has no limit.
constexpr std::chrono::hours kLongestCall{6};
constexpr std::chrono::minutes kLongestExit{5};

const Datum& item(const Datum& list, size_t at) {
  static const Datum kNull{};
  return at < list.items().size() ? list.items()[at] : kNull;
}

Datum texts(const std::vector<std::string_view>& all) {
  Datum::List list;
  for (const std::string_view text : all) list.push_back(Datum::string(text));
  return Datum::array(std::move(list));
}

// The attributes of a native type, for Ruby code that makes resources of it.
Datum native_type(const ResourceType& type) {
  std::vector<std::string_view> properties, parameters, keys, providers;
  for (const AttributeInfo& info : type.attributes()) {
    (info.kind == AttributeKind::kProperty ? properties : parameters).push_back(info.name);
    if (info.is_namevar) keys.push_back(info.name);
  }
  for (const auto& kind : type.providers()) providers.push_back(kind->name());
  return Datum::hash({{Datum::string("properties"), texts(properties)},
                      {Datum::string("parameters"), texts(parameters)},
                      {Datum::string("keys"), texts(keys)},
                      {Datum::string("providers"), texts(providers)}});
}

// The mismatch between a value and its attribute's declared type; null when there is none.
Datum mismatch(const std::string& subject, const std::string& type_text, const Datum& value,
               bool is_sensitive) {
  Arena arena;
  std::string json_text;
  JsonWriter json(json_text);
  apply::write_json(json, value);
  try {
    const Type* type = parse_type(arena, type_text, nullptr);
    Value actual = value_of(arena, read_json(json_text, arena), "value");
    if (is_sensitive) actual = Value::sensitive(arena, actual);
    return is_instance(type, actual) ? Datum()
                                     : Datum::string(describe_mismatch(subject, type, actual));
  } catch (const std::exception& error) {
    throw Failure(error.what());
  }
}

}  // namespace

Datum reference_of(const Resource& resource, int64_t generation) {
  const Counterpart counterpart = Counterpart::of(resource);
  return Datum::array({Datum::integer(counterpart.is_of(generation) ? counterpart.number : -1),
                       Datum::string(apply::capitalized_type(resource.type().name())),
                       Datum::string(resource.title())});
}

TypeWorker::TypeWorker(WorkerOptions options, const apply::TypeRegistry& native, apply::RunLog& log)
    : options_(std::move(options)), native_(native), log_(log) {}

TypeWorker::~TypeWorker() {
  if (worker_ != nullptr && has_exit_handlers_) {
    worker_->end_orderly(RubyClock::now() + kLongestExit);
  }
}

void TypeWorker::start() {
  if (options_.ruby.use == RubyUse::kNever) {
    throw Failure(
        "Types that are written in Ruby cannot be applied: the option '--ruby never' is set");
  }
  std::string reason;
  // Started without a memory limit; services that providers start outlive it.
  worker_ = RubyWorker::start(options_.ruby.program, 0, reason);
  if (worker_ == nullptr) {
    throw Failure(fmt::format("Types that are written in Ruby cannot be applied: {}", reason));
  }
  const Datum settings = Datum::hash(
      {{Datum::string("modules"), Datum::strings(options_.modules)},
       {Datum::string("libraries"), Datum::strings(options_.libraries)},
       {Datum::string("run_mode"), Datum::string(options_.run_mode)},
       {Datum::string("facts"), options_.facts ? options_.facts() : Datum::hash({})},
       {Datum::string("settings"), options_.settings ? options_.settings() : Datum::hash({})}});
  try {
    converse("configure", {settings});
  } catch (const Failure&) {
    worker_.reset();
    ++generation_;
    throw;
  }
}

Datum TypeWorker::call(std::string_view name, Datum::List arguments, Catalog* catalog) {
  Catalog* const before = std::exchange(catalog_, catalog != nullptr ? catalog : catalog_);
  try {
    if (worker_ == nullptr) start();
    Datum result = converse(name, std::move(arguments));
    catalog_ = before;
    return result;
  } catch (...) {
    catalog_ = before;
    throw;
  }
}

// Requests nest: answering a question may need another request to the process.
Datum TypeWorker::converse(std::string_view name, Datum::List arguments) {
  constexpr int kMostLevels = 100;
  if (depth_ >= kMostLevels) throw Failure("Types in Ruby ask for each other without end");
  struct Level {
    explicit Level(int& depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
    int& depth;
  } const level(depth_);
  send(Datum::array({Datum::integer(kRequest), Datum::string(fmt::format("apply.{}", name)),
                     Datum::array(std::move(arguments)), Datum::integer(0), Datum()}));
  for (;;) {
    Datum message;
    try {
      message = from_marshal(receive());
    } catch (const MarshalError& error) {
      lose(fmt::format("sent {}", error.what()));
    }
    switch (item(message, 0).integer_value()) {
      case kAnswered: {
        const Datum& answer = item(message, 1);
        if (item(answer, 0).is_true()) return item(answer, 1);
        if (item(answer, 2).is_null()) throw Failure(item(answer, 1).to_text());
        throw Failure::wrapping(item(answer, 1).to_text(), item(answer, 2).to_text());
      }
      case kFailed:
        throw Failure(item(message, 1).to_text());
      case kAsked:
        answer(message);
        break;
      default:
        lose("sent a message that cannot be read");
    }
  }
}

void TypeWorker::send(const Datum& message) {
  std::string bytes;
  try {
    bytes = to_marshal(message);
  } catch (const MarshalError& error) {
    throw Failure(error.what());
  }
  if (worker_ == nullptr) throw Failure("The Ruby process has ended");
  switch (worker_->send(bytes, RubyClock::now() + kLongestCall)) {
    case RubyWorker::Outcome::kDone:
      return;
    case RubyWorker::Outcome::kDead:
      lose(worker_->end_text());
    case RubyWorker::Outcome::kTimeout:
      lose("took no message for too long");
  }
}

std::string TypeWorker::receive() {
  if (worker_ == nullptr) throw Failure("The Ruby process has ended");
  std::string content;
  switch (worker_->receive(content, RubyClock::now() + kLongestCall)) {
    case RubyWorker::Outcome::kDone:
      return content;
    case RubyWorker::Outcome::kDead:
      lose(worker_->end_text());
    case RubyWorker::Outcome::kTimeout:
      lose(fmt::format("did not answer for {} hours", kLongestCall.count()));
  }
  return content;
}

void TypeWorker::lose(std::string reason) {
  worker_.reset();
  has_exit_handlers_ = false;
  ++generation_;
  throw Failure(fmt::format("The Ruby process of types and providers {}", reason));
}

void TypeWorker::answer(const Datum& question) {
  Datum answer;
  try {
    answer = Datum::array(
        {Datum::integer(kAnswer), answer_to(item(question, 1).text(), item(question, 2))});
  } catch (const Failure& failure) {
    answer = Datum::array({Datum::integer(kFailure), Datum::string(failure.message()),
                           Datum::integer(-1), Datum::boolean(false)});
  }
  send(answer);
}

Datum TypeWorker::answer_to(std::string_view name, const Datum& arguments) {
  const auto text = [&](size_t at) { return item(arguments, at).to_text(); };
  const auto level = [&] { return parse_log_level(text(0)).value_or(LogLevel::kInfo); };
  if (name == "log.takes") return Datum::boolean(log_.takes(level()));
  if (name == "log") {
    // Arguments: level, text, source, tags, file, line.
    const std::string file = text(4);
    std::vector<std::string> tags;
    for (const Datum& tag : item(arguments, 3).items()) tags.push_back(tag.to_text());
    const std::string source = text(2);
    log_.log(level(), text(1), source == "Puppet" ? std::string() : source, std::move(tags),
             file.empty() ? nullptr : &file, item(arguments, 5).integer_value());
    return {};
  }
  if (name == "apply.native_type") {
    const ResourceType* type = native_.find(text(0));
    return type == nullptr || type->is_container() ? Datum() : native_type(*type);
  }
  if (name == "apply.at_exit") {
    has_exit_handlers_ = true;
    return {};
  }
  if (name == "apply.display") return Datum::string(item(arguments, 0).to_display());
  if (name == "type.mismatch") {
    return mismatch(text(0), text(1), item(arguments, 2), item(arguments, 3).is_true());
  }
  if (catalog_ != nullptr) return answer_about_catalog(name, arguments);
  if (name == "apply.path" || name == "apply.find") return {};
  throw Failure(fmt::format("There is no catalog to ask for {}", name));
}

Datum TypeWorker::answer_about_catalog(std::string_view name, const Datum& arguments) {
  if (name == "apply.version") return catalog_->version();
  if (name == "apply.stop") {
    apply::Transaction::request_stop();
    return {};
  }
  if (name == "apply.resources") {
    Datum::List resources;
    for (const Resource* resource : catalog_->resources()) {
      if (!resource->type().is_container()) {
        resources.push_back(reference_of(*resource, generation_));
      }
    }
    return Datum::array(std::move(resources));
  }
  const std::string text = item(arguments, 0).to_text();
  if (name == "file.source") {
    apply::FileSources& sources = catalog_->context().sources;
    apply::SourceQuery query;
    query.checksum_type = "none";
    const std::optional<apply::SourceMetadata> found = sources.find(text, query);
    if (!found) return {};
    std::string content;
    if (item(arguments, 1).is_true()) {
      sources.read(*found, [&](std::string_view piece) { content += piece; });
    }
    return Datum::array({Datum::string(found->type), Datum::binary(content)});
  }
  if (name == "apply.service") {
    return run_service_action(*native_.find("service"), *catalog_, text,
                              item(arguments, 1).to_text(), item(arguments, 2));
  }
  Resource* resource = catalog_->find(text);
  if (name == "apply.find") {
    return resource == nullptr ? Datum() : reference_of(*resource, generation_);
  }
  if (name == "apply.path") return resource == nullptr ? Datum() : Datum::string(resource->path());
  constexpr std::array<std::string_view, 4> kOfAttributes = {
      "apply.get", "apply.set", "apply.sensitive", "apply.set_sensitive"};
  if (std::ranges::find(kOfAttributes, name) == kOfAttributes.end()) {
    throw Failure(fmt::format(
        "Ruby code asked for '{}', which there is not while resources are applied", name));
  }
  if (resource == nullptr) throw Failure(fmt::format("Could not find resource {}", text));
  const std::string attribute_name = item(arguments, 1).to_text();
  if (name == "apply.set") {
    resource->set(attribute_name, item(arguments, 2));
    if (apply::Attribute* given = resource->find(attribute_name)) given->is_set_by_code = true;
    // Checks across attributes run again, such as a file's content against its checksum.
    resource->type().validate(*resource);
    return {};
  }
  apply::Attribute* attribute = resource->find(attribute_name);
  if (attribute == nullptr || !attribute->has_value()) return {};
  if (name == "apply.sensitive") return Datum::boolean(attribute->is_sensitive);
  if (name == "apply.set_sensitive") {
    attribute->is_sensitive = item(arguments, 2).is_true();
    return {};
  }
  return attribute->is_property() ? resource->desired(*attribute) : attribute->values.front();
}

}  // namespace bunraku::ruby_types
