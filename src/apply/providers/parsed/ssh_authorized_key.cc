// ssh_authorized_key: lines of authorized_keys files. They are written with the permissions of the
// user who owns the keys.
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/parsed/ssh_key_file.h"
#include "apply/providers/registry.h"
#include "apply/transaction/execution.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kSshAuthorizedKeyAttributes[] = {
    kEnsurePresent,
    {.name = "type",
     .kind = kProperty,
     .values =
         "ssh-dss ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-ed25519 "
         "sk-ecdsa-sha2-nistp256@openssh.com sk-ssh-ed25519@openssh.com "
         "ssh-rsa-cert-v01@openssh.com ssh-ed25519-cert-v01@openssh.com "
         "ssh-dss-cert-v01@openssh.com ecdsa-sha2-nistp256-cert-v01@openssh.com "
         "ecdsa-sha2-nistp384-cert-v01@openssh.com ecdsa-sha2-nistp521-cert-v01@openssh.com "
         "dsa=ssh-dss ed25519=ssh-ed25519 rsa=ssh-rsa "
         "ecdsa-sk=sk-ecdsa-sha2-nistp256@openssh.com ed25519-sk=sk-ssh-ed25519@openssh.com"},
    {.name = "key", .kind = kProperty},
    {.name = "user", .kind = kProperty},
    {.name = "target", .kind = kProperty, .default_value = "absent"},
    {.name = "options", .kind = kProperty, .takes_all = true, .default_value = "absent"},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "drop_privileges", .is_boolean = true, .default_value = "true"},
};

constexpr mode_t kDirectoryMode = 0700;
constexpr mode_t kFileMode = 0600;

const Regex& line_form() {
  static const Regex& form = *Regex::compile(
      "^(?:(.+)\\s+)?(ssh-dss|ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|"
      "ecdsa-sha2-nistp521|ecdsa-sk|ed25519-sk|sk-ecdsa-sha2-nistp256@openssh.com|"
      "sk-ssh-ed25519@openssh.com|ssh-rsa-cert-v01@openssh.com|ssh-ed25519-cert-v01@openssh.com|"
      "ssh-dss-cert-v01@openssh.com|ecdsa-sha2-nistp256-cert-v01@openssh.com|"
      "ecdsa-sha2-nistp384-cert-v01@openssh.com|ecdsa-sha2-nistp521-cert-v01@openssh.com)"
      "\\s+([^ ]+)\\s*(.*)$");
  return form;
}

// Splits options at commas: each is a word, or a word with a quoted text.
std::vector<std::string> options_of(std::string_view text) {
  static const Regex& form =
      *Regex::compile("\\A[ \\t]*([-a-z0-9A-Z_]+=\".*?[^\\\\]\"|[-a-z0-9A-Z_]+)[ \\t]*,?");
  std::vector<std::string> options;
  Captures captures;
  while (form.search(text, 0, captures)) {
    options.emplace_back(captures.text(text, 1));
    text.remove_prefix(captures.end());
  }
  return options;
}

std::string home_of(const std::string& user) {
  const passwd* entry = user.empty() ? nullptr : getpwnam(user.c_str());
  return entry == nullptr ? std::string() : std::string(entry->pw_dir);
}

class AuthorizedKeysFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "ssh_authorized_key"; }
  std::string default_target() const override { return {}; }
  std::string wanted_target(const Resource& resource) const override {
    const std::string target = RecordFormat::wanted_target(resource);
    if (!target.empty()) return target;
    const std::string home = home_of(resource.text("user"));
    return home.empty() ? std::string() : home + "/.ssh/authorized_keys";
  }
  bool is_field(std::string_view property) const override {
    return property == "options" || property == "type" || property == "key";
  }

  std::optional<FileRecord> parse_line(const std::string& line) const override {
    static const Regex& version_1 = *Regex::compile("^(?:(.+) )?(\\d+) (\\d+) (\\d+)(?: (.+))?$");
    const size_t begin = line.find_first_not_of(" \t\r\v\f");
    if (begin == std::string::npos || line[begin] == '#') return FileRecord::text(line);
    if (!is_valid_utf8(line)) return std::nullopt;
    Captures captures;
    if (!line_form().search(line, 0, captures)) {
      // Keys of protocol version 1 are left unchanged.
      if (version_1.matches(line)) return FileRecord::text(line);
      return std::nullopt;
    }
    FileRecord record = FileRecord::record();
    record.set("options", captures.matched(1) ? Datum::strings(options_of(captures.text(line, 1)))
                                              : Datum::array({Datum::symbol("absent")}));
    record.set("type", Datum::string(captures.text(line, 2)));
    record.set("key", Datum::string(captures.text(line, 3)));
    record.set("name", Datum::string(captures.text(line, 4)));
    return record;
  }

  void arrange(std::vector<FileRecord>& records) const override {
    int count = 0;
    for (FileRecord& record : records) {
      if (record.is_text || !record.text_of("name").empty()) continue;
      record.set("unnamed", Datum::boolean(true));
      record.set("name", Datum::string(fmt::format("{}:unnamed-{}", record.target, ++count)));
    }
  }

  std::string line_of(const FileRecord& record) const override {
    std::string line;
    if (const Datum* options = record.find("options")) {
      for (const Datum& option : options->items()) {
        if (option.is_symbol("absent")) continue;
        line += (line.empty() ? "" : ",") + option.to_text();
      }
    }
    for (const std::string_view field : {"type", "key"}) {
      const std::string text = record.text_of(field);
      if (text.empty()) throw Failure(fmt::format("Field '{}' is required", field));
      line += (line.empty() ? "" : " ") + text;
    }
    return line + " " + (record.find("unnamed") != nullptr ? "" : record.text_of("name"));
  }
};

const AuthorizedKeysFormat& authorized_keys_format() {
  static const AuthorizedKeysFormat format;
  return format;
}

// Grants this thread the user's file access during its lifetime. The C library's functions would
// change the whole process.
class RightsOfUser {
 public:
  explicit RightsOfUser(const passwd& user) : is_root_(geteuid() == 0) {
    if (!is_root_) return;
    const int count = getgroups(0, nullptr);
    groups_.resize(static_cast<size_t>(std::max(count, 0)));
    if (count > 0) getgroups(count, groups_.data());
    std::vector<gid_t> own(64);
    auto size = static_cast<int>(own.size());
    if (getgrouplist(user.pw_name, user.pw_gid, own.data(), &size) < 0) {
      own.resize(static_cast<size_t>(size));
      getgrouplist(user.pw_name, user.pw_gid, own.data(), &size);
    }
    syscall(SYS_setgroups, static_cast<size_t>(size), own.data());
    group_ = static_cast<gid_t>(setfsgid(user.pw_gid));
    user_ = static_cast<uid_t>(setfsuid(user.pw_uid));
  }
  ~RightsOfUser() {
    if (!is_root_) return;
    setfsuid(user_);
    setfsgid(group_);
    syscall(SYS_setgroups, groups_.size(), groups_.data());
  }
  RightsOfUser(const RightsOfUser&) = delete;
  RightsOfUser& operator=(const RightsOfUser&) = delete;

 private:
  bool is_root_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  std::vector<gid_t> groups_;
};

// Returns whether only the user of this process can change the file of the path.
bool is_trusted(const std::string& target) {
  std::string path(parent_directory(target));
  if (!is_directory(path)) return false;
  while (path.size() > 1) {
    struct stat info = {};
    if (stat(path.c_str(), &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 022) != 0) {
      return false;
    }
    path = std::string(parent_directory(path));
  }
  return true;
}

class AuthorizedKeyProvider final : public RecordProvider {
 public:
  using RecordProvider::RecordProvider;

  void flush() override {
    const std::string name = resource_.text("user");
    if (name.empty()) throw Failure("Cannot write SSH authorized keys without user");
    const std::optional<uint32_t> id = user_id(name);
    const passwd* found = id ? getpwuid(*id) : nullptr;
    if (found == nullptr) throw Failure(fmt::format("User '{}' does not exist", name));
    const passwd user = *found;
    const std::string login = user.pw_name;  // copied, because the entry's memory is reused
    const std::string file = target();
    store().back_up(file);
    if (!resource_.is_true("drop_privileges")) {
      if (!is_trusted(file)) {
        throw Failure("drop_privileges is false but the target path is not trusted");
      }
      RecordProvider::flush();
      protect(file);
      if (lchown(file.c_str(), user.pw_uid, user.pw_gid) != 0) fail("chown", file);
      return;
    }
    passwd copy = user;
    copy.pw_name = const_cast<char*>(login.c_str());
    const RightsOfUser rights(copy);
    const std::string directory(parent_directory(file));
    if (!exists_path(directory) && mkdir(directory.c_str(), kDirectoryMode) != 0) {
      fail("dir_s_mkdir", directory);
    }
    RecordProvider::flush();
    protect(file);
  }

 private:
  static bool exists_path(const std::string& path) { return bunraku::exists(path); }
  [[noreturn]] static void fail(const std::string& call, const std::string& path) {
    throw Failure::of_system(system_error_text(errno, call, path));
  }
  static void protect(const std::string& file) {
    if (chmod(file.c_str(), kFileMode) != 0) fail("apply2files", file);
  }
};

class AuthorizedKeyKind final : public RecordKind {
 public:
  AuthorizedKeyKind() : RecordKind(authorized_keys_format()) {}
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<AuthorizedKeyProvider>(resource, authorized_keys_format());
  }
};

class SshAuthorizedKey final : public RecordType {
 public:
  SshAuthorizedKey() : RecordType(authorized_keys_format()) {
    add_provider(std::make_unique<AuthorizedKeyKind>());
  }
  std::string_view name() const override { return "ssh_authorized_key"; }
  std::span<const AttributeInfo> attributes() const override { return kSshAuthorizedKeyAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "target" || attribute.name == "options") return Datum::symbol("absent");
    return RecordType::default_of(resource, attribute);
  }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    if (attribute.name == "key" && text.find_first_of(" \t\r\n\v\f") != std::string::npos) {
      throw Failure(fmt::format("Key must not contain whitespace: {}", text));
    }
    if (attribute.name == "options" && !value.is_symbol("absent")) {
      static const Regex& form = *Regex::compile("^[-a-z0-9A-Z_]+(?:=\".*?\")?$");
      if (!is_valid_utf8(text) || !form.matches(text)) {
        throw Failure(fmt::format(
            "Option {} is not valid. A single option must either be of the form 'option' or "
            "'option=\"value\"'. Multiple options must be provided as an array",
            text));
      }
    }
    return RecordType::munge(resource, attribute, value);
  }

  void validate(Resource& resource) const override {
    if (!resource.value("target").is_symbol("absent") || !resource.value("user").is_null()) return;
    throw Failure("Attribute 'user' or 'target' is mandatory");
  }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    const std::string user = resource.text("user");
    if (user.empty()) return {};
    return {{RelationKind::kRequire, "user", user}};
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "target") {
      return current.is_string() &&
             current.text() == authorized_keys_format().wanted_target(resource);
    }
    return RecordType::is_in_sync(resource, property, current);
  }

  Datum shown(const Resource& resource, const Attribute& property,
              const Datum& value) const override {
    if (property.name() != "target") return RecordType::shown(resource, property, value);
    const std::string target = authorized_keys_format().wanted_target(resource);
    return target.empty() ? Datum::symbol("absent") : Datum::string(target);
  }
};

}  // namespace

std::vector<std::string> names_of_authorized_keys(const std::string& path) {
  std::vector<std::string> names;
  std::string text;
  try {
    text = read_file(path);
  } catch (const FileError&) {
    return names;
  }
  int unnamed = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    Captures captures;
    if (line.starts_with('#') || !is_valid_utf8(line) || !line_form().search(line, 0, captures)) {
      continue;
    }
    const std::string_view name = captures.text(line, 4);
    names.push_back(name.empty() ? fmt::format("{}:unnamed-{}", path, ++unnamed)
                                 : std::string(name));
  }
  return names;
}

std::unique_ptr<ResourceType> make_ssh_authorized_key_type() {
  return std::make_unique<SshAuthorizedKey>();
}

}  // namespace bunraku::apply
