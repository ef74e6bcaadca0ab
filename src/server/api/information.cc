// Queries of tools about an environment's code: classes, tasks, plans, transports.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/text/digest.h"
#include "compilation/service.h"
#include "server/api/code_commands.h"
#include "server/api/routes.h"
#include "server/shared.h"
#include "site/environment/checked_program.h"
#include "site/environment/environment.h"
#include "syntax/tree.h"

namespace bunraku::server {
namespace {

constexpr int kDeepestDirectory = 40;
constexpr int kDeepestLiteral = 50;

// The environment that the request names; errors are plain text.
std::shared_ptr<Environment> environment_of(const Call& call) {
  const std::string& name = environment_parameter_for_text(call);
  if (!call.shared.code->has_environment(name)) {
    throw TextError(404, fmt::format("Could not find environment '{}'", name));
  }
  return call.shared.code->current()->environment(name, nullptr);
}

// --- classes ---

void add_manifests(const std::string& directory, int depth, std::vector<std::string>& paths) {
  if (depth > kDeepestDirectory || !is_directory(directory)) return;
  for (const DirectoryEntry& entry : list_directory(directory)) {
    const std::string path = join_path(directory, entry.name);
    if (entry.is_directory) {
      add_manifests(path, depth + 1, paths);
    } else if (entry.name.ends_with(".pp")) {
      paths.push_back(path);
    }
  }
}

std::vector<std::string> manifests_of(const Environment& environment) {
  std::vector<std::string> paths;
  if (is_directory(environment.manifest())) {
    add_manifests(environment.manifest(), 0, paths);
  } else if (is_file(environment.manifest())) {
    paths.push_back(environment.manifest());
  }
  for (const Module& module : environment.modules()) {
    add_manifests(join_path(module.path, "manifests"), 0, paths);
  }
  std::ranges::sort(paths);
  return paths;
}

// Writes the value of an expression that needs no evaluation. Returns false for other expressions,
// and leaves `json` in any state.
bool write_literal(JsonWriter& json, const Expression& expression, int depth) {
  if (depth > kDeepestLiteral) return false;
  if (depth > 0 && expression.try_as<LiteralUndef>() != nullptr) {
    json.null();
  } else if (const auto* boolean = expression.try_as<LiteralBoolean>()) {
    json.boolean(boolean->value);
  } else if (const auto* integer = expression.try_as<LiteralInteger>()) {
    json.integer(integer->value);
  } else if (const auto* number = expression.try_as<LiteralFloat>()) {
    json.number(number->value);
  } else if (const auto* text = expression.try_as<LiteralString>()) {
    json.string(text->value);
  } else if (const auto* name = expression.try_as<QualifiedName>()) {
    json.string(name->name.text());
  } else if (const auto* list = expression.try_as<LiteralList>()) {
    json.begin_array();
    for (const Expression* item : list->values) {
      if (!write_literal(json, *item, depth + 1)) return false;
    }
    json.end_array();
  } else if (const auto* hash = expression.try_as<LiteralHash>()) {
    json.begin_object();
    for (const KeyedEntry* entry : hash->entries) {
      const auto* key = entry->key->try_as<LiteralString>();
      if (key == nullptr) return false;
      json.key(key->value);
      if (!write_literal(json, *entry->value, depth + 1)) return false;
    }
    json.end_object();
  } else {
    return false;
  }
  return true;
}

std::string_view text_of_source(const Program& program, const Expression& expression) {
  const uint32_t begin = expression.location.offset;
  // The location of a unary minus covers only the sign, so the end is that of its operand.
  const Expression* last = &expression;
  for (int depth = 0; depth < kDeepestLiteral; ++depth) {
    const auto* minus = last->try_as<UnaryMinusExpression>();
    if (minus == nullptr) break;
    last = minus->expression;
  }
  const uint32_t end = last->location.offset + last->location.length;
  return program.source()->text().substr(begin, end - begin);
}

void write_parameter(JsonWriter& json, const Program& program, const Parameter& parameter) {
  json.begin_object();
  if (parameter.value != nullptr) {
    std::string literal;
    JsonWriter value(literal);
    if (write_literal(value, *parameter.value, 0)) json.key("default_literal"), json.raw(literal);
    json.member("default_source", text_of_source(program, *parameter.value));
  }
  json.member("name", parameter.name.text());
  if (parameter.type != nullptr) json.member("type", text_of_source(program, *parameter.type));
  json.end_object();
}

void write_classes(JsonWriter& json, const Program& program) {
  json.key("classes"), json.begin_array();
  for (const Expression* definition : program.definitions) {
    const auto* found = definition->try_as<HostClassDefinition>();
    if (found == nullptr) continue;
    json.begin_object();
    json.member("name", found->name.text());
    json.key("params"), json.begin_array();
    for (const Parameter* parameter : found->parameters) {
      write_parameter(json, program, *parameter);
    }
    json.end_array(), json.end_object();
  }
  json.end_array();
}

void write_manifest(JsonWriter& json, const Environment& environment, const std::string& path) {
  json.begin_object();
  std::string mistake;
  try {
    const ParsedFilePointer file = environment.parse(path);
    write_classes(json, *checked_program(*file, environment.problem_limits(), nullptr));
  } catch (const EvaluationError& error) {
    mistake = one_line(error.diagnostic());
  }
  if (!mistake.empty()) json.member("error", mistake);
  json.member("path", path);
  json.end_object();
}

// --- tasks and plans ---

// The names of files in a directory of a module; empty when it does not exist.
std::vector<std::string> files_in(const Module& module, const char* directory) {
  const std::string path = join_path(module.path, directory);
  std::vector<std::string> names;
  if (!is_directory(path)) return names;
  for (const DirectoryEntry& entry : list_directory(path)) {
    if (!entry.is_directory) names.push_back(entry.name);
  }
  return names;
}

std::string stem_of(const std::string& file) {
  return file.substr(0, file.find('.'));
}

bool is_code_name(const std::string& name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

// Returns whether the file is metadata or code of a task, judging by its name.
bool is_of_task(const std::string& file) {
  return is_code_name(stem_of(file)) && !file.ends_with(".md") && !file.ends_with(".conf");
}

std::vector<std::string> tasks_of(const Module& module) {
  std::vector<std::string> names;
  for (const std::string& file : files_in(module, "tasks")) {
    if (!is_of_task(file)) continue;
    const std::string name = stem_of(file);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> plans_of(const Module& module) {
  std::vector<std::string> names;
  for (const std::string& file : files_in(module, "plans")) {
    if (file.ends_with(".pp") && is_code_name(stem_of(file))) names.push_back(stem_of(file));
  }
  return names;
}

std::string full_name(const Module& module, const std::string& name) {
  const std::string prefix(module.name.text());
  return name == "init" ? prefix : prefix + "::" + name;
}

// The metadata of a task, an object; empty when the task has none.
DataNode task_metadata(Arena& arena, const Module& module, const std::string& task) {
  const std::string path = join_path(module.path, "tasks/" + task + ".json");
  if (!is_file(path)) return DataNode::hash({});
  try {
    const DataNode data = read_json(read_file(path), arena);
    if (data.is(DataKind::kHash)) return data;
  } catch (const DataError& error) {
    throw TextError(500, fmt::format("Error reading metadata of the task {}: {}",
                                     full_name(module, task), error.what()));
  }
  throw TextError(500,
                  fmt::format("The metadata of the task {} is no object", full_name(module, task)));
}

void write_environment(JsonWriter& json, const Environment& environment) {
  json.key("environment"), json.begin_array(), json.begin_object();
  json.member("name", environment.name());
  json.key("code_id"), json.null();
  json.end_object(), json.end_array();
}

// A file of a task: its name, and the path by which agents request it.
struct TaskFile {
  std::string name;
  std::string path;          // on disk
  std::string content_path;  // "modules/demo/tasks/restart.sh"
  std::string mount_path;    // "tasks/demo/restart.sh"
};

void add_tree(const Module& owner, const std::string& directory, const std::string& rest,
              std::vector<TaskFile>& files, int depth) {
  const std::string path = join_path(owner.path, directory + "/" + rest);
  const std::string name(owner.name.text());
  if (is_file(path)) {
    const std::string mount = directory == "files" ? "modules" : directory;
    files.push_back({name + "/" + directory + "/" + rest, path,
                     "modules/" + name + "/" + directory + "/" + rest,
                     mount + "/" + name + "/" + rest});
    return;
  }
  if (depth > kDeepestDirectory || !is_directory(path)) return;
  for (const DirectoryEntry& entry : list_directory(path)) {
    add_tree(owner, directory, rest.empty() ? entry.name : rest + "/" + entry.name, files,
             depth + 1);
  }
}

// Adds the files of "MODULE/files/PATH" in a task's metadata.
void add_shared(const Environment& environment, std::string_view reference,
                std::vector<TaskFile>& files) {
  const size_t first = reference.find('/');
  const size_t second = first == std::string_view::npos ? first : reference.find('/', first + 1);
  const Module* owner = environment.find_module(reference.substr(0, first));
  if (owner == nullptr || second == std::string_view::npos) {
    throw TextError(404, fmt::format("Could not find the file '{}' of the task", reference));
  }
  const std::string directory(reference.substr(first + 1, second - first - 1));
  std::string rest(reference.substr(second + 1));
  while (rest.ends_with('/')) rest.pop_back();
  const bool is_known =
      directory == "files" || directory == "lib" || directory == "tasks" || directory == "scripts";
  if (!is_known || rest.find("..") != std::string::npos) {
    throw TextError(404, fmt::format("Could not find the file '{}' of the task", reference));
  }
  add_tree(*owner, directory, rest, files, 0);
}

std::vector<TaskFile> files_of_task(const Environment& environment, const Module& module,
                                    const std::string& task, const DataNode& metadata) {
  std::vector<TaskFile> files;
  const std::string name(module.name.text());
  const auto add = [&](const std::string& file) {
    files.push_back({file, join_path(module.path, "tasks/" + file),
                     "modules/" + name + "/tasks/" + file, "tasks/" + name + "/" + file});
  };
  const DataNode* implementations = metadata.find("implementations");
  if (implementations != nullptr && implementations->is(DataKind::kArray)) {
    const std::vector<std::string> there = files_in(module, "tasks");
    for (const DataNode& one : implementations->items()) {
      const DataNode* file = one.find("name");
      if (file == nullptr || !file->is(DataKind::kString)) continue;
      const std::string wanted(file->text_value());
      if (std::ranges::find(there, wanted) != there.end()) add(wanted);
    }
  } else {
    for (const std::string& file : files_in(module, "tasks")) {
      if (stem_of(file) == task && is_of_task(file) && !file.ends_with(".json")) add(file);
    }
  }
  const DataNode* shared = metadata.find("files");
  if (shared != nullptr && shared->is(DataKind::kArray)) {
    for (const DataNode& one : shared->items()) {
      if (one.is(DataKind::kString)) add_shared(environment, one.text_value(), files);
    }
  }
  return files;
}

void write_file(JsonWriter& json, const TaskFile& file, const std::string& environment,
                const std::string& code_id) {
  const std::string contents = read_file(file.path);
  json.begin_object();
  json.member("filename", file.name);
  json.member("sha256", digest_hex(DigestAlgorithm::kSha256, contents));
  json.member("size_bytes", static_cast<int64_t>(contents.size()));
  json.key("uri"), json.begin_object();
  const bool is_versioned = !code_id.empty();
  json.member("path", is_versioned ? "/puppet/v3/static_file_content/" + file.content_path
                                   : "/puppet/v3/file_content/" + file.mount_path);
  json.key("params"), json.begin_object();
  json.member("environment", environment);
  if (is_versioned) json.member("code_id", code_id);
  json.end_object(), json.end_object(), json.end_object();
}

// A parsed key "MODULE/NAME".
struct CodeKey {
  const Module* module;
  std::string name;
};

CodeKey parse_key(const Environment& environment, const std::string& key) {
  const size_t slash = key.find('/');
  if (slash == std::string::npos || key.find('/', slash + 1) != std::string::npos) {
    throw TextError(404, "Not Found");
  }
  const std::string module = key.substr(0, slash);
  CodeKey parsed{environment.find_module(module), key.substr(slash + 1)};
  if (parsed.module == nullptr) {
    throw TextError(404, fmt::format("Could not find module '{}'", printable(module)));
  }
  return parsed;
}

}  // namespace

net::Response answer_environment_classes(const Call& call) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("files"), json.begin_array();
  for (const std::string& path : manifests_of(*environment)) {
    write_manifest(json, *environment, path);
  }
  json.end_array();
  json.member("name", environment->name());
  json.end_object();
  // Tools poll this call, so the answer has a tag.
  const std::string tag = "\"" + digest_hex(DigestAlgorithm::kSha256, text) + "\"";
  if (call.request.fields.get("If-None-Match") == tag) {
    net::Response unchanged;
    unchanged.status = 304;
    unchanged.fields.add("ETag", tag);
    return unchanged;
  }
  net::Response response = json_answer(200, std::move(text));
  if (call.site.configuration.caches_classes) response.fields.add("ETag", tag);
  return response;
}

net::Response answer_environment_transports(const Call& call) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  for (const Module& module : environment->modules()) {
    if (is_directory(join_path(module.path, "lib/puppet/transport/schema"))) {
      throw TextError(501, fmt::format("Device transports, which the module '{}' has, are not "
                                       "supported yet",
                                       module.name.text()));
    }
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("name", environment->name());
  json.key("transports"), json.begin_array(), json.end_array();
  json.end_object();
  return json_answer(200, std::move(text));
}

net::Response answer_tasks(const Call& call) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Module& module : environment->modules()) {
    for (const std::string& task : tasks_of(module)) {
      Arena arena;
      const DataNode metadata = task_metadata(arena, module, task);
      const DataNode* is_private = metadata.find("private");
      const DataNode* description = metadata.find("description");
      json.begin_object();
      json.member("name", full_name(module, task));
      json.key("private");
      json.boolean(is_private != nullptr && is_private->is(DataKind::kBoolean) &&
                   is_private->boolean_value());
      json.key("description");
      description != nullptr ? json.data(*description) : json.null();
      write_environment(json, *environment);
      json.end_object();
    }
  }
  json.end_array();
  return json_answer(200, std::move(text));
}

net::Response answer_task(const Call& call, const std::string& key) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  const CodeKey found = parse_key(*environment, key);
  const std::vector<std::string> known = tasks_of(*found.module);
  if (std::ranges::find(known, found.name) == known.end()) {
    throw TextError(404, fmt::format("Could not find task '{}'", printable(found.name)));
  }
  Arena arena;
  const DataNode metadata = task_metadata(arena, *found.module, found.name);
  const std::string code_id = code_id_of(call, environment->name()).value_or("");
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("metadata"), json.data(metadata);
  json.member("name", full_name(*found.module, found.name));
  json.key("files"), json.begin_array();
  for (const TaskFile& file : files_of_task(*environment, *found.module, found.name, metadata)) {
    write_file(json, file, environment->name(), code_id);
  }
  json.end_array(), json.end_object();
  return json_answer(200, std::move(text));
}

net::Response answer_plans(const Call& call) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Module& module : environment->modules()) {
    for (const std::string& plan : plans_of(module)) {
      json.begin_object();
      json.member("name", full_name(module, plan));
      write_environment(json, *environment);
      json.end_object();
    }
  }
  json.end_array();
  return json_answer(200, std::move(text));
}

net::Response answer_plan(const Call& call, const std::string& key) {
  const std::shared_ptr<Environment> environment = environment_of(call);
  const CodeKey found = parse_key(*environment, key);
  const std::vector<std::string> known = plans_of(*found.module);
  if (std::ranges::find(known, found.name) == known.end()) {
    throw TextError(404, fmt::format("Could not find plan '{}'", printable(found.name)));
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("metadata"), json.begin_object(), json.end_object();
  json.member("name", full_name(*found.module, found.name));
  json.end_object();
  return json_answer(200, std::move(text));
}

}  // namespace bunraku::server
