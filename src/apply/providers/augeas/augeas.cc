// augeas: changes of configuration files through the trees that lenses make of them. To find out
// whether anything differs, the changes are made and saved to other files.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "apply/providers/augeas/augeas_commands.h"
#include "apply/providers/augeas/augeas_library.h"
#include "apply/providers/file/difference.h"
#include "apply/providers/registry.h"
#include "apply/transaction/resource.h"
#include "base/regex/regex.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kAugeasAttributes[] = {
    {.name = "returns", .kind = AttributeKind::kProperty},
    {.name = "name", .is_namevar = true},
    {.name = "context"},
    {.name = "onlyif"},
    {.name = "changes"},
    {.name = "root", .default_value = "/"},
    {.name = "load_path"},
    {.name = "force"},
    {.name = "type_check", .values = "true false", .default_value = "false"},
    {.name = "lens"},
    {.name = "incl"},
    {.name = "show_diff", .is_boolean = true, .default_value = "true"},
    {.name = "provider"},
};

constexpr std::string_view kSavedFiles = "/augeas/events/saved";
constexpr std::string_view kSaveMode = "/augeas/save";

bool is_number(std::string_view text) {
  static const Regex* pattern = Regex::compile("\\A[+-]?\\d+(\\.\\d+)?\\n?\\z");
  return is_valid_utf8(text) && pattern->matches(text);
}

template <typename Value>
bool compares(const Value& a, std::string_view comparison, const Value& b) {
  if (comparison == "<") return a < b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">") return a > b;
  if (comparison == ">=") return a >= b;
  return comparison == "!=" ? a != b : a == b;
}

class AugeasProvider final : public Provider {
 public:
  explicit AugeasProvider(Resource& resource) : resource_(resource) {}

  // Returns whether the changes would change a file. Leaves the tree open if they have to be made.
  bool is_run_needed() {
    try {
      open();
      if (!meets_condition()) {
        close();
        return false;
      }
      if (resource_.is_true("force")) return true;
      const bool has_changes = saves_anything();
      if (!has_changes || resource_.is_noop()) close();
      return has_changes;
    } catch (...) {
      close();
      throw;
    }
  }

  void make_changes() {
    try {
      open();
      // load() reads a file again only when its time differs, so the times of the saved files are
      // removed.
      for (const std::string& event : tree_->match(std::string(kSavedFiles))) {
        if (const auto file = tree_->get(event)) tree_->remove("/augeas" + *file + "/mtime");
      }
      tree_->set(std::string(kSaveMode), "overwrite");
      tree_->load();
      run_commands();
      save();
      close();
    } catch (...) {
      close();
      throw;
    }
  }

 private:
  void log(LogLevel level, std::string message) const {
    resource_.context().log.log(level, std::move(message),
                                fmt::format("{}(provider=augeas)", resource_.reference()));
  }
  void debug(std::string message) const { log(LogLevel::kDebug, std::move(message)); }

  std::string context() const { return resource_.text("context"); }

  std::string load_path() const {
    std::string path;
    const auto add = [&](std::string_view directory) {
      if (!path.empty()) path += ':';
      path += directory;
    };
    for (const std::string& part : resource_.texts("load_path")) {
      if (!part.empty()) add(part);
    }
    for (const std::string& part : resource_.context().options.lens_directories) add(part);
    return path;
  }

  void open() {
    if (tree_ != nullptr) return;
    const std::string incl = resource_.text("incl");
    unsigned flags = resource_.value("type_check").is_symbol("true") ? kAugeasTypeCheck : 0;
    flags |= incl.empty() ? kAugeasNoLoad : kAugeasNoModuleLoad;
    const std::string root = resource_.text("root");
    debug(fmt::format("Opening augeas with root {}, lens path {}, flags {}", root, load_path(),
                      flags));
    tree_ = std::make_unique<AugeasTree>(root, load_path(), flags);
    debug(
        fmt::format("Augeas version {} is installed", tree_->get("/augeas/version").value_or("")));
    std::string errors;
    if (!incl.empty()) {
      tree_->set("/augeas/load/Xfm/lens", resource_.text("lens").c_str());
      tree_->set("/augeas/load/Xfm/incl", incl.c_str());
      errors = "/augeas//error";
    } else {
      errors = leave_out_other_files();
    }
    tree_->load();
    report_load_errors(errors);
  }

  // Limits Augeas to the files that the context names, if it is a plain path. Returns the
  // expression for their load errors, or an empty text without a limit.
  std::string leave_out_other_files() {
    constexpr std::string_view kFiles = "/files";
    std::string path = context();
    if (!path.starts_with("/files/") || path.size() == kFiles.size() + 1 ||
        path.find_first_of("'\"[]\n") != std::string::npos) {
      return {};
    }
    path.erase(0, kFiles.size());
    if (!path.ends_with('/')) path += '/';
    const std::string others =
        fmt::format("/augeas/load/*['{}' !~ glob(incl) + regexp('/.*')]", path);
    if (tree_->match(others).size() >= tree_->match("/augeas/load/*").size()) {
      debug("Unable to optimize files loaded by context path, no glob matches");
      return {};
    }
    tree_->remove(others);
    return fmt::format("/augeas/files{}error", path);
  }

  void close() {
    if (tree_ == nullptr) return;
    tree_.reset();
    debug("Closed the augeas connection");
  }

  void report_load_errors(const std::string& of_interest) {
    const std::vector<std::string> errors = tree_->match("/augeas//error");
    if (errors.empty()) return;
    if (!of_interest.empty() && !tree_->match(of_interest).empty()) {
      log(LogLevel::kWarning,
          "Loading failed for one or more files, see debug for /augeas//error output");
    } else {
      debug("Loading failed for one or more files, output from /augeas//error:");
    }
    report_errors(errors);
  }

  void report_errors(const std::vector<std::string>& errors) {
    if (!resource_.context().log.takes(LogLevel::kDebug)) return;
    for (const std::string& error : errors) {
      if (const auto value = tree_->get(error)) debug(fmt::format("{} = {}", error, *value));
      for (const std::string& detail : tree_->match(error + "/*")) {
        debug(fmt::format("{} = {}", detail, tree_->get(detail).value_or("")));
      }
    }
  }

  void save() {
    if (tree_->save()) return;
    const std::vector<std::string> errors = tree_->match("/augeas//error[. = 'put_failed']");
    if (!errors.empty()) debug("Put failed on one or more files, output from /augeas//error:");
    report_errors(errors);
    throw Failure("Save failed, see debug output for details");
  }

  // Saves the changes to new files beside the originals, shows the differences and removes the new
  // files.
  bool saves_anything() {
    debug("Will attempt to save and only run if files changed");
    tree_->set(std::string(kSaveMode), "newfile");
    run_commands();
    save();
    std::vector<std::string> files;
    for (const std::string& event : tree_->match(std::string(kSavedFiles))) {
      std::string file = tree_->get(event).value_or("");
      if (file.starts_with("/files")) {
        const std::string root = resource_.text("root");
        file.replace(0, std::string_view("/files").size(), root == "/" ? "" : root);
      }
      if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
    }
    const RunOptions& options = resource_.context().options;
    for (const std::string& file : files) {
      const std::string written = file + ".augnew";
      if (options.show_diff && resource_.is_true("show_diff")) {
        log(resource_.log_level(), "\n" + file_difference(options, file, written));
      }
      unlink(written.c_str());
    }
    debug(files.empty() ? "Skipping because no files were changed"
                        : "Files changed, should execute");
    return !files.empty();
  }

  // --- onlyif ---

  bool meets_condition() {
    const Datum& condition = resource_.value("onlyif");
    if (condition.is_null() || (condition.is_string() && condition.text().empty())) return true;
    const std::vector<AugeasCommand> commands = parse_augeas_commands(condition, context());
    if (commands.empty()) throw Failure("The condition onlyif is empty");
    const AugeasCommand& command = commands.front();
    const bool is_get = command.name == "get";
    try {
      if (is_get) return meets_get(command);
      if (command.name == "values") return meets_values(command);
      if (command.name == "match") return meets_match(command);
    } catch (const Failure& failure) {
      throw Failure(fmt::format("Error sending command '{}' with params {}/{}", command.name,
                                is_get ? "[]" : "nil", failure.message()));
    }
    return true;
  }

  bool meets_get(const AugeasCommand& command) {
    const std::string value = tree_->get(command.arguments[0]).value_or("");
    const std::string& comparison = command.arguments[1];
    const std::string& wanted = command.arguments[2];
    if (comparison == "=~") {
      try {
        return is_valid_utf8(value) && Regex::compile_at_run_time(wanted)->matches(value);
      } catch (const RegexError& error) {
        throw Failure(error.what());
      }
    }
    const bool is_order = comparison != "==" && comparison != "!=";
    if (is_order && is_number(value) && is_number(wanted)) {
      return compares(parse_float(value), comparison, parse_float(wanted));
    }
    return compares(value, comparison, wanted);
  }

  static double parse_float(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

  AugeasCommand clause_of(const AugeasCommand& command) const {
    const std::vector<AugeasCommand> clauses =
        parse_augeas_commands(Datum::string(command.arguments[1]), context());
    if (clauses.empty()) throw Failure(fmt::format("Invalid command: {}", command.name));
    return clauses.front();
  }

  static bool meets_list(const AugeasCommand& clause,
                         const std::vector<std::optional<std::string>>& found) {
    const std::string& argument = clause.arguments.front();
    if (clause.name == "include" || clause.name == "not_include") {
      const bool is_there = std::ranges::any_of(
          found, [&](const std::optional<std::string>& one) { return one == argument; });
      return is_there == (clause.name == "include");
    }
    if (clause.name != "==" && clause.name != "!=") return false;
    const auto list = parse_quoted_list(argument);
    if (!list) throw Failure("Invalid array in command: ");
    const bool is_same = std::equal(found.begin(), found.end(), list->begin(), list->end());
    return is_same == (clause.name == "==");
  }

  bool meets_values(const AugeasCommand& command) {
    const AugeasCommand clause = clause_of(command);
    std::vector<std::optional<std::string>> values;
    for (const std::string& path : tree_->match(command.arguments[0])) {
      values.push_back(tree_->get(path));
    }
    return meets_list(clause, values);
  }

  bool meets_match(const AugeasCommand& command) {
    const AugeasCommand clause = clause_of(command);
    const std::vector<std::string> paths = tree_->match(command.arguments[0]);
    if (clause.name != "size") {
      return meets_list(clause,
                        std::vector<std::optional<std::string>>(paths.begin(), paths.end()));
    }
    const std::string& comparison = clause.arguments[0];
    if (comparison == "=~") return false;
    return compares(static_cast<double>(paths.size()), comparison,
                    parse_float(clause.arguments[1]));
  }

  // --- changes ---

  void run_commands() {
    for (const AugeasCommand& command :
         parse_augeas_commands(resource_.value("changes"), context())) {
      const std::string arguments = shown_arguments(command.arguments);
      const std::string what =
          fmt::format("Error sending command '{}' with params {}", command.name, arguments);
      debug(fmt::format("sending command '{}' with params {}", command.name, arguments));
      bool is_done = false;
      try {
        is_done = run(command);
      } catch (const Failure& failure) {
        throw Failure(fmt::format("{}/{}", what, failure.message()));
      }
      if (!is_done) throw Failure(fmt::format("{}/{}", what, what));
    }
  }

  bool run(const AugeasCommand& command) {
    const std::string& name = command.name;
    const std::vector<std::string>& arguments = command.arguments;
    if (name == "set") return tree_->set(arguments[0], arguments[1].c_str());
    if (name == "setm") return tree_->set_each(arguments[0], arguments[1], arguments[2].c_str());
    if (name == "rm" || name == "remove") return tree_->remove(arguments[0]);
    if (name == "clear") return tree_->set(arguments[0], nullptr);
    if (name == "clearm") return tree_->set_each(arguments[0], arguments[1], nullptr);
    if (name == "touch") {
      return !tree_->match(arguments[0]).empty() || tree_->set(arguments[0], nullptr);
    }
    if (name == "insert" || name == "ins") {
      if (arguments[1] != "before" && arguments[1] != "after") {
        throw Failure(fmt::format("Invalid value '{}' for where param", arguments[1]));
      }
      return tree_->insert(arguments[2], arguments[0], arguments[1] == "before");
    }
    if (name == "defvar") return tree_->define_variable(arguments[0], arguments[1]);
    if (name == "defnode") return tree_->define_node(arguments[0], arguments[1], arguments[2]);
    if (name == "mv" || name == "move") return tree_->move(arguments[0], arguments[1]);
    if (name == "rename") return tree_->rename(arguments[0], arguments[1]);
    throw Failure(fmt::format("Command '{}' is not supported", name));
  }

  Resource& resource_;
  std::unique_ptr<AugeasTree> tree_;  // null: not open
};

class AugeasKind final : public ProviderKind {
 public:
  std::string_view name() const override { return "augeas"; }
  std::string_view features() const override {
    return "execute_changes need_to_run? parse_commands";
  }
  bool is_suitable(const Host&) const override { return has_augeas_library(); }
  int specificity(const Host&) const override { return 1; }
  std::unique_ptr<Provider> make(Resource& resource) const override {
    return std::make_unique<AugeasProvider>(resource);
  }
};

class Augeas final : public ResourceType {
 public:
  Augeas() { add_provider(std::make_unique<AugeasKind>()); }
  std::string_view name() const override { return "augeas"; }
  std::span<const AttributeInfo> attributes() const override { return kAugeasAttributes; }

  std::optional<Datum> default_of(Resource& resource,
                                  const AttributeInfo& attribute) const override {
    if (attribute.name == "returns") return Datum::integer(0);
    if (attribute.name == "context") {
      const std::string incl = resource.text("incl");
      return Datum::string(incl.empty() ? incl : "/files" + incl);
    }
    if (attribute.name == "changes" || attribute.name == "load_path") return Datum::string("");
    return std::nullopt;
  }

  void validate(Resource& resource) const override {
    if (resource.value("lens").is_null() != resource.value("incl").is_null()) {
      throw Failure("You must specify both the lens and incl parameters, or neither.");
    }
  }

  Datum retrieve(Resource& resource, Attribute& property) const override {
    if (resource.provider() == nullptr) return ResourceType::retrieve(resource, property);
    return resource.provider_as<AugeasProvider>().is_run_needed() ? Datum::symbol("need_to_run")
                                                                  : Datum::integer(0);
  }

  void sync(Resource& resource, Attribute&) const override {
    resource.provider_as<AugeasProvider>().make_changes();
  }

  std::string change_text(Resource&, Attribute&, const Datum&, const Datum&) const override {
    return "executed successfully";
  }
};

}  // namespace

std::unique_ptr<ResourceType> make_augeas_type() {
  return std::make_unique<Augeas>();
}

}  // namespace bunraku::apply
