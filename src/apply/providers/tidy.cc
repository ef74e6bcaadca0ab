// tidy: removes old or large files.
#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "apply/providers/file/local_files.h"
#include "apply/providers/registry.h"
#include "apply/transaction/catalog.h"
#include "base/system/file_system.h"
#include "base/text/number_text.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kTidyAttributes[] = {
    {.name = "path", .is_namevar = true},
    {.name = "recurse"},
    {.name = "max_files", .patterns = "/^[0-9]+$/", .default_value = "0"},
    {.name = "matches"},
    {.name = "backup"},
    {.name = "age"},
    {.name = "size"},
    {.name = "type", .values = "atime mtime ctime", .default_value = "atime"},
    {.name = "rmdirs", .is_boolean = true},
};

// A number and the first letter of the unit after it.
struct Amount {
  int64_t number;
  char unit;
};
std::optional<Amount> amount_of(const std::string& text, char default_unit) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<int64_t> number = parse_integer(text.substr(0, digits));
  if (digits == 0 || !number) return std::nullopt;
  char unit = digits == text.size() ? default_unit : text[digits];
  if (unit >= 'A' && unit <= 'Z') unit += 'a' - 'A';
  return Amount{*number, unit};
}

// Only strings are accepted, also for a number without unit.
Datum seconds_of(const Datum& given) {
  const std::string age = given.to_text();
  const std::optional<Amount> amount = amount_of(age, 'd');
  if (!amount || !given.is_string()) throw Failure(fmt::format("Invalid tidy age {}", age));
  constexpr std::pair<char, int64_t> kUnits[] = {
      {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  for (const auto& [unit, factor] : kUnits) {
    if (unit == amount->unit) return Datum::integer(amount->number * factor);
  }
  throw Failure(fmt::format("Invalid age unit '{}'", amount->unit));
}

Datum bytes_of(const Datum& given) {
  const std::string size = given.to_text();
  const std::optional<Amount> amount = amount_of(size, 'k');
  if (!amount || !given.is_string()) throw Failure(fmt::format("Invalid tidy size {}", size));
  const size_t power = std::string_view("bkmgt").find(amount->unit);
  if (power == std::string_view::npos) {
    throw Failure(fmt::format("Invalid size unit '{}'", amount->unit));
  }
  return Datum::integer(amount->number << (10 * power));
}

Datum recursion_of(const AttributeInfo& attribute, const Datum& given) {
  const std::string text = given.to_text();
  if (text == "true" || text == "inf") return Datum::boolean(true);
  if (text == "false") return Datum::boolean(false);
  if (!text.empty() && text.find_first_not_of("0123456789") == text.npos) {
    if (const std::optional<int64_t> levels = parse_integer(text)) return Datum::integer(*levels);
  }
  throw munging_failure(attribute, given, "Invalid recurse value " + given.inspected());
}

class Tidy : public ResourceType {
 public:
  std::string_view name() const override { return "tidy"; }
  std::span<const AttributeInfo> attributes() const override { return kTidyAttributes; }
  bool is_isomorphic() const override { return false; }
  bool is_depth_first() const override { return true; }
  std::vector<Instance> instances(Context&) const override { return {}; }

  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name == "path") {
      if (!value.is_string()) {
        throw munging_failure(
            attribute, value,
            fmt::format("no implicit conversion of {} into String", class_of(value)));
      }
      return Datum::string(absolute_path(value.text()));
    }
    if (attribute.name == "recurse") return recursion_of(attribute, value);
    if (attribute.name == "age") return seconds_of(value);
    if (attribute.name == "size") return bytes_of(value);
    if (attribute.name == "matches") {
      const std::string recurse = resource.text("recurse");
      if (recurse.empty() || recurse == "0" || recurse == "false") {
        throw Failure("Tidy can't use matches with recurse 0, false, or undef");
      }
      return value.is_array() ? value : Datum::array({value});
    }
    return ResourceType::munge(resource, attribute, value);
  }

  std::vector<std::unique_ptr<Resource>> generate(Resource& resource) const override;

 private:
  static bool is_tidied(const Resource& resource, const std::string& path);
  static std::unique_ptr<Resource> removal_of(const Resource& resource, const std::string& path);
};

bool Tidy::is_tidied(const Resource& resource, const std::string& path) {
  if (resource.catalog().find("file", path) != nullptr) return false;
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0) return false;
  if (S_ISDIR(info.st_mode) && !resource.is_true("rmdirs")) return false;
  const std::vector<std::string> patterns = resource.texts("matches");
  const std::string name(file_name_of(path));
  if (!patterns.empty() && std::ranges::none_of(patterns, [&](const std::string& pattern) {
        return fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME) == 0;
      })) {
    return false;
  }
  const Datum& age = resource.value("age");
  const Datum& size = resource.value("size");
  if (age.is_null() && size.is_null()) return true;
  const std::string& kind = resource.value("type").text();
  const std::time_t time = kind == "mtime"   ? info.st_mtime
                           : kind == "ctime" ? info.st_ctime
                                             : info.st_atime;
  if (!age.is_null() && std::time(nullptr) - time >= age.integer_value()) return true;
  return !size.is_null() && info.st_size >= size.integer_value();
}

std::unique_ptr<Resource> Tidy::removal_of(const Resource& resource, const std::string& path) {
  ResourceData data;
  data.title = path;
  data.tags = {"file"};
  std::ranges::copy_if(resource.tags(), std::back_inserter(data.tags),
                       [](const std::string& tag) { return tag != "file"; });
  // `backup` is always off: the reference accepts none of a manifest's values for it, and a copy
  // with a suffix would be tidied as well.
  data.attributes = {{"path", Datum::string(path)},
                     {"backup", Datum::boolean(false)},
                     {"ensure", Datum::string("absent")},
                     {"force", Datum::boolean(true)}};
  for (const std::string_view name : {"noop", "schedule", "loglevel"}) {
    const Datum& value = resource.value(name);
    if (!value.is_null()) data.attributes.emplace_back(std::string(name), value);
  }
  return std::make_unique<Resource>(*resource.context().types.find("file"), std::move(data),
                                    resource.catalog());
}

std::vector<std::unique_ptr<Resource>> Tidy::generate(Resource& resource) const {
  struct stat info = {};
  if (lstat(resource.name().c_str(), &info) != 0) {
    resource.debug("File does not exist");
    return {};
  }
  std::vector<std::string> paths = {resource.name()};
  const Datum& recurse = resource.value("recurse");
  if (recurse.is_true() || parse_integer(recurse.to_text())) {
    SourceQuery query;
    query.checksum_type = "none";
    query.recursion_limit = parse_integer(recurse.to_text());
    query.max_files = parse_integer(resource.text("max_files")).value_or(0);
    for (const SourceMetadata& file : local_tree(resource.name(), query, resource.context().log)) {
      if (file.relative_path != ".")
        paths.push_back(join_path(resource.name(), file.relative_path));
    }
  }
  std::erase_if(paths, [&](const std::string& path) { return !is_tidied(resource, path); });
  std::ranges::sort(paths, std::greater<>());
  std::vector<std::unique_ptr<Resource>> removals;
  for (const std::string& path : paths) {
    resource.debug(fmt::format("Tidying File[{}]", path));
    removals.push_back(removal_of(resource, path));
  }
  if (!paths.empty()) {
    resource.log(LogLevel::kNotice, fmt::format("Tidying {} files", paths.size()));
  }
  // A directory is removed after its contents.
  for (const std::unique_ptr<Resource>& removal : removals) {
    const std::string parent(parent_directory(removal->name()));
    const auto above =
        std::ranges::find(removals, parent, [](const auto& other) { return other->name(); });
    if (above != removals.end()) (*above)->add_related("require", removal->reference());
  }
  return removals;
}

}  // namespace

std::unique_ptr<ResourceType> make_tidy_type() {
  return std::make_unique<Tidy>();
}

}  // namespace bunraku::apply
