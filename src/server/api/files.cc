// Files for agents: metadata, contents, and contents by version.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/system/descriptor.h"
#include "base/system/file_system.h"
#include "compilation/service.h"
#include "server/api/code_commands.h"
#include "server/api/routes.h"
#include "server/shared.h"
#include "site/file_serving/file_metadata.h"
#include "site/file_serving/file_set.h"
#include "site/file_serving/mounts.h"

namespace bunraku::server {
namespace {

// The objects for a request of files; they keep the code unchanged during the request.
struct Files {
  std::shared_ptr<compilation::Service> code;
  std::shared_ptr<Environment> environment;
};

Files files_of(const Call& call) {
  // The reference checks this parameter of these two calls first, with a message of its own.
  for (const std::string_view name : {"file_content", "file_metadatas"}) {
    if (call.parameter("environment") != nullptr) break;
    if (!call.path.starts_with(fmt::format("/puppet/v3/{}/", name))) continue;
    throw TextError(400, fmt::format("A {} request must include an `environment` or "
                                     "`versioned_project` query parameter.",
                                     name));
  }
  const std::string& name = environment_parameter(call);
  if (!call.shared.code->has_environment(name)) {
    throw ApiError(404, fmt::format("Could not find environment '{}'", name));
  }
  Files files;
  files.code = call.shared.code->current();
  files.environment = files.code->environment(name, nullptr);
  return files;
}

// Returns whether the mount is one that fileserver.conf cannot restrict.
bool is_mount_of_modules(std::string_view key) {
  constexpr std::string_view kMounts[] = {"modules", "plugins", "locales", "scripts", "tasks"};
  return std::ranges::find(kMounts, key.substr(0, key.find('/'))) != std::end(kMounts);
}

bool is_in_file(std::string_view key, const std::string& path) {
  if (!is_file(path)) return false;
  const std::string heading = "[" + std::string(key.substr(0, key.find('/'))) + "]";
  return read_file(path).find(heading) != std::string::npos;
}

std::optional<std::string> find_file(const Call& call, const Files& files, const std::string& key) {
  const std::string config =
      is_mount_of_modules(key) ? std::string() : files.code->settings().text("fileserverconfig");
  const bool is_known =
      config.empty() || key.substr(0, key.find('/')) == "pluginfacts" || is_in_file(key, config);
  if (key.empty() || !is_known) {
    throw ApiError(
        403, fmt::format("Cannot find file: there is no mount '{}'", key.substr(0, key.find('/'))),
        "FAILED_AUTHORIZATION");
  }
  const Mounts mounts(*files.environment, config, nullptr);
  try {
    return mounts.find(key);
  } catch (const EvaluationError& error) {
    call.shared.log->write(LogLevel::kInfo, error.what(), call.id);
    return std::nullopt;
  }
}

FileMetadataOptions metadata_options(const Call& call) {
  FileMetadataOptions options;
  if (const std::string* links = call.parameter("links")) {
    options.follows_links = *links == "follow";
  }
  static const std::string kDefault = "sha256";
  const std::string* type = call.parameter("checksum_type");
  options.checksum_type = type == nullptr ? std::string_view(kDefault) : std::string_view(*type);
  if (!is_checksum_type(options.checksum_type)) {
    throw ApiError(400, fmt::format("Unsupported checksum type '{}'", options.checksum_type));
  }
  options.checksums = &call.shared.code->checksums();
  const std::string* permissions = call.parameter("source_permissions");
  if (permissions == nullptr || *permissions == "ignore") return options;
  if (*permissions != "use" && *permissions != "use_when_creating") {
    throw ApiError(400, fmt::format("Unsupported source_permission {}", printable(*permissions)));
  }
  options.has_permissions = true;
  return options;
}

double number_parameter(const Call& call, std::string_view name, double otherwise) {
  const std::string* text = call.parameter(name);
  if (text == nullptr || text->empty()) return otherwise;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) {
    throw ApiError(400, fmt::format("'{}' is no number: {}", name, *text));
  }
  return static_cast<double>(number);
}

// The roots of a listing: for mounts that all modules share, each module's directory.
std::vector<std::string> listing_roots(const Call& call, const Files& files,
                                       const std::string& key) {
  const std::string mount = key.substr(0, key.find('/'));
  const char* directory = mount == "plugins"       ? "lib"
                          : mount == "pluginfacts" ? "facts.d"
                          : mount == "locales"     ? "locales"
                                                   : nullptr;
  std::vector<std::string> roots;
  if (directory == nullptr) {
    if (auto found = find_file(call, files, key)) roots.push_back(std::move(*found));
    return roots;
  }
  const std::string rest = key.size() > mount.size() ? key.substr(mount.size()) : std::string();
  for (const Module& module : files.environment->modules()) {
    std::string root = join_path(module.path, directory) + rest;
    if (exists(root)) roots.push_back(std::move(root));
  }
  return roots;
}

FileSetOptions file_set_options(const Call& call, bool follows_links) {
  FileSetOptions set;
  set.follows_links = follows_links;
  const std::string* recurse = call.parameter("recurse");
  const bool recurses = recurse != nullptr && *recurse != "false";
  set.recursion_limit =
      recurses ? number_parameter(call, "recurselimit", std::numeric_limits<double>::infinity())
               : 0;
  set.max_files = number_parameter(call, "max_files", 0);
  for (const auto& [name, value] : call.parameters) {
    if ((name == "ignore" || name == "ignore[]") && !value.empty()) set.ignored.push_back(value);
  }
  return set;
}

// The directories of modules, or that of all code; empty when none exists.
std::vector<std::string> any_directories(const Call& call, const Files& files) {
  std::vector<std::string> found;
  for (const std::string& directory : files.environment->modulepath()) {
    if (is_directory(directory)) found.push_back(directory);
  }
  const std::string codedir = call.site.configuration.settings.text("codedir");
  if (found.empty() && is_directory(codedir)) found.push_back(codedir);
  return found;
}

// Writes the metadata of all files below the roots, of those with one path the first. Returns their
// number. A dangling link, or a name that is not valid text, is logged and left out.
size_t write_files(const Call& call, JsonWriter& json, const std::vector<std::string>& roots,
                   const FileSetOptions& set, const FileMetadataOptions& options) {
  const auto warn = [&](const std::exception& error) {
    call.shared.log->write(LogLevel::kWarning, error.what(), call.id);
  };
  std::set<std::string, std::less<>> seen;
  size_t count = 0;
  for (const std::string& root : roots) {
    std::vector<std::string> paths;
    try {
      paths = list_file_set(root, set, nullptr);
    } catch (const EvaluationError& error) {
      throw ApiError(500, error.what());
    }
    for (const std::string& path : paths) {
      if (roots.size() > 1 && !seen.insert(path).second) continue;
      try {
        write_file_metadata(json, read_file_metadata(root, path, options));
        ++count;
      } catch (const EvaluationError& error) {
        warn(error);
      } catch (const DataError& error) {
        warn(error);
      }
    }
  }
  return count;
}

}  // namespace

net::Response answer_file_metadata(const Call& call, const std::string& key) {
  const std::string_view type = negotiate(call.request, data_types());
  const Files files = files_of(call);
  const FileMetadataOptions options = metadata_options(call);
  const std::optional<std::string> path = find_file(call, files, key);
  if (!path) {
    throw ApiError(404, "Could not find file_metadata " + key, "RESOURCE_NOT_FOUND");
  }
  std::string text;
  try {
    const FileMetadata metadata = read_file_metadata(*path, std::nullopt, options);
    JsonWriter json(text);
    write_file_metadata(json, metadata);
  } catch (const EvaluationError& error) {
    if (!exists(*path)) {
      throw ApiError(404, "Could not find file_metadata " + key, "RESOURCE_NOT_FOUND");
    }
    throw ApiError(500, error.what());
  }
  return data_answer(type, std::move(text));
}

net::Response answer_file_metadatas(const Call& call, const std::string& key) {
  const std::string_view type = negotiate(call.request, data_types());
  const Files files = files_of(call);
  const FileMetadataOptions options = metadata_options(call);
  FileSetOptions set = file_set_options(call, options.follows_links);
  std::vector<std::string> roots = listing_roots(call, files, key);
  const bool is_shared_mount = key == "plugins" || key == "pluginfacts" || key == "locales";
  if (roots.empty() && is_shared_mount) {
    // Agents treat an empty answer as a failure, so an existing directory is listed without
    // contents.
    roots = any_directories(call, files);
    set.recursion_limit = 0;
  }
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  const size_t count = write_files(call, json, roots, set, options);
  json.end_array();
  if (count == 0) {
    throw ApiError(404, "Could not find instances in file_metadata with '" + key + "'",
                   "RESOURCE_NOT_FOUND");
  }
  return data_answer(type, std::move(text));
}

net::Response answer_file_content(const Call& call, const std::string& key) {
  negotiate(call.request, {"application/octet-stream"});
  const Files files = files_of(call);
  const std::optional<std::string> path = find_file(call, files, key);
  Descriptor file(path ? ::open(path->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1);
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw ApiError(404, "Could not find file_content " + key, "RESOURCE_NOT_FOUND");
  }
  net::Response response;
  response.fields.add("Content-Type", "application/octet-stream");
  response.file =
      std::make_shared<net::FileBody>(std::move(file), static_cast<uint64_t>(status.st_size));
  return response;
}

net::Response answer_static_file_content(const Call& call, const std::string& key) {
  const std::string* environment = call.parameter("environment");
  const std::string* code_id = call.parameter("code_id");
  if (environment == nullptr || code_id == nullptr || key.empty()) {
    throw TextError(400,
                    "Error: A /static_file_content request requires an environment, a code-id, and "
                    "a file-path");
  }
  environment_parameter_for_text(call);
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == ':' || c == ';' || c == '-';
  };
  if (code_id->starts_with('-') || code_id->empty() || !std::ranges::all_of(*code_id, is_plain)) {
    throw TextError(400, fmt::format("Invalid code-id '{}'. Must contain only alpha-numerics and "
                                     "'-', '_', ';', or ':'",
                                     printable(*code_id)));
  }
  const size_t first = key.find('/');
  const size_t second = key.find('/', first + 1);
  const size_t third = second == std::string::npos ? second : key.find('/', second + 1);
  const std::string kind =
      third == std::string::npos ? std::string() : key.substr(second + 1, third - second - 1);
  if (kind != "files" && kind != "tasks" && kind != "scripts" && kind != "lib") {
    throw TextError(403,
                    "Request Denied: A /static_file_content request must be a file within the "
                    "files, lib, scripts, or tasks directory of a module.");
  }
  const std::string& command = call.site.configuration.code_content_command;
  if (command.empty()) {
    throw TextError(500,
                    "Cannot retrieve code content because the \"versioned-code.code-content-"
                    "command\" setting is not present in configuration.");
  }
  try {
    return answer_of(200, "application/octet-stream",
                     run_code_command(command, {*environment, *code_id, key}));
  } catch (const ApiError& error) {
    throw TextError(error.status(), fmt::format("Internal Server Error: {}", error.what()));
  }
}

}  // namespace bunraku::server
