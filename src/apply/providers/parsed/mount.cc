// mount: lines of /etc/fstab, and mounted file systems.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/execution.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/replacement.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kMountAttributes[] = {
    {.name = "ensure",
     .kind = kProperty,
     .values = "defined present=defined unmounted absent mounted"},
    {.name = "device", .kind = kProperty},
    {.name = "blockdevice", .kind = kProperty},
    {.name = "fstype", .kind = kProperty},
    {.name = "options", .kind = kProperty},
    {.name = "pass", .kind = kProperty},
    {.name = "atboot", .kind = kProperty},
    {.name = "dump", .kind = kProperty, .patterns = "/(0|1)/"},
    {.name = "target", .kind = kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
    {.name = "remounts", .values = "true false", .default_value = "true"},
};

constexpr std::string_view kFields[] = {"device", "name", "fstype", "options", "dump", "pass"};
constexpr std::string_view kSpaces = " \t\r\v\f";

std::string without_slashes_at_end(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

class MountFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "mount"; }
  std::string default_target() const override { return "/etc/fstab"; }
  bool is_field(std::string_view property) const override {
    return std::ranges::find(kFields, property) != std::end(kFields);
  }

  std::optional<FileRecord> parse_line(const std::string& line) const override {
    std::vector<std::string> words;
    std::string text = line;
    for (char& c : text) {
      if (kSpaces.find(c) != std::string_view::npos) c = ' ';
    }
    words = list_of(Datum::string(text), ' ');
    if (words.size() < 2 || words[0].starts_with('#')) return FileRecord::text(line);
    // Leading blanks are preceded by an empty field.
    if (text.starts_with(' ')) words.insert(words.begin(), "");
    FileRecord record = FileRecord::record();
    for (size_t i = 0; i < std::size(kFields); ++i) {
      std::string value = i < words.size() ? words[i] : std::string();
      if (i < 2) value = replaced(value, "\\040", " ");
      // Surplus fields are appended to the last one.
      if (i + 1 == std::size(kFields)) {
        for (size_t more = i + 1; more < words.size(); ++more) value += "\t" + words[more];
      }
      if (kFields[i] == "name") value = without_slashes_at_end(std::move(value));
      record.set(kFields[i], value.empty() ? Datum::symbol("absent") : Datum::string(value));
    }
    return record;
  }

  void arrange(std::vector<FileRecord>& records) const override {
    for (FileRecord& record : records) {
      if (!record.is_text) record.set("ensure", Datum::symbol("unmounted"));
    }
  }

  std::string line_of(const FileRecord& record) const override {
    std::string line;
    for (const std::string_view field : kFields) {
      std::string value = record.text_of(field);
      if (field == "options" && record.find(field) == nullptr) value = "defaults";
      if (field == "fstype" && value.empty()) {
        throw Failure(fmt::format("Mount[{}]: Field 'fstype' is required", record.text_of("name")));
      }
      if (value.empty() && (field == "device" || field == "name")) {
        throw Failure(fmt::format("Field '{}' is required", field));
      }
      if (field == "device" || field == "name") value = replaced(value, " ", "\\040");
      if (field != kFields[0]) line += '\t';
      line += value;
    }
    return line;
  }
};

const MountFormat& mount_format() {
  static const MountFormat format;
  return format;
}

// The mount points in the output of the program mount. Throws Failure.
std::vector<std::string> mounted_places() {
  std::vector<std::string> places;
  const std::string output = execute({find_executable("mount")});
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t on = line.find(" on ");
    const size_t type = line.rfind(" type ");
    if (on == std::string_view::npos || type == std::string_view::npos || type < on + 4) {
      throw Failure(fmt::format("Could not understand line {} from mount output", line));
    }
    places.emplace_back(line.substr(on + 4, type - on - 4));
  }
  return places;
}

class MountProvider final : public RecordProvider {
 public:
  using RecordProvider::RecordProvider;

  Datum state() {
    const Datum* ensure = record().find("ensure");
    return ensure == nullptr ? Datum::symbol("absent") : *ensure;
  }
  void set_state(std::string_view state) { record().set("ensure", Datum::symbol(state)); }
  bool is_mounted() {
    const Datum now = state();
    return now.is_symbol("mounted") || now.is_symbol("ghost");
  }
  bool exists() override { return !state().is_symbol("absent"); }

  // One without an entry stays a ghost when it is found again.
  void found_mounted() {
    if (state().is_symbol("absent")) set_state("ghost");
    if (state().is_symbol("unmounted")) set_state("mounted");
  }

  void mount() {
    execute({needed("mount"), resource_.name()});
    found_mounted();
  }
  void unmount() {
    execute({needed("umount"), resource_.name()});
    set_state(state().is_symbol("ghost") ? "absent" : "unmounted");
  }
  void remount() {
    // The record's source is the provider, not the resource's path.
    resource_.context().log.log(LogLevel::kInfo, "Remounting",
                                fmt::format("{}(provider=parsed)", resource_.reference()));
    if (resource_.text("remounts") == "true") {
      execute({needed("mount"), "-o", "remount", resource_.name()});
    } else {
      unmount();
      mount();
    }
  }

  void create() override {
    for (const Attribute* property : resource_.properties()) {
      if (property->has_value()) record().set(property->name(), resource_.desired(*property));
    }
    mark_targets();
  }

  void flush() override {
    const bool mounts = needs_mount_;
    needs_mount_ = false;
    RecordProvider::flush();
    if (mounts) mount();
  }
  void mount_at_flush() { needs_mount_ = true; }

 private:
  static std::string needed(std::string_view name) {
    std::string path = find_executable(name);
    if (path.empty()) throw Failure(fmt::format("Command {} is missing", name));
    return path;
  }
  bool needs_mount_ = false;
};

MountProvider& provider_of(Resource& resource) {
  return resource.provider_as<MountProvider>();
}

class MountKind final : public RecordKind {
 public:
  MountKind() : RecordKind(mount_format()) {}
  std::string_view features() const override { return "refreshable"; }
  bool is_suitable(const Host&) const override {
    return !find_executable("mount").empty() && !find_executable("umount").empty();
  }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<MountProvider>(resource, mount_format());
  }

  void prefetch(Context& context, std::span<Resource* const> resources) const override {
    RecordKind::prefetch(context, resources);
    for (const std::string& place : mounted_places()) {
      for (Resource* resource : resources) {
        if (resource->name() == place) provider_of(*resource).found_mounted();
      }
    }
  }

  std::vector<Instance> instances(Context& context) const override {
    std::vector<Instance> all = RecordKind::instances(context);
    const size_t recorded = all.size();
    for (const std::string& place : mounted_places()) {
      const auto known = std::ranges::find(all, place, &Instance::title);
      if (known == all.end()) {
        all.push_back({place,
                       {{"ensure", Datum::symbol("ghost")},
                        {"target", Datum::string(format_.default_target())}}});
        continue;
      }
      // A file system without an entry stays a ghost, even if it is mounted twice.
      if (known - all.begin() >= static_cast<ptrdiff_t>(recorded)) continue;
      for (auto& [name, value] : known->properties) {
        if (name == "ensure") value = Datum::symbol("mounted");
      }
    }
    return all;
  }
};

class Mount final : public RecordType {
 public:
  Mount() : RecordType(mount_format()) { add_provider(std::make_unique<MountKind>()); }
  std::string_view name() const override { return "mount"; }
  std::span<const AttributeInfo> attributes() const override { return kMountAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    if (attribute.name == "fstype" || attribute.name == "options") {
      if (text.find_first_of(" \t\r\n\v\f") != std::string::npos) {
        throw Failure(fmt::format("{} must not contain whitespace: {}", attribute.name, text));
      }
      if (text.empty())
        throw Failure(fmt::format("{} must not be an empty string", attribute.name));
    }
    if (attribute.name == "name") return Datum::string(without_slashes_at_end(text));
    if (attribute.name == "atboot") {
      const bool is_yes = text == "true" || text == "yes";
      if (!is_yes && text != "false" && text != "no") {
        throw munging_failure(attribute, value, "expected a boolean value");
      }
      return Datum::symbol(is_yes ? "yes" : "no");
    }
    return RecordType::munge(resource, attribute, value);
  }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "ensure") return Datum();
    if (attribute.name == "pass" || attribute.name == "dump") {
      return resource.is_managed() ? Datum::integer(0) : Datum();
    }
    return RecordType::default_of(resource, attribute);
  }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    std::vector<AutomaticRelation> relations;
    const std::string& path = resource.name();
    for (size_t slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      relations.push_back({RelationKind::kRequire, "mount", path.substr(0, slash)});
    }
    if (path.size() > 1 && path.starts_with('/')) {
      relations.insert(relations.begin(), {RelationKind::kRequire, "mount", "/"});
    }
    for (const Resource* other : resource.catalog().resources()) {
      if (other->type().name() == "file" && is_path_below(other->name(), path)) {
        relations.push_back({RelationKind::kBefore, "file", other->name()});
      }
    }
    return relations;
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (property.name() == "ensure" && resource.provider() != nullptr) {
      return provider_of(resource).state();
    }
    return RecordType::retrieve(resource, property);
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() == "ensure" && property.values.front().is_symbol("defined") &&
        (current.is_symbol("mounted") || current.is_symbol("unmounted"))) {
      return true;
    }
    return RecordType::is_in_sync(resource, property, current);
  }

  void sync(Resource& resource, Attribute& property) const override {
    if (property.name() != "ensure") return sync_with_provider(resource, property);
    set_word(resource, property, [&] { bring_to(resource, property.values.front().text()); });
  }

  std::string change_text(Resource& resource, Attribute& property, const Datum& current,
                          const Datum& desired) const override {
    if (property.name() == "ensure" && current.is_symbol("absent")) {
      return fmt::format("defined 'ensure' as {}", desired_text(resource, property, desired));
    }
    if (property.name() == "ensure" && desired.is_symbol("absent")) {
      return fmt::format("undefined 'ensure' from {}", current_text(resource, property, current));
    }
    return RecordType::change_text(resource, property, current, desired);
  }

  std::string event_name(const Resource& resource, const Attribute& property) const override {
    if (property.name() != "ensure" || !property.has_value()) {
      return RecordType::event_name(resource, property);
    }
    const Datum& wanted = property.values.front();
    if (wanted.is_symbol("absent")) return "mount_deleted";
    return wanted.is_symbol("mounted") ? "mount_mounted" : "mount_changed";
  }

  bool can_refresh() const override { return true; }
  bool refreshes_itself() const override { return true; }
  void refresh(Resource& resource) const override {
    if (resource.text("fstype") == "swap" || resource.provider() == nullptr) return;
    if (provider_of(resource).is_mounted()) provider_of(resource).remount();
  }

 private:
  void bring_to(Resource& resource, const std::string& wanted) const {
    MountProvider& provider = provider_of(resource);
    const std::string now = provider.state().text();
    const bool is_absent = now == "absent";
    if (wanted == "defined") {
      provider.create();
      provider.set_state("defined");
    } else if (wanted == "unmounted") {
      if (now == "ghost") {
        provider.create();
        provider.flush();
        provider.unmount();
        provider.set_state("unmounted");
      } else if (is_absent) {
        provider.create();
      } else if (now == "mounted") {
        provider.unmount();
        sync_others(resource);
      } else {
        throw Failure(fmt::format("Unexpected change from {} to unmounted", now));
      }
    } else if (wanted == "absent") {
      if (provider.is_mounted()) provider.unmount();
      if (now != "ghost") provider.destroy();
    } else {
      const bool was_mounted = provider.is_mounted();
      if (is_absent || now == "ghost") provider.create();
      sync_others(resource);
      if (!was_mounted) provider.mount_at_flush();
    }
  }

  // Synchronizes the other properties, with one write.
  void sync_others(Resource& resource) const {
    bool is_changed = false;
    for (Attribute* property : resource.properties()) {
      if (property->name() == "ensure" || !property->has_value()) continue;
      if (is_in_sync(resource, *property, retrieve(resource, *property))) continue;
      sync_with_provider(resource, *property);
      is_changed = true;
    }
    if (is_changed) provider_of(resource).flush();
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_mount_type() {
  return std::make_unique<Mount>();
}

}  // namespace bunraku::apply
