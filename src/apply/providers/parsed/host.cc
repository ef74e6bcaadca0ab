// host: lines of /etc/hosts.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/registry.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kHostAttributes[] = {
    kEnsurePresent,
    {.name = "ip", .kind = kProperty},
    {.name = "host_aliases", .kind = kProperty, .is_list = true},
    {.name = "comment", .kind = kProperty},
    {.name = "target", .kind = kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
};

constexpr std::string_view kHostsFile = "/etc/hosts";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

std::string with_single_spaces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t';
    if (is_space && result.ends_with(' ')) continue;
    result += is_space ? ' ' : c;
  }
  return result;
}

class HostFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "host"; }
  std::string default_target() const override { return std::string(kHostsFile); }
  bool is_field(std::string_view property) const override {
    return property == "ip" || property == "host_aliases" || property == "comment";
  }

  std::optional<FileRecord> parse_line(const std::string& line) const override {
    static const Regex& form =
        *Regex::compile("^([0-9a-f:]\\S+)\\s+([^#\\s+]\\S+)\\s*(.*?)?(?:\\s*#\\s*(.*))?$");
    Captures captures;
    if (line.starts_with('#') || is_blank(line) || !is_valid_utf8(line) ||
        !form.search(line, 0, captures)) {
      return FileRecord::text(line);
    }
    FileRecord record = FileRecord::record();
    record.set("ip", Datum::string(captures.text(line, 1)));
    record.set("name", Datum::string(captures.text(line, 2)));
    const std::string aliases = with_single_spaces(captures.text(line, 3));
    record.set("host_aliases", aliases.empty() ? Datum::symbol("absent") : Datum::string(aliases));
    record.set("comment", Datum::string(captures.text(line, 4)));
    return record;
  }

  std::string line_of(const FileRecord& record) const override {
    for (const std::string_view name : {"ip", "name"}) {
      if (record.text_of(name).empty()) {
        throw Failure(fmt::format("{} is a required attribute for hosts", name));
      }
    }
    std::string line = fmt::format("{}\t{}", record.text_of("ip"), record.text_of("name"));
    const Datum* aliases = record.find("host_aliases");
    if (aliases != nullptr && aliases->is_string()) line += "\t" + aliases->text();
    const std::string comment = record.text_of("comment");
    return comment.empty() ? line : fmt::format("{}\t# {}", line, comment);
  }
};

const HostFormat& host_format() {
  static const HostFormat format;
  return format;
}

class HostKind final : public RecordKind {
 public:
  HostKind() : RecordKind(host_format()) {}
  bool is_suitable(const Host&) const override { return exists(std::string(kHostsFile)); }
};

bool is_ip_version_4(const std::string& text) {
  int parts = 0;
  int number = -1;
  for (const char c : text + ".") {
    if (c >= '0' && c <= '9') {
      number = number < 0 ? c - '0' : number * 10 + (c - '0');
      if (number > 255) return false;
    } else if (c == '.' && number >= 0) {
      ++parts;
      number = -1;
    } else {
      return false;
    }
  }
  return parts == 4;
}

// The reference's rules: groups, one `::`, an IPv4 address at the end, and a zone.
bool is_ip_version_6(const std::string& given) {
  const std::string text = given.substr(0, given.find('%'));
  size_t groups = 0;
  size_t gaps = 0;
  size_t at = 0;
  if (text.size() < 2) return false;
  if (text.starts_with(':') && !text.starts_with("::")) return false;
  while (at < text.size()) {
    if (text.compare(at, 2, "::") == 0) {
      ++gaps;
      at += 2;
      continue;
    }
    if (text[at] == ':') {
      ++at;
      if (at == text.size() || text[at] == ':') return false;
      continue;
    }
    const size_t end = std::min(text.find(':', at), text.size());
    const std::string group = text.substr(at, end - at);
    if (group.find('.') != std::string::npos) {
      if (end != text.size() || !is_ip_version_4(group)) return false;
      groups += 2;
    } else {
      if (group.size() > 4 ||
          group.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
        return false;
      }
      ++groups;
    }
    at = end;
  }
  return gaps == 0 ? groups == 8 : gaps == 1 && groups < 8;
}

class HostType final : public RecordType {
 public:
  HostType() : RecordType(host_format()) { add_provider(std::make_unique<HostKind>()); }
  std::string_view name() const override { return "host"; }
  std::span<const AttributeInfo> attributes() const override { return kHostAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    const bool has_newline = text.find_first_of("\r\n") != std::string::npos;
    if (attribute.name == "ip" &&
        (has_newline || (!is_ip_version_4(text) && !is_ip_version_6(text)))) {
      throw Failure(fmt::format("Invalid IP address \"{}\"", text));
    }
    if (attribute.name == "host_aliases") {
      if (is_blank(text)) {
        throw Failure(
            "Host aliases cannot be an empty string. Use an empty array to delete all "
            "host_aliases ");
      }
      if (text.find_first_of(" \t\r\n\v\f") != std::string::npos) {
        throw Failure("Host aliases cannot include whitespace");
      }
    }
    if (attribute.name == "comment" && has_newline) throw Failure("Comment cannot include newline");
    if (attribute.name == "name") check_name(text);
    return RecordType::munge(resource, attribute, value);
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    const Datum current = RecordType::retrieve(resource, property);
    return property.name() == "host_aliases" && current.is_string()
               ? Datum::strings(list_of(current, ' '))
               : current;
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    if (property.name() != "host_aliases") {
      return RecordType::is_in_sync(resource, property, current);
    }
    return joined(current) == resource.desired(property).text();
  }

  Datum shown(const Resource& resource, const Attribute& property,
              const Datum& value) const override {
    if (property.name() != "host_aliases") return RecordType::shown(resource, property, value);
    return Datum::string(joined(Datum::array(property.values)));
  }

  std::string current_text(Resource& resource, const Attribute& property,
                           const Datum& current) const override {
    if (property.name() == "host_aliases" && current.is_array()) return joined(current);
    return RecordType::current_text(resource, property, current);
  }

 private:
  static std::string joined(const Datum& value) {
    return value.is_symbol("absent") ? "" : fmt::format("{}", fmt::join(list_of(value, ' '), " "));
  }
  static void check_name(const std::string& name) {
    static const Regex& part = *Regex::compile("^([\\w]+|[\\w][\\w\\-]+[\\w])$");
    if (name.find_first_of("\r\n") != std::string::npos) {
      throw Failure("Hostname cannot include newline");
    }
    if (name.starts_with('.') || name.find("..") != std::string::npos) {
      throw Failure("Invalid host name");
    }
    for (const std::string& word : list_of(Datum::string(name), '.')) {
      if (!is_valid_utf8(word) || !part.matches(word)) throw Failure("Invalid host name");
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_host_type() {
  return std::make_unique<HostType>();
}

}  // namespace bunraku::apply
