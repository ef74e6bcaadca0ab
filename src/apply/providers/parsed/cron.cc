// cron: jobs in the crontabs of users, read and written by the program crontab.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "apply/providers/parsed/record_file.h"
#include "apply/providers/registry.h"
#include "apply/transaction/execution.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using enum AttributeKind;
constexpr AttributeInfo kCronAttributes[] = {
    kEnsurePresent,
    {.name = "command", .kind = kProperty},
    {.name = "special", .kind = kProperty},
    {.name = "minute", .kind = kProperty},
    {.name = "hour", .kind = kProperty},
    {.name = "weekday", .kind = kProperty},
    {.name = "month", .kind = kProperty},
    {.name = "monthday", .kind = kProperty},
    {.name = "environment", .kind = kProperty},
    {.name = "user", .kind = kProperty},
    {.name = "target", .kind = kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "provider"},
};

constexpr std::string_view kTimeFields[] = {"minute", "hour", "monthday", "month", "weekday"};
constexpr std::string_view kSpecials[] = {"reboot", "yearly",   "annually", "monthly", "weekly",
                                          "daily",  "midnight", "hourly",   "absent"};
constexpr std::string_view kWeekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                          "thursday", "friday", "saturday"};
constexpr std::string_view kMonths[] = {
    "___placeholder", "january", "february",  "march",   "april",    "may",     "june",
    "july",           "august",  "september", "october", "november", "december"};

bool is_time_field(std::string_view name) {
  return std::ranges::find(kTimeFields, name) != std::end(kTimeFields);
}

// The name of the user that runs this process.
std::string own_name() {
  const passwd* entry = getpwuid(getuid());
  return entry == nullptr ? "root" : entry->pw_name;
}

std::vector<std::string> crontab_words(const std::string& user) {
  const std::optional<uint32_t> id = user_id(user);
  if (id == getuid()) return {"crontab"};
  return {"crontab", "-u", user};
}

class CrontabFormat final : public RecordFormat {
 public:
  std::string_view type_name() const override { return "cron"; }
  std::string_view provider_name() const override { return "crontab"; }
  std::string default_target() const override {
    const char* user = std::getenv("USER");
    return user == nullptr ? "root" : user;
  }
  std::string wanted_target(const Resource& resource) const override {
    const std::string target = RecordFormat::wanted_target(resource);
    return target.empty() ? resource.text("user") : target;
  }
  std::vector<std::string> more_targets() const override;
  bool is_field(std::string_view property) const override { return property == "command"; }
  bool is_backed_up() const override { return false; }
  bool refuses_unread() const override { return true; }

  std::optional<FileRecord> parse_line(const std::string& line) const override;
  void arrange(std::vector<FileRecord>& records) const override;
  std::string line_of(const FileRecord& record) const override;
  std::string text_of(const std::vector<const FileRecord*>& records) const override;
  std::string header() const override;
  std::string read(const std::string& target) const override;
  void write(const std::string& target, const std::string& text) const override;
  Resource* resource_of(const FileRecord& record,
                        std::span<Resource* const> resources) const override;
  Resource* adopter_of(const FileRecord& record,
                       const std::vector<Resource*>& candidates) const override;
};

const CrontabFormat& crontab_format() {
  static const CrontabFormat format;
  return format;
}

std::vector<std::string> CrontabFormat::more_targets() const {
  constexpr const char* kDirectories[] = {"/var/spool/cron/crontabs", "/var/spool/cron"};
  std::vector<std::string> users;
  for (const char* directory : kDirectories) {
    if (!is_directory(directory)) continue;
    try {
      for (const DirectoryEntry& entry : list_directory(directory)) {
        const std::string path = join_path(directory, entry.name);
        if (is_file(path) && access(path.c_str(), W_OK) == 0 && !entry.name.starts_with(".keep_")) {
          users.push_back(entry.name);
        }
      }
    } catch (const FileError&) {
      // The directory belongs to another user; the crontabs that resources name are read anyway.
    }
    break;
  }
  return users;
}

std::optional<FileRecord> CrontabFormat::parse_line(const std::string& line) const {
  static const Regex& comment = *Regex::compile("^\\s*#");
  static const Regex& name_comment = *Regex::compile("Puppet Name: (.+)\\s*$");
  static const Regex& setting = *Regex::compile("^\\s*\\w+\\s*=");
  static const Regex& job =
      *Regex::compile("^\\s*(@\\w+|\\S+\\s+\\S+\\s+\\S+\\s+\\S+\\s+\\S+)\\s+(.+)$");
  if (!is_valid_utf8(line)) return std::nullopt;
  if (trimmed(line).empty()) return FileRecord::text(line);
  Captures captures;
  if (comment.matches(line)) {
    FileRecord record = FileRecord::text(line);
    if (name_comment.search(line, 0, captures)) {
      record.set("name", Datum::string(captures.text(line, 1)));
    }
    return record;
  }
  if (setting.matches(line)) {
    FileRecord record = FileRecord::text(line);
    record.set("environment", Datum::boolean(true));
    return record;
  }
  if (!job.search(line, 0, captures)) return std::nullopt;
  FileRecord record = FileRecord::record();
  record.set("command", Datum::string(captures.text(line, 2)));
  std::string time(captures.text(line, 1));
  if (time.starts_with('@')) {
    for (const std::string_view field : kTimeFields) record.set(field, Datum::symbol("absent"));
    record.set("special", Datum::string(time.substr(1)));
    return record;
  }
  std::ranges::replace(time, '\t', ' ');
  const std::vector<std::string> values = list_of(Datum::string(time), ' ');
  record.set("special", Datum::symbol("absent"));
  for (size_t i = 0; i < std::size(kTimeFields) && i < values.size(); ++i) {
    record.set(kTimeFields[i], values[i] == "*"
                                   ? Datum::symbol("absent")
                                   : Datum::strings(list_of(Datum::string(values[i]), ',')));
  }
  return record;
}

// Comments with names, and settings after them, become part of the next job.
void CrontabFormat::arrange(std::vector<FileRecord>& records) const {
  std::vector<FileRecord> kept;
  std::string name;
  std::optional<std::vector<std::string>> settings;
  int unnamed = 0;
  for (FileRecord& record : records) {
    if (record.is_text) {
      if (const Datum* found = record.find("name")) {
        name = found->to_text();
        settings.emplace();
        continue;
      }
      if (settings && record.find("environment") != nullptr) {
        settings->push_back(record.line);
        continue;
      }
      kept.push_back(std::move(record));
      continue;
    }
    if (!name.empty()) {
      record.set("name", Datum::string(name));
      name.clear();
    } else {
      std::string command;
      for (const char c : record.text_of("command")) {
        const bool is_space = c == ' ' || c == '\t';
        if (is_space && command.ends_with('_')) continue;
        command += is_space ? '_' : c;
      }
      record.set("name", Datum::string(fmt::format("unmanaged:{}-{}", command, ++unnamed)));
      record.set("unmanaged", Datum::boolean(true));
    }
    record.set("environment", !settings || settings->empty() ? Datum::symbol("absent")
                                                             : Datum::strings(*settings));
    if (settings && !settings->empty()) settings.reset();
    kept.push_back(std::move(record));
  }
  records = std::move(kept);
}

std::string CrontabFormat::line_of(const FileRecord& record) const {
  std::string text;
  if (record.find("unmanaged") == nullptr && !record.text_of("name").empty()) {
    text += fmt::format("# Puppet Name: {}\n", record.text_of("name"));
  }
  if (const Datum* environment = record.find("environment")) {
    for (const Datum& setting : environment->items()) text += setting.to_text() + "\n";
  }
  const std::string special = record.text_of("special");
  if (!special.empty()) {
    text += "@" + special + " ";
  } else {
    for (const std::string_view field : kTimeFields) {
      const Datum* values = record.find(field);
      const bool is_any = values == nullptr || values->is_symbol("absent");
      text += is_any ? "*" : fmt::format("{}", fmt::join(list_of(*values, ','), ","));
      text += ' ';
    }
  }
  return text + record.text_of("command");
}

std::string CrontabFormat::header() const {
  // As in all such files, the first line has the time.
  const std::string usual = RecordFormat::header();
  return fmt::format(
      "{} by puppet.\n"
      "# HEADER: While it can still be managed manually, it is definitely not recommended.\n"
      "# HEADER: Note particularly that the comments starting with 'Puppet Name' should\n"
      "# HEADER: not be deleted, as doing so could cause duplicate cron jobs.\n",
      usual.substr(0, usual.find('\n')));
}

std::string CrontabFormat::text_of(const std::vector<const FileRecord*>& records) const {
  static const Regex& native_header =
      *Regex::compile("(?m)# DO NOT EDIT THIS FILE.*?Cron version.*?vixie.*?\\n");
  static const Regex& time_zone = *Regex::compile("(^TZ=.+\\n)");
  std::string text = RecordFormat::text_of(records);
  Captures captures;
  if (native_header.search(text, 0, captures)) {
    text.erase(captures.begin(), captures.end() - captures.begin());
  }
  if (time_zone.search(text, 0, captures)) {
    const std::string line(captures.text(text));
    text.erase(captures.begin(), line.size());
    text.insert(0, line);
  }
  return text;
}

std::string CrontabFormat::read(const std::string& target) const {
  // A user that this run may create has no crontab yet.
  if (!user_id(target)) return {};
  std::vector<std::string> words = crontab_words(target);
  words.emplace_back("-l");
  try {
    return execute(words);
  } catch (const Failure& failure) {
    const std::string& text = failure.message();
    if (text.find("no crontab for") != std::string::npos ||
        text.find("are not allowed to") != std::string::npos) {
      return {};
    }
    throw Failure(fmt::format("Could not read crontab for {}: {}", target, text));
  }
}

void CrontabFormat::write(const std::string& target, const std::string& text) const {
  if (!user_id(target)) {
    throw Failure(
        fmt::format("Cannot write the {} user's crontab: The user does not exist", target));
  }
  ExecutionRequest request;
  request.words = crontab_words(target);
  request.words.emplace_back("-");
  request.input = text;
  execute(request);
}

Resource* CrontabFormat::resource_of(const FileRecord& record,
                                     std::span<Resource* const> resources) const {
  const std::string name = record.text_of("name");
  for (Resource* resource : resources) {
    if (resource->name() == name && wanted_target(*resource) == record.target) return resource;
  }
  return nullptr;
}

// The first candidate with the same command and no different time.
Resource* CrontabFormat::adopter_of(const FileRecord& record,
                                    const std::vector<Resource*>& candidates) const {
  if (record.find("unmanaged") == nullptr) return nullptr;
  const auto is_same = [&](const Resource* resource, std::string_view field) {
    const Attribute* attribute = resource->find(field);
    if (attribute == nullptr || !attribute->has_value()) return true;
    const Datum* current = record.find(field);
    if (current == nullptr) return false;
    const bool is_any = attribute->values.front().is_symbol("absent");
    if (is_any) return current->is_symbol("absent") && field != "special";
    return *current == resource->desired(*attribute);
  };
  for (Resource* resource : candidates) {
    if (record.target != resource->text("target") ||
        record.text_of("command") != resource->text("command")) {
      continue;
    }
    if (std::ranges::all_of(kTimeFields,
                            [&](std::string_view field) { return is_same(resource, field); }) &&
        is_same(resource, "special")) {
      return resource;
    }
  }
  return nullptr;
}

class CrontabProvider final : public RecordProvider {
 public:
  using RecordProvider::RecordProvider;

  Datum get(std::string_view property) override {
    if (property == "user" && !record().target.empty()) {
      const Datum* user = record().find("user");
      return user == nullptr ? Datum::string(record().target) : *user;
    }
    return RecordProvider::get(property);
  }
  void set(std::string_view property, const Datum& value) override {
    RecordProvider::set(property, value);
    if (property != "user") return;
    // The job is moved to the crontab of another user.
    record().set("target", value);
    record().target = value.to_text();
    store().mark(record().target);
  }
  void create() override {
    if (resource_.value("command").is_null()) {
      resource_.log(LogLevel::kErr, "no command specified, cannot create");
      return;
    }
    RecordProvider::create();
  }
};

class CrontabKind final : public RecordKind {
 public:
  CrontabKind() : RecordKind(crontab_format()) {}
  bool is_suitable(const Host&) const override { return !find_executable("crontab").empty(); }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<CrontabProvider>(resource, crontab_format());
  }
};

// The index of a name, given in full or by three letters; -1 for other text.
int64_t index_of(std::string_view text, std::span<const std::string_view> names) {
  const std::string word = downcase(text);
  for (size_t i = 0; i < names.size(); ++i) {
    if (word == names[i] || (word.size() == 3 && word == names[i].substr(0, 3))) {
      return static_cast<int64_t>(i);
    }
  }
  return -1;
}

class Cron final : public RecordType {
 public:
  Cron() : RecordType(crontab_format()) { add_provider(std::make_unique<CrontabKind>()); }
  std::string_view name() const override { return "cron"; }
  std::span<const AttributeInfo> attributes() const override { return kCronAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name != "target") return RecordType::default_of(resource, attribute);
    const std::string user = resource.text("user");
    return Datum::string(user.empty() ? own_name() : user);
  }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    const std::string text = value.to_text();
    if (is_time_field(attribute.name)) return munge_time(attribute, value);
    if (attribute.name == "command") return Datum::string(std::string(trimmed(text)));
    if (attribute.name == "special") {
      if (std::ranges::find(kSpecials, text) == std::end(kSpecials)) {
        throw Failure(fmt::format("Invalid special schedule \"{}\"", text));
      }
      return text == "absent" ? Datum::symbol("absent") : Datum::string(text);
    }
    if (attribute.name == "environment") {
      static const Regex& form = *Regex::compile("^\\s*(\\w+)\\s*=\\s*(.*)\\s*$");
      if (text == "absent") return Datum::symbol("absent");
      if (!is_valid_utf8(text) || !form.matches(text)) {
        throw Failure(fmt::format("Invalid environment setting \"{}\"", text));
      }
    }
    return RecordType::munge(resource, attribute, value);
  }

  void validate(Resource& resource) const override {
    const Datum& special = resource.value("special");
    if (special.is_null() || special.is_symbol("absent")) return;
    for (const std::string_view field : {"minute", "hour", "weekday", "monthday", "month"}) {
      const Datum& value = resource.value(field);
      if (value.is_null() || value.is_symbol("absent")) continue;
      throw Failure(fmt::format("{} cannot specify both a special schedule and a value for {}",
                                resource.reference(), field));
    }
  }

  std::vector<AutomaticRelation> automatic_relations(const Resource& resource) const override {
    const std::string user = resource.text("user");
    if (user.empty()) return {};
    return {{RelationKind::kRequire, "user", user}};
  }

  Datum shown(const Resource& resource, const Attribute& property,
              const Datum& value) const override {
    const bool is_list = is_time_field(property.name()) || property.name() == "environment";
    if (!is_list || value.is_symbol("absent")) return RecordType::shown(resource, property, value);
    return Datum::array(property.values);
  }

  bool is_in_sync(Resource& resource, Attribute& property, const Datum& current) const override {
    const Datum desired = resource.desired(property);
    if (property.name() == "environment" && current.is_array() && desired.is_array()) {
      std::vector<std::string> is = list_of(current, ',');
      std::vector<std::string> should = list_of(desired, ',');
      std::ranges::sort(is);
      std::ranges::sort(should);
      return is == should;
    }
    if (is_time_field(property.name())) return current.to_display() == desired.to_display();
    return RecordType::is_in_sync(resource, property, current);
  }

  std::string desired_text(Resource& resource, const Attribute& property,
                           const Datum& desired) const override {
    if (property.name() == "environment" && desired.is_array()) {
      return fmt::format("{}", fmt::join(list_of(desired, ','), ","));
    }
    return RecordType::desired_text(resource, property, desired);
  }

 private:
  static Datum munge_time(const AttributeInfo& attribute, const Datum& value) {
    static const Regex& step = *Regex::compile("\\A(\\*/[0-9]+|[0-9]+-[0-9]+(/[0-9]+)?)\\z");
    const std::string text = value.to_text();
    if (text == "absent" || text == "*") return Datum::symbol("absent");
    if (is_valid_utf8(text) && step.matches(text)) return Datum::string(text);
    const std::string_view name = attribute.name;
    const int64_t lower = name == "month" || name == "monthday" ? 1 : 0;
    const int64_t upper = name == "minute"     ? 59
                          : name == "hour"     ? 23
                          : name == "weekday"  ? 7
                          : name == "monthday" ? 31
                                               : 12;
    const bool is_number =
        !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) {
      const std::optional<int64_t> number = parse_integer(text);
      if (number && *number >= lower && *number <= upper) return Datum::string(text);
    } else if (name == "weekday" || name == "month") {
      const int64_t index = name == "weekday" ? index_of(text, kWeekdays) : index_of(text, kMonths);
      if (index >= 0) return Datum::string(std::to_string(index));
    }
    throw munging_failure(attribute, value, fmt::format("{} is not a valid {}", text, name));
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_cron_type() {
  return std::make_unique<Cron>();
}

}  // namespace bunraku::apply
