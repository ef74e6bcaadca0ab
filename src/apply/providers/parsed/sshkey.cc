// sshkey: lines of ssh_known_hosts.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/registry.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kSshkeyAttributes[] = {
    kEnsurePresent,
    {.name = "key", .kind = kProperty},
    {.name = "host_aliases", .kind = kProperty, .takes_all = true},
    {.name = "target", .kind = kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "type",
     .is_namevar = true,
     .values = "ssh-dss ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 "
               "ecdsa-sha2-nistp521 sk-ecdsa-sha2-nistp256@openssh.com sk-ssh-ed25519@openssh.com "
               "dsa=ssh-dss ed25519=ssh-ed25519 rsa=ssh-rsa "
               "ecdsa-sk=sk-ecdsa-sha2-nistp256@openssh.com "
               "ed25519-sk=sk-ssh-ed25519@openssh.com"},
    {.name = "provider"},
};

class SshkeyFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "sshkey"; }
  std::string default_target() const override { return "/etc/ssh/ssh_known_hosts"; }
  bool is_field(std::string_view property) const override {
    return property == "type" || property == "key";
  }
  uint32_t new_mode() const override { return 0644; }

  std::optional<FileRecord> parse_line(const std::string& line) const override {
    const std::vector<std::string> words = words_of(line);
    if (line.starts_with('#') || words.empty()) return FileRecord::text(line);
    FileRecord record = FileRecord::record();
    std::vector<std::string> names = list_of(Datum::string(words[0]), ',');
    if (names.empty()) return FileRecord::text(line);
    record.set("name", Datum::string(names.front()));
    names.erase(names.begin());
    record.set("host_aliases", Datum::strings(names));
    record.set("type", words.size() > 1 ? Datum::string(words[1]) : Datum::symbol("absent"));
    std::string key;
    for (size_t i = 2; i < words.size(); ++i) key += (key.empty() ? "" : " ") + words[i];
    record.set("key", words.size() > 2 ? Datum::string(key) : Datum::symbol("absent"));
    return record;
  }

  std::string line_of(const FileRecord& record) const override {
    std::string names = record.text_of("name");
    if (const Datum* aliases = record.find("host_aliases")) {
      for (const std::string& alias : list_of(*aliases, ',')) names += "," + alias;
    }
    for (const std::string_view field : {"type", "key"}) {
      if (record.text_of(field).empty()) {
        throw Failure(fmt::format("Field '{}' is required", field));
      }
    }
    return fmt::format("{} {} {}", names, record.text_of("type"), record.text_of("key"));
  }

  Resource* resource_of(const FileRecord& record,
                        std::span<Resource* const> resources) const override {
    for (Resource* resource : resources) {
      if (resource->name() == record.text_of("name") &&
          resource->text("type") == record.text_of("type")) {
        return resource;
      }
    }
    return nullptr;
  }

  std::string title_of(const FileRecord& record) const override {
    return fmt::format("{}@{}", record.text_of("name"), record.text_of("type"));
  }

 private:
  static std::vector<std::string> words_of(const std::string& line) {
    std::string text = line;
    for (char& c : text) {
      if (c == '\t' || c == '\r') c = ' ';
    }
    return list_of(Datum::string(text), ' ');
  }
};

const SshkeyFormat& sshkey_format() {
  static const SshkeyFormat format;
  return format;
}

// Sets the type of a new record, which is not a property.
class SshkeyProvider final : public RecordProvider {
 public:
  using RecordProvider::RecordProvider;
  void flush() override {
    if (record().find("type") == nullptr) {
      record().set("type", Datum::string(resource_.text("type")));
    }
    RecordProvider::flush();
  }
};

class SshkeyKind final : public RecordKind {
 public:
  SshkeyKind() : RecordKind(sshkey_format()) {}
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<SshkeyProvider>(resource, sshkey_format());
  }
};

class Sshkey final : public RecordType {
 public:
  Sshkey() : RecordType(sshkey_format()) { add_provider(std::make_unique<SshkeyKind>()); }
  std::string_view name() const override { return "sshkey"; }
  std::span<const AttributeInfo> attributes() const override { return kSshkeyAttributes; }

  Datum name_of_title(const std::string& title) const override {
    return Datum::string(title.substr(0, title.find('@')));
  }
  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name != "type") return RecordType::default_of(resource, attribute);
    const size_t at = resource.title().find('@');
    return at == std::string::npos ? Datum() : Datum::string(resource.title().substr(at + 1));
  }
  // A host may have keys of several types, so its name does not identify a key.
  bool is_isomorphic() const override { return false; }
  std::string reference_title(const Resource& resource) const override {
    return fmt::format("{}@{}", resource.name(), resource.text("type"));
  }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    const bool has_space = text.find_first_of(" \t\r\n") != std::string::npos;
    const bool has_comma = text.find(',') != std::string::npos;
    if (attribute.name == "host_aliases") {
      if (has_space) throw Failure("Aliases cannot include whitespace");
      if (has_comma) {
        throw Failure("Aliases must be provided as an array, not a comma-separated list");
      }
    }
    if (attribute.name == "name") {
      if (has_space) throw Failure("Resourcename cannot include whitespaces");
      if (has_comma) {
        throw Failure(
            "No comma in resourcename allowed. If you want to specify aliases use the "
            "host_aliases property");
      }
    }
    return RecordType::munge(resource, attribute, value);
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_sshkey_type() {
  return std::make_unique<Sshkey>();
}

}  // namespace bunraku::apply
