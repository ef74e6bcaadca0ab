// file: the contents of files, directories and links, and their permissions.
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

#include "apply/providers/file/checksum.h"
#include "apply/providers/file/file_provider.h"
#include "apply/providers/file/labels.h"
#include "apply/providers/file/symbolic_mode.h"
#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/execution.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kFileAttributes[] = {
    {.name = "ensure",
     .kind = kProperty,
     .values = "absent false=absent file present directory link",
     .patterns = "/./"},
    {.name = "content", .kind = kProperty},
    {.name = "checksum_value", .kind = kProperty},
    {.name = "target", .kind = kProperty},
    {.name = "owner", .kind = kProperty},
    {.name = "group", .kind = kProperty},
    {.name = "mode", .kind = kProperty},
    {.name = "type", .kind = kProperty, .is_read_only = true},
    {.name = "seluser", .kind = kProperty},
    {.name = "selrole", .kind = kProperty},
    {.name = "seltype", .kind = kProperty},
    {.name = "selrange", .kind = kProperty},
    {.name = "ctime", .kind = kProperty, .is_read_only = true},
    {.name = "mtime", .kind = kProperty, .is_read_only = true},
    {.name = "path", .is_namevar = true},
    {.name = "provider"},
    {.name = "backup", .default_value = "false"},
    {.name = "recurse", .values = "true false remote"},
    {.name = "recurselimit", .patterns = "/^[0-9]+$/"},
    {.name = "max_files", .patterns = "/^[0-9]+$/ /^-1$/", .default_value = "0"},
    {.name = "replace", .is_boolean = true, .default_value = "true"},
    {.name = "force", .is_boolean = true, .default_value = "false"},
    {.name = "ignore"},
    {.name = "links", .values = "follow manage", .default_value = "manage"},
    {.name = "purge", .is_boolean = true, .default_value = "false"},
    {.name = "sourceselect", .values = "first all", .default_value = "first"},
    {.name = "show_diff", .is_boolean = true, .default_value = "true"},
    {.name = "staging_location"},
    {.name = "validate_cmd"},
    {.name = "validate_replacement", .default_value = "%"},
    {.name = "checksum",
     .values = "sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none"},
    {.name = "source"},
    {.name = "source_permissions",
     .values = "use use_when_creating ignore",
     .default_value = "ignore"},
    {.name = "selinux_ignore_defaults", .values = "true false", .default_value = "false"},
};

bool is_part_of_label(std::string_view name) {
  return name.starts_with("sel") && name != "selinux_ignore_defaults";
}

// The type that a missing file will have, as far as the catalog says.
mode_t wanted_type(const Resource& resource) {
  const Datum& ensure = resource.value("ensure");
  if (ensure.is_symbol("present") || ensure.is_symbol("file")) return S_IFREG;
  if (ensure.is_symbol("directory")) return S_IFDIR;
  return ensure.is_symbol("link") ? S_IFLNK : 0;
}

FileProvider& provider_of(Resource& resource) {
  return resource.provider_as<FileProvider>();
}

class PosixFiles : public ProviderKind {
 public:
  std::string_view name() const override { return "posix"; }
  std::string_view features() const override { return "manages_symlinks"; }
  bool is_default(const Host&) const override { return true; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<FileProvider>(resource);
  }
};

// "/a//b/" becomes "/a/b"; "." and ".." are resolved without reading the disk.
std::string normalized_path(const std::string& text) {
  if (!text.starts_with('/')) {
    throw Failure(fmt::format("File paths must be fully qualified, not '{}'", text));
  }
  return absolute_path(text);
}

std::string without_slashes_at_end(std::string text) {
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

// Escapes characters that the path of a URL cannot have.
std::string url_of_path(std::string_view path) {
  std::string url = "file://";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-_.~/!$&'()*+,;=:@").find(c) != std::string_view::npos;
    if (is_plain) {
      url += c;
    } else {
      url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return url;
}

Datum munge_source(const std::string& source) {
  const std::string text = without_slashes_at_end(source);
  if (text.starts_with('/')) return Datum::string(url_of_path(text));
  const size_t colon = text.find(':');
  const auto is_scheme = [](std::string_view scheme) {
    return !scheme.empty() && std::ranges::all_of(scheme, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '+' || c == '-' || c == '.';
    });
  };
  if (colon == std::string::npos || !is_scheme(std::string_view(text).substr(0, colon))) {
    throw Failure(fmt::format("Cannot use relative URLs '{}'", source));
  }
  if (colon + 1 >= text.size() || text[colon + 1] != '/') {
    throw Failure(fmt::format("Cannot use opaque URLs '{}'", source));
  }
  const std::string scheme = text.substr(0, colon);
  if (scheme != "file" && scheme != "puppet" && scheme != "http" && scheme != "https") {
    throw Failure(fmt::format("Cannot use URLs of type '{}' as source for fileserving", scheme));
  }
  return Datum::string(text);
}

class File : public ResourceType {
 public:
  File() { add_provider(std::make_unique<PosixFiles>()); }
  std::string_view name() const override { return "file"; }
  std::span<const AttributeInfo> attributes() const override { return kFileAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override;
  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (is_part_of_label(attribute.name)) return default_part_of_label(resource, attribute.name);
    if (attribute.name != "checksum") return std::nullopt;
    return Datum::string(resource.context().options.digest_algorithm);
  }
  void mark_sensitive(Resource& resource, std::vector<std::string>& names) const override;
  void validate(Resource& resource) const override;
  void finish(Resource& resource) const override;
  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override;

  std::function<void()> look_ahead(Resource& resource) const override {
    return provider_of(resource).look_ahead();
  }
  CurrentValues retrieve_all(Resource& resource) const override {
    FileProvider& provider = provider_of(resource);
    if (provider.has_source() && resource.value("checksum_value").is_null()) {
      provider.copy_source_values();
    }
    return ResourceType::retrieve_all(resource);
  }
  Datum retrieve(Resource& resource, Attribute& property) const override;
  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override;
  void sync(Resource& resource, Attribute& property) const override;

  std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                          const Datum& desired) const override;
  std::string current_text(Resource& resource, const Attribute& property,
                           const Datum& current) const override;
  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override;
  std::string event_name(const Resource& resource, const Attribute& property) const override;
  Datum shown(const Resource&, const Attribute& property, const Datum& value) const override {
    if (property.name() == "mode" && value.is_string()) {
      return Datum::string(displayed_mode(value.text()));
    }
    // The reference treats the text as bytes unless code has set it: its reports have the checksum
    // in base64.
    if (property.name() == "content" && value.is_string() && !property.is_set_by_code) {
      return Datum::binary(value.text());
    }
    return value;
  }

  std::vector<std::unique_ptr<Resource>> eval_generate(Resource& resource) const override {
    return provider_of(resource).children();
  }

 private:
  static bool is_content_in_sync(Resource& resource, Attribute& property, const Datum& current,
                                 bool is_equal);
  static bool is_id_in_sync(Resource& resource, Attribute& property, const Datum& current);
  static bool is_mode_in_sync(Resource& resource, const Attribute& mode, const Datum& current);
  static std::optional<Datum> default_part_of_label(const Resource& resource,
                                                    std::string_view part);
  static void set_part_of_label(Resource& resource, const Attribute& part);
  static Datum munge_ensure(Resource& resource, Datum ensure);
  static Datum munge_mode(const Datum& value);
  static Datum munge_backup(const Datum& value);
  static void sync_ensure(Resource& resource, Attribute& property);
  static std::string content_text(Resource& resource, const Datum& current, const Datum& desired);
};

std::optional<Datum> File::default_part_of_label(const Resource& resource, std::string_view part) {
  if (resource.is_true("selinux_ignore_defaults") || !has_labels()) return std::nullopt;
  const std::string& path = resource.name();
  if (!can_be_labelled(path)) return std::nullopt;
  const auto label = default_label_of(path, wanted_type(resource));
  if (!label) return std::nullopt;
  const std::optional<std::string> value = part_of_label(*label, part);
  return value ? std::optional(Datum::string(*value)) : std::nullopt;
}

void File::set_part_of_label(Resource& resource, const Attribute& part) {
  const std::string& path = resource.name();
  auto& log = resource.context().log;
  const std::optional<std::string> now = label_of(path);
  if (!now) {
    log.log(LogLevel::kWarning,
            "Can't set SELinux context on file unless the file already has some kind of context");
    return;
  }
  const std::string label = with_part(*now, part.name(), part.values.front().to_text());
  if (set_label(path, label)) return;
  log.log(LogLevel::kWarning, fmt::format("Failed to set SELinux context {} on {}", label, path));
}

// A value of `ensure` that is no keyword is the target of a link. The links of a link are managed,
// unless the catalog says that they are followed.
Datum File::munge_ensure(Resource& resource, Datum ensure) {
  if (!ensure.is_symbol()) {
    resource.set("target", ensure);
    ensure = Datum::symbol("link");
  }
  if (!ensure.is_symbol("link") || resource.value("links").is_symbol("follow")) return ensure;
  const Datum* given = nullptr;
  for (const auto& [key, known] : resource.given()) {
    if (key == "links") given = &known;
  }
  if (given == nullptr || given->to_text() != "follow") {
    resource.set("links", Datum::string("manage"));
  }
  return ensure;
}

Datum File::munge_mode(const Datum& value) {
  if (!value.is_string()) {
    constexpr std::string_view kClasses[] = {"NilClass", "TrueClass", "Integer", "Float"};
    const auto kind = static_cast<size_t>(value.kind());
    throw Failure(fmt::format("The file mode specification must be a string, not '{}'",
                              kind < std::size(kClasses) ? kClasses[kind] : "Array"));
  }
  if (!is_mode(value.text())) {
    throw Failure(fmt::format("The file mode specification is invalid: \"{}\"", value.text()));
  }
  return Datum::string(normalized_mode(value.text()));
}

Datum File::munge_backup(const Datum& value) {
  const Datum first = value.is_array() && !value.items().empty() ? value.items()[0] : value;
  const std::string text = first.to_text();
  if (text == "false") return Datum::boolean(false);
  if (text == "true" || text == ".puppet-bak") return Datum::string(".puppet-bak");
  if (!first.is_string()) throw Failure(fmt::format("Invalid backup type {}", text));
  return first;
}

Datum File::munge(Resource& resource, const AttributeInfo& attribute, const Datum& value) const {
  const std::string_view name = attribute.name;
  if (name == "path" || name == "staging_location") {
    return Datum::string(normalized_path(value.to_text()));
  }
  if (name == "ensure") {
    return munge_ensure(resource, ResourceType::munge(resource, attribute, value));
  }
  if (name == "content") {
    if (value.is_symbol()) return value;
    const bool is_text = value.is_string() || value.kind() == DatumKind::kBinary;
    if (is_text && value.is_string() && is_checksum(value.text())) return value;
    provider_of(resource).set_content(value.to_text());
    return value;  // replaced by its checksum when the type of checksums is known
  }
  if (name == "mode") return munge_mode(value);
  if (name == "selrange" && has_labels()) return Datum::string(range_of_name(value.to_text()));
  if (name == "backup") return munge_backup(value);
  if (name == "source") {
    Datum::List sources;
    if (!value.is_array()) return Datum::array({munge_source(value.to_text())});
    for (const Datum& source : value.items()) sources.push_back(munge_source(source.to_text()));
    return Datum::array(std::move(sources));
  }
  if (name == "recurselimit") {
    const Datum checked = ResourceType::munge(resource, attribute, value);
    return Datum::integer(parse_integer(checked.to_text()).value_or(0));
  }
  if (name == "target" && value.is_string() && value.text() != "notlink") return value;
  const Datum munged = ResourceType::munge(resource, attribute, value);
  if (name == "source_permissions" && value.to_text() != "ignore" && resource.line() > 0) {
    resource.context().log.log(
        LogLevel::kWarning,
        fmt::format("The `source_permissions` parameter is deprecated. Explicitly set `owner`, "
                    "`group`, and `mode`.\n   (file: {}, line: {})",
                    resource.file().empty() ? "unknown" : resource.file(), resource.line()));
  }
  return munged;
}

void File::mark_sensitive(Resource& resource, std::vector<std::string>& names) const {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (has("content")) resource.add("ensure").is_sensitive = true;
  if (!has("source")) return;
  std::erase(names, "source");
  if (Attribute* source = resource.find("source")) source->is_sensitive = true;
  resource.add("content").is_sensitive = true;
  resource.add("ensure").is_sensitive = true;
}

void File::validate(Resource& resource) const {
  const std::string checksum = resource.text("checksum");
  const bool has_source = resource.find("source") != nullptr;
  int creators = has_source ? 1 : 0;
  for (const std::string_view name : {"content", "target"}) {
    if (!resource.value(name).is_null()) ++creators;
  }
  if (creators > 1) throw Failure("You cannot specify more than one of content, source, target");
  if (!has_source && resource.value("recurse").is_symbol("remote")) {
    throw Failure("You cannot specify a remote recursion without a source");
  }
  if (has_source && checksum == "none") {
    throw Failure("You cannot specify source when using checksum 'none'");
  }
  const bool has_content = !resource.value("content").is_null();
  if (has_content && (checksum == "none" || is_time_checksum(checksum))) {
    throw Failure(fmt::format("You cannot specify content when using checksum '{}'", checksum));
  }
  if (!resource.value("recurse").is_true() && !resource.value("recurselimit").is_null()) {
    resource.log(LogLevel::kWarning,
                 "Possible error: recurselimit is set but not recurse, no recursion will happen");
  }
  const FileProvider& provider = provider_of(resource);
  if (provider.content() != nullptr) {
    resource.find("content")->values = {
        Datum::string(checksum_of_text(checksum, *provider.content()))};
  }
  const Datum& wanted = resource.value("checksum_value");
  // As in the reference, a value beside `content` is checked only if `checksum` is given.
  const bool is_checked = provider.content() == nullptr || provider.checks_value();
  if (is_checked && !wanted.is_null() && !is_valid_checksum(checksum, wanted.to_text())) {
    throw Failure(fmt::format("Checksum value '{}' is not a valid checksum type {}",
                              wanted.to_text(), checksum));
  }
  if (!wanted.is_null() && !has_content && !has_source) {
    resource.log(LogLevel::kWarning,
                 "Checksum value is ignored unless content or source are specified");
  }
  if (!resource.value("ensure").is_null()) return;
  if (!resource.value("target").is_null()) {
    resource.set("ensure", Datum::string("link"));
  } else if (has_content) {
    resource.set("ensure", Datum::string("file"));
  }
}

void File::finish(Resource& resource) const {
  const Datum& backup = resource.value("backup");
  if (!backup.is_string() || backup.text().starts_with('.') || backup.text() == "puppet") return;
  if (resource.catalog().find("filebucket", backup.text()) == nullptr) {
    throw Failure(fmt::format("Could not find filebucket {} specified in backup", backup.text()));
  }
}

std::vector<AutomaticRelation> File::automatic_relations(const Resource& resource) const {
  std::vector<AutomaticRelation> relations;
  std::string parent = resource.name();
  while (parent.size() > 1) {
    parent = std::string(parent_directory(parent));
    if (resource.catalog().find("file", parent) == nullptr) continue;
    relations.push_back({RelationKind::kRequire, "file", parent});
    break;
  }
  if (const std::string target = resource.text("target"); !target.empty()) {
    relations.push_back({RelationKind::kRequire, "file", target});
  }
  for (const auto& [property, type] : {std::pair("owner", "user"), std::pair("group", "group")}) {
    const Attribute* attribute = resource.find(property);
    if (attribute == nullptr || attribute->original.empty()) continue;
    const Datum& wanted = attribute->original.front();
    if (wanted.is_integer() || parse_integer(wanted.to_text())) continue;
    relations.push_back({RelationKind::kRequire, type, wanted.to_text()});
  }
  return relations;
}

Datum File::retrieve(Resource& resource, Attribute& property) const {
  FileProvider& provider = provider_of(resource);
  const std::string_view name = property.name();
  const struct stat* info = provider.info();
  if (name == "checksum_value") {
    if (!provider.has_source()) return {};
    const Datum sum = provider.current_checksum();
    return sum.is_string() ? Datum::string(checksum_data_of(sum.text())) : sum;
  }
  if (name == "content") return provider.current_checksum();
  if (info == nullptr) return Datum::symbol("absent");
  if (name == "ensure") return Datum::symbol(provider.current_type());
  if (name == "type") return Datum::string(provider.current_type());
  if (name == "target") {
    if (!S_ISLNK(info->st_mode)) return Datum::symbol("notlink");
    char buffer[PATH_MAX];
    const ssize_t size = readlink(provider.path().c_str(), buffer, sizeof buffer);
    if (size < 0) return Datum::symbol("absent");
    return Datum::string({buffer, static_cast<size_t>(size)});
  }
  if (name == "owner") return Datum::integer(info->st_uid);
  if (name == "group") return Datum::integer(info->st_gid);
  if (name == "mode") {
    const bool leads_to_directory =
        S_ISLNK(info->st_mode) ? is_directory(provider.path()) : S_ISDIR(info->st_mode);
    // Read permission of a directory implies search permission.
    for (Datum& wanted : property.values) {
      if (!is_numeric_mode(wanted.text()) || !leads_to_directory) continue;
      uint32_t bits = mode_bits(wanted.text(), 0, true);
      bits |= (bits & 0444) >> 2;
      wanted = Datum::string(octal(bits));
    }
    return Datum::string(fmt::format("{:04o}", info->st_mode & 07777));
  }
  if (is_part_of_label(name)) {
    const auto label = has_labels() ? label_of(provider.path()) : std::nullopt;
    const auto part = label ? part_of_label(*label, name) : std::nullopt;
    if (!part) return {};
    return Datum::string(name == "selrange" ? range_of_name(*part) : *part);
  }
  if (name == "ctime" || name == "mtime") {
    const timespec& time = name == "ctime" ? info->st_ctim : info->st_mtim;
    return Datum::time(time.tv_sec * 1'000'000'000 + time.tv_nsec);
  }
  return {};
}

bool File::is_id_in_sync(Resource& resource, Attribute& property, const Datum& current) {
  const bool is_owner = property.name() == "owner";
  for (Datum& wanted : property.values) {
    if (wanted.is_integer()) continue;
    const std::string text = wanted.to_text();
    const std::optional<uint32_t> id = is_owner ? user_id(text) : group_id(text);
    if (!id) {
      if (resource.is_noop()) return false;
      throw Failure::of_system(
          fmt::format("Could not find {} {}", is_owner ? "user" : "group", text));
    }
    wanted = Datum::integer(*id);
  }
  if (std::ranges::find(property.values, current) != property.values.end()) return true;
  if (is_owner && !resource.context().host.is_root()) {
    static bool has_warned = false;
    if (!has_warned) {
      resource.log_property(LogLevel::kWarning, "owner",
                            "Cannot manage ownership unless running as root", true);
    }
    has_warned = true;
    return true;
  }
  return false;
}

bool File::is_mode_in_sync(Resource& resource, const Attribute& mode, const Datum& current) {
  FileProvider& provider = provider_of(resource);
  const struct stat* info = provider.info();
  if (info != nullptr && S_ISLNK(info->st_mode) && provider.manages_links()) {
    resource.log_property(LogLevel::kDebug, "mode", "Not managing symlink mode", true);
    return true;
  }
  if (!current.is_string()) return false;
  const bool is_directory = info != nullptr && S_ISDIR(info->st_mode);
  const uint32_t bits = mode_bits(normalized_mode(current.text()), 0, false);
  return std::ranges::any_of(mode.values, [&](const Datum& wanted) {
    return mode_bits(wanted.text(), bits, is_directory) == bits;
  });
}

bool File::is_content_in_sync(Resource& resource, Attribute& property, const Datum& current,
                              bool is_equal) {
  FileProvider& provider = provider_of(resource);
  if (provider.should_be_file()) {
    if (current.is_symbol("absent")) return false;
  } else {
    const bool has_contents =
        property.name() == "checksum_value" || !resource.value("content").is_null();
    if (resource.value("ensure").is_symbol("present") && has_contents &&
        provider.info() != nullptr) {
      resource.log(LogLevel::kWarning,
                   fmt::format("Ensure set to :present but file type is {} so no content will be "
                               "synced",
                               provider.current_type()));
    }
    return true;
  }
  if (!resource.is_true("replace")) return true;
  if (!is_equal) provider.show_difference();
  return is_equal;
}

bool File::is_in_sync(Resource& resource, Attribute& property, const Datum& current) const {
  const FileProvider& provider = provider_of(resource);
  const std::string_view name = property.name();
  if (name == "ensure") {
    const bool is_absent = current.is_symbol("absent");
    if (!is_absent && !resource.is_true("replace")) return true;
    if (property.values.front().is_symbol("present")) return !is_absent && !current.is_null();
    return ResourceType::is_in_sync(resource, property, current);
  }
  if (name == "content" || name == "checksum_value") {
    if (name == "checksum_value" && !provider.has_source()) return true;
    std::string wanted = property.values.front().to_text();
    if (name == "content" && provider.checks_value()) {
      wanted = fmt::format("{{{}}}{}", provider.checksum_type(),
                           resource.value("checksum_value").to_text());
    }
    bool is_equal = current.is_string() && current.text() == wanted;
    if (!is_equal && current.is_string() && is_time_checksum(provider.checksum_type())) {
      const auto time_of = [](const std::string& text) {
        return parse_time(is_checksum(text) ? checksum_data_of(text) : std::string_view(text));
      };
      const int64_t is = time_of(current.text()), should = time_of(wanted);
      is_equal = is >= 0 && should >= 0 && is >= should;
    }
    return is_content_in_sync(resource, property, current, is_equal);
  }
  if (name == "owner" || name == "group") return is_id_in_sync(resource, property, current);
  if (name == "mode") return is_mode_in_sync(resource, property, current);
  if (name == "target") {
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol("notlink") || resource.is_true("recurse")) return true;
    if (!resource.is_true("replace") && exists(provider.path())) return true;
  }
  if (is_part_of_label(name) && (!has_labels() || !can_be_labelled(provider.path()))) return true;
  return ResourceType::is_in_sync(resource, property, current);
}

void File::sync_ensure(Resource& resource, Attribute& property) {
  FileProvider& provider = provider_of(resource);
  const std::string wanted = property.values.front().to_text();
  provider.remove_existing(wanted);
  if (wanted == "absent") return;
  set_word(resource, property, [&] {
    if (wanted == "directory") {
      provider.make_directory();
    } else if (wanted == "link") {
      const std::string target = resource.text("target");
      if (target.empty()) throw Failure("Cannot create a symlink without a target");
      provider.make_link(target);
    } else {
      provider.write(resource.find("content") != nullptr ||
                     resource.find("checksum_value") != nullptr);
    }
  });
}

void File::sync(Resource& resource, Attribute& property) const {
  FileProvider& provider = provider_of(resource);
  const std::string_view name = property.name();
  if (name == "ensure") return sync_ensure(resource, property);
  if (name == "content" || name == "checksum_value") return provider.write(true);
  const Datum& wanted = property.values.front();
  if (name == "owner") {
    provider.set_owner(static_cast<uint32_t>(wanted.integer_value()));
  } else if (name == "group") {
    provider.set_group(static_cast<uint32_t>(wanted.integer_value()));
  } else if (name == "mode") {
    const struct stat* info = provider.info();
    const uint32_t current = info == nullptr ? 0644 : info->st_mode & 07777;
    provider.set_mode(mode_bits(wanted.text(), current, info != nullptr && S_ISDIR(info->st_mode)));
  } else if (name == "target") {
    provider.make_link(wanted.to_text());
  } else if (is_part_of_label(name)) {
    set_part_of_label(resource, property);
  }
}

std::string File::content_text(Resource& resource, const Datum& current, const Datum& desired) {
  FileProvider& provider = provider_of(resource);
  std::string wanted = desired.to_text();
  if (provider.has_source() && !provider.metadata().checksum.empty()) {
    wanted = provider.metadata().checksum;
  }
  if (current.is_symbol("absent")) return fmt::format("defined content as '{}'", wanted);
  if (desired.is_symbol("absent")) {
    return fmt::format("undefined content from '{}'", current.to_text());
  }
  return fmt::format("content changed '{}' to '{}'", current.to_text(), wanted);
}

std::string File::change_text(Resource& resource, Attribute& property, const Datum& current,
                              const Datum& desired) const {
  const std::string_view name = property.name();
  if (name == "content") return content_text(resource, current, desired);
  if (name == "ensure" && (desired.is_symbol("file") || desired.is_symbol("present"))) {
    if (const Attribute* content = resource.find("content"); content != nullptr) {
      return content_text(resource, Datum::symbol("absent"), resource.desired(*content));
    }
  }
  if (name == "mode" && desired.is_string() && !is_numeric_mode(desired.text()) &&
      current.is_string()) {
    const uint32_t old_bits = mode_bits(normalized_mode(current.text()), 0, false);
    const bool is_directory = current.is_string() && provider_of(resource).info() != nullptr &&
                              S_ISDIR(provider_of(resource).info()->st_mode);
    const uint32_t new_bits = mode_bits(desired.text(), old_bits, is_directory);
    return fmt::format("mode changed '{:04o}' to '{:04o}' ({})", old_bits, new_bits,
                       desired.text());
  }
  return ResourceType::change_text(resource, property, current, desired);
}

std::string name_of_id(std::string_view property, const Datum& id) {
  if (!id.is_integer()) return id.to_display();
  if (property == "owner") {
    const passwd* entry = getpwuid(static_cast<uid_t>(id.integer_value()));
    if (entry != nullptr) return fmt::format("'{}'", entry->pw_name);
  } else {
    const ::group* entry = getgrgid(static_cast<gid_t>(id.integer_value()));
    if (entry != nullptr) return fmt::format("'{}'", entry->gr_name);
  }
  return id.to_display();
}

std::string File::current_text(Resource&, const Attribute& property, const Datum& current) const {
  const std::string_view name = property.name();
  if (name == "owner" || name == "group") return name_of_id(name, current);
  if (name == "mode" && current.is_string()) {
    return fmt::format("'{}'", displayed_mode(current.text()));
  }
  return current.to_display();
}

std::string File::desired_text(Resource&, const Attribute& property, const Datum& desired) const {
  const std::string_view name = property.name();
  if (name == "owner" || name == "group") return name_of_id(name, desired);
  if (name == "mode" && desired.is_string()) {
    return fmt::format("'{}'", displayed_mode(desired.text()));
  }
  // Reports show bytes, messages show the text.
  if (name == "content" && desired.kind() == DatumKind::kBinary) {
    return fmt::format("'{}'", desired.text());
  }
  return desired.to_display();
}

std::string File::event_name(const Resource& resource, const Attribute& property) const {
  if (property.name() != "ensure" || !property.has_value()) {
    return ResourceType::event_name(resource, property);
  }
  const std::string& wanted = property.values.front().text();
  if (wanted == "file" || wanted == "present") return "file_created";
  if (wanted == "directory") return "directory_created";
  if (wanted == "link") return "link_created";
  return ResourceType::event_name(resource, property);
}

}  // namespace

std::unique_ptr<ResourceType> make_file_type() {
  return std::make_unique<File>();
}

}  // namespace bunraku::apply
