// mailalias: lines of /etc/aliases.
#include <fmt/format.h>

#include <algorithm>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/registry.h"
#include "base/text/ascii.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kMailaliasAttributes[] = {
    kEnsurePresent,
    {.name = "recipient", .kind = kProperty, .takes_all = true},
    {.name = "file", .kind = kProperty},
    {.name = "target", .kind = kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
};

// Splits recipients at commas outside of double quotes, and removes the quotes.
Datum recipients_of(std::string_view text) {
  std::vector<std::string> all(1);
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == ',' && !is_quoted) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  for (std::string& one : all) {
    one = std::string(trimmed(one));
    if (!one.empty() && (one.front() == '"' || one.front() == '\'')) one.erase(0, 1);
    if (!one.empty() && (one.back() == '"' || one.back() == '\'')) one.pop_back();
  }
  return Datum::strings(all);
}

bool is_plain(const std::string& recipient) {
  return std::ranges::all_of(recipient, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-+_@.").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

class MailaliasFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "mailalias"; }
  std::string_view provider_name() const override { return "aliases"; }
  std::string default_target() const override { return "/etc/aliases"; }
  bool is_field(std::string_view property) const override { return property == "recipient"; }

  std::optional<FileRecord> parse_line(const std::string& line) const override {
    const size_t colon = line.find(':');
    if (line.starts_with('#') || trimmed(line).empty() || colon == std::string::npos) {
      return FileRecord::text(line);
    }
    FileRecord record = FileRecord::record();
    record.set("name",
               Datum::string(std::string(trimmed(std::string_view(line).substr(0, colon)))));
    const std::string_view rest = trimmed(std::string_view(line).substr(colon + 1));
    constexpr std::string_view kInclude = "include";
    const size_t first = rest.find(':');
    const size_t second = first == std::string::npos ? first : rest.find(':', first + 1);
    if (second != std::string::npos && trimmed(rest.substr(0, first)).empty() &&
        trimmed(rest.substr(first + 1, second - first - 1)) == kInclude) {
      record.set("file", Datum::string(std::string(trimmed(rest.substr(second + 1)))));
    } else {
      record.set("recipient", recipients_of(rest));
    }
    return record;
  }

  std::string line_of(const FileRecord& record) const override {
    const Datum* recipients = record.find("recipient");
    if (recipients == nullptr || recipients->is_symbol("absent")) {
      const std::string file = record.text_of("file");
      return file.empty() ? std::string()
                          : fmt::format("{}: :include: {}", record.text_of("name"), file);
    }
    std::string text;
    for (const std::string& one : list_of(*recipients, ',')) {
      if (!text.empty()) text += ',';
      text += is_plain(one) ? one : fmt::format("\"{}\"", one);
    }
    return fmt::format("{}: {}", record.text_of("name"), text);
  }
};

const MailaliasFormat& mailalias_format() {
  static const MailaliasFormat format;
  return format;
}

class Mailalias final : public RecordType {
 public:
  Mailalias() : RecordType(mailalias_format()) {
    add_provider(std::make_unique<RecordKind>(mailalias_format()));
  }
  std::string_view name() const override { return "mailalias"; }
  std::span<const AttributeInfo> attributes() const override { return kMailaliasAttributes; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name == "file" && !value.to_text().starts_with('/')) {
      throw Failure(fmt::format("File paths must be fully qualified, not '{}'", value.to_text()));
    }
    return RecordType::munge(resource, attribute, value);
  }

  void validate(Resource& resource) const override {
    if (!resource.value("recipient").is_null() && !resource.value("file").is_null()) {
      throw Failure("You cannot specify both a recipient and a file");
    }
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_mailalias_type() {
  return std::make_unique<Mailalias>();
}

}  // namespace bunraku::apply
