// yumrepo: package repositories, which are sections of files in the directories that yum.conf
// names.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <ranges>

#include "apply/providers/file/labels.h"
#include "apply/providers/registry.h"
#include "apply/providers/yumrepo/ini_file.h"
#include "apply/transaction/resource.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kAnything = "/.*/";
constexpr std::string_view kBoolean = "/^(true|false|0|1|no|yes)$/";
constexpr std::string_view kDigits = "/^\\d+$/";
constexpr std::string_view kCount = "/^[0-9]+$/";
constexpr uint32_t kFileMode = 0644;

constexpr AttributeInfo property(std::string_view name, std::string_view patterns,
                                 bool is_sensitive = false) {
  return {.name = name,
          .kind = AttributeKind::kProperty,
          .values = "absent",
          .patterns = patterns,
          .is_sensitive = is_sensitive};
}

constexpr AttributeInfo kYumrepoAttributes[] = {
    kEnsurePresent,
    property("descr", kAnything),
    property("mirrorlist", kAnything),
    property("baseurl", kAnything),
    property("enabled", kBoolean),
    property("gpgcheck", kBoolean),
    property("payload_gpgcheck", kBoolean),
    property("repo_gpgcheck", kBoolean),
    property("gpgkey", kAnything),
    property("mirrorlist_expire", kCount),
    property("include", kAnything),
    property("exclude", kAnything),
    property("gpgcakey", kAnything),
    property("includepkgs", kAnything),
    property("enablegroups", kBoolean),
    property("module_hotfixes", kBoolean),
    property("failovermethod", "/^roundrobin|priority$/"),
    property("keepalive", kBoolean),
    property("retries", kCount),
    property("http_caching", "/^(packages|all|none)$/"),
    property("timeout", kDigits),
    property("metadata_expire", "/^([0-9]+[dhm]?|never)$/"),
    property("protect", kBoolean),
    property("priority", "/^-?\\d+$/"),
    property("minrate", kDigits),
    property("throttle", "/^\\d+[kMG%]?$/"),
    property("bandwidth", "/^\\d+[kMG]?$/"),
    property("cost", kDigits),
    property("proxy", kAnything),
    property("proxy_username", kAnything),
    property("proxy_password", kAnything, true),
    property("s3_enabled", kBoolean),
    property("sslcacert", kAnything),
    property("sslverify", kBoolean),
    property("sslclientcert", kAnything),
    property("sslclientkey", kAnything),
    property("metalink", kAnything),
    property("skip_if_unavailable", kBoolean),
    property("assumeyes", kBoolean),
    property("deltarpm_percentage", kDigits),
    property("deltarpm_metadata_percentage", kDigits),
    property("username", kAnything),
    property("password", kAnything, true),
    {.name = "name", .is_namevar = true},
    {.name = "target", .default_value = "absent"},
    {.name = "provider"},
};

// The name of a property in the file.
std::string key_of(std::string_view property) {
  return property == "descr" ? "name" : std::string(property);
}

// The repository files, during one run.
class YumFiles {
 public:
  // Throws Failure.
  YumFiles() {
    read(kConfiguration);
    for (const std::string& directory : directories()) {
      for (const std::string& name : names_in(directory)) read(join_path(directory, name));
    }
  }

  // The path for a repository: the file in `target`, or a file of its own.
  static std::string path_of(const std::string& name, const std::string& target) {
    const std::vector<std::string> all = directories();
    if (all.empty()) return kConfiguration;
    if (target.empty()) return fmt::format("{}/{}.repo", all.back(), name);
    const std::string suffix = target.ends_with(".repo") ? "" : ".repo";
    if (std::ranges::find(all, parent_directory(target)) != all.end()) return target + suffix;
    return fmt::format("{}/{}{}", all.back(), file_name_of(target), suffix);
  }

  std::vector<IniSection*> repositories() {
    std::vector<IniSection*> all;
    for (const auto& file : files_) {
      for (IniSection* section : file->sections()) {
        if (section->name() != "main" && !section->is_destroyed()) all.push_back(section);
      }
    }
    return all;
  }

  // The section of a repository in the file `path`. A new one takes its lines from the section in
  // another file, which is removed.
  IniSection& section(const std::string& name, const std::string& path) {
    IniSection* found = nullptr;
    const IniSection* other = nullptr;
    for (IniSection* section : repositories()) {
      if (section->name() != name) continue;
      if (section->file() == path) {
        found = section;
      } else {
        other = section;
        section->destroy();
      }
    }
    if (found != nullptr) return *found;
    IniSection& made = file(path).add(name);
    if (other != nullptr) made.copy_from(*other);
    return made;
  }

  // Parses the present file.
  void read(const std::string& path) {
    if (!is_file(path)) return;
    try {
      file(path).parse(read_file(path));
    } catch (const FileError& error) {
      throw Failure::of_system(error.what());
    }
  }

  // Writes changed files. A file without remaining repositories is deleted.
  void store(const std::function<void(std::string)>& inform) {
    for (auto place = files_.begin(); place != files_.end();) {
      IniFile& file = **place;
      const std::vector<IniSection*> sections = file.sections();
      if (!sections.empty() && std::ranges::all_of(sections, &IniSection::is_destroyed)) {
        unlink(file.path().c_str());
        place = files_.erase(place);
        continue;
      }
      if (std::ranges::any_of(sections, &IniSection::is_changed)) write(file, inform);
      for (IniSection* section : sections) section->mark_clean();
      ++place;
    }
  }

 private:
  static constexpr const char* kConfiguration = "/etc/yum.conf";

  // The names of repository files in a directory, sorted.
  static std::vector<std::string> names_in(const std::string& directory) {
    std::vector<std::string> names;
    try {
      for (const DirectoryEntry& entry : list_directory(directory)) {
        if (entry.name.ends_with(".repo") && !entry.name.starts_with('.')) {
          names.push_back(entry.name);
        }
      }
    } catch (const FileError& error) {
      throw Failure::of_system(error.what());
    }
    std::ranges::sort(names);
    return names;
  }

  // The existing directories among those of the setting `reposdir`, or among the usual ones.
  static std::vector<std::string> directories() {
    std::vector<std::string> all = {"/etc/yum.repos.d", "/etc/yum/repos.d"};
    if (is_file(kConfiguration)) {
      IniFile configuration(kConfiguration);
      configuration.parse(read_file(kConfiguration));
      const IniSection* main = configuration.find("main");
      const std::string* setting = main == nullptr ? nullptr : main->find("reposdir");
      if (setting != nullptr) {
        all.clear();
        for (const auto word : std::views::split(*setting, ' ')) {
          for (const auto line : std::views::split(word, '\n')) {
            for (const auto part : std::views::split(line, ',')) {
              std::string directory(part.begin(), part.end());
              if (!directory.empty()) all.push_back(std::move(directory));
            }
          }
        }
      }
    }
    std::erase_if(all, [](const std::string& directory) { return !exists(directory); });
    return all;
  }

  IniFile& file(const std::string& path) {
    for (const auto& known : files_) {
      if (known->path() == path) return *known;
    }
    return *files_.emplace_back(std::make_unique<IniFile>(path));
  }

  static void write(const IniFile& file, const std::function<void(std::string)>& inform) {
    struct stat old = {};
    const bool is_there = stat(file.path().c_str(), &old) == 0;
    const uint32_t mode = is_there ? old.st_mode & 0777 : 0600;
    if (mode != kFileMode) {
      inform(
          fmt::format("changing mode of {} from {:03o} to {:03o}", file.path(), mode, kFileMode));
    }
    NewFile kind{.mode = kFileMode};
    if (is_there) kind.owner = FileOwner{old.st_uid, old.st_gid};
    try {
      write_file(file.path(), file.text(), kind);
    } catch (const FileError& error) {
      throw Failure::of_system(error.what());
    }
    restore_default_label(file.path());
  }

  std::vector<std::unique_ptr<IniFile>> files_;
};

class YumrepoProvider final : public Provider {
 public:
  explicit YumrepoProvider(Resource& resource) : resource_(resource) {}

  void attach(std::shared_ptr<YumFiles> files) {
    files_ = std::move(files);
    for (const IniSection* section : files_->repositories()) {
      if (section->name() == resource_.name()) {
        is_there_ = true;
        path_ = section->file();
      }
    }
  }

  bool exists() override {
    if (files_ == nullptr) attach(std::make_shared<YumFiles>());
    return is_there_ && (target().empty() || path_ == wanted_path());
  }

  void create() override {
    is_there_ = true;
    if (path_.empty() || !target().empty()) path_ = wanted_path();
    if (is_file(path_)) files_->read(path_);
    for (Attribute* attribute : resource_.properties()) {
      if (attribute->name() != "ensure" && attribute->has_value()) {
        set(attribute->name(), attribute->values.front());
      }
    }
  }

  void destroy() override {
    files_->section(resource_.name(), path_).destroy();
    is_there_ = false;
  }

  Datum get(std::string_view property) override {
    if (files_ == nullptr) attach(std::make_shared<YumFiles>());
    if (!is_there_) return Datum::symbol("absent");
    const std::string* value = files_->section(resource_.name(), path_).find(key_of(property));
    return value == nullptr ? Datum::symbol("absent") : Datum::string(*value);
  }

  void set(std::string_view property, const Datum& value) override {
    files_->section(resource_.name(), path_)
        .set(key_of(property),
             value.is_symbol("absent") ? std::nullopt : std::optional(value.to_text()));
  }

  void flush() override {
    files_->store([&](std::string message) {
      resource_.context().log.log(LogLevel::kInfo, std::move(message),
                                  fmt::format("{}(provider=inifile)", resource_.reference()));
    });
  }

 private:
  std::string target() const {
    const Datum& target = resource_.value("target");
    return target.is_null() || target.to_text() == "absent" ? std::string() : target.to_text();
  }
  std::string wanted_path() const { return YumFiles::path_of(resource_.name(), target()); }

  Resource& resource_;
  std::shared_ptr<YumFiles> files_;
  bool is_there_ = false;
  std::string path_;  // the file that has the section or will have it
};

class YumrepoKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "inifile"; }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<YumrepoProvider>(resource);
  }
  bool can_prefetch() const override { return true; }
  void prefetch(Context&, std::span<Resource* const> resources) const override {
    const auto files = std::make_shared<YumFiles>();
    for (Resource* resource : resources) resource->provider_as<YumrepoProvider>().attach(files);
  }
  bool can_list() const override { return true; }
  std::vector<Instance> instances(Context&) const override {
    YumFiles files;
    std::vector<Instance> instances;
    for (const IniSection* section : files.repositories()) {
      Instance instance{section->name(), {{"ensure", Datum::symbol("present")}}};
      for (const AttributeInfo& info : kYumrepoAttributes) {
        if (info.kind != AttributeKind::kProperty || info.name == "ensure") continue;
        if (const std::string* value = section->find(key_of(info.name))) {
          instance.properties.emplace_back(std::string(info.name), Datum::string(*value));
        }
      }
      instances.push_back(std::move(instance));
    }
    return instances;
  }
};

bool is_url(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string scheme(text.substr(0, colon));
  return scheme == "file" || scheme == "http" || scheme == "https" || scheme == "ftp";
}

class Yumrepo final : public ResourceType {
 public:
  Yumrepo() { add_provider(std::make_unique<YumrepoKind>()); }
  std::string_view name() const override { return "yumrepo"; }
  std::span<const AttributeInfo> attributes() const override { return kYumrepoAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    const std::string_view name = attribute.name;
    if (name == "proxy" && (text == "_none_" || text.empty())) return no_proxy(resource, text);
    if (text != "absent") check_urls(name, text);
    Datum munged = ResourceType::munge(resource, attribute, value);
    if (attribute.patterns == kBoolean && !munged.is_symbol()) {
      return Datum::string(capitalize(text));
    }
    return munged;
  }

 private:
  static void check_urls(std::string_view name, const std::string& text) {
    constexpr std::string_view kSingle[] = {"mirrorlist", "include", "gpgcakey", "proxy",
                                            "metalink"};
    const bool is_list = name == "baseurl" || name == "gpgkey";
    if (!is_list && std::ranges::find(kSingle, name) == std::end(kSingle)) return;
    std::string_view rest = text;
    while (!rest.empty()) {
      const size_t end = is_list ? std::min(rest.find_first_of(" \t\n"), rest.size()) : rest.size();
      if (end > 0 && !is_url(rest.substr(0, end))) throw Failure("Must be a valid URL");
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (text.empty()) throw Failure("Must be a valid URL");
  }

  // The value that disables a global proxy for a repository: newer systems need an empty value.
  static Datum no_proxy(Resource& resource, const std::string& text) {
    const Host& host = resource.context().host;
    const auto is_new = [](const std::string& major) {
      return major.size() > 1 || (major.size() == 1 && major >= "8");
    };
    if (text.empty()) {
      if (!is_new(host.fact("os.release.major"))) throw Failure("Must be a valid URL");
      return Datum::string(text);
    }
    return Datum::string(is_new(host.fact("os.distro.release.major")) ? "" : text);
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_yumrepo_type() {
  return std::make_unique<Yumrepo>();
}

}  // namespace bunraku::apply
