#include "runner/question.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "runner/json.h"

namespace bunraku::cases {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 7> kProducts = {"tokens",  "dump",   "validate", "eval",
                                                  "catalog", "lookup", "epp"};
constexpr const char* kNode = "node.example.com";

// Settings that are options with the same name on the command line.
constexpr std::array<const char*, 7> kOptions = {"modulepath", "manifest", "values",      "merge",
                                                 "type",       "default",  "compile_code"};

// Settings whose value is data: JSON, or the name of a file next to the case.
constexpr std::array<const char*, 5> kData = {"facts", "trusted", "server_facts", "vars", "enc"};

std::string option_of(std::string setting) {
  std::ranges::replace(setting, '_', '-');
  return "--" + setting;
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != text.npos) {
    const size_t end = std::min(text.find(' ', at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

Json array(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    out += (out.size() > 1 ? "," : "") + Json::string(text).compact();
  }
  return Json::parse(out + "]");
}

}  // namespace

Question::Question(const Case& asked, fs::path scratch)
    : case_(asked),
      scratch_(std::move(scratch)),
      product_(asked.settings.get("product")),
      node_(asked.settings.get("node", kNode)) {
  if (product_.empty() && is_template()) product_ = "epp";
  if (std::ranges::find(kProducts, product_) == kProducts.end()) {
    throw std::runtime_error("no such product: '" + product_ + "'");
  }
}

bool Question::is_template() const {
  return case_.file.extension() == ".epp" || case_.settings.has("epp");
}

fs::path Question::beside(const std::string& file) const {
  return fs::absolute(case_.file.parent_path() / file).lexically_normal();
}

std::vector<std::string> Question::command(const std::string& program) const {
  std::vector<std::string> line = {program};
  const Settings& settings = case_.settings;
  const char* group = is_template() ? "epp" : "parser";
  if (product_ == "tokens") {
    line.insert(line.end(), {group, "tokens"});
  } else if (product_ == "dump") {
    line.insert(line.end(), {group, "dump", "--format", settings.get("format", "pn")});
    if (settings.has("pretty")) line.push_back("--pretty");
    if (settings.get("validate") == "false") line.push_back("--no-validate");
  } else if (product_ == "validate") {
    line.insert(line.end(), {group, "validate", "--format", "json"});
  } else if (product_ == "catalog") {
    line.insert(line.end(), {"catalog", "compile", node_});
  } else if (product_ == "epp") {
    line.insert(line.end(), {"epp", "render", "--node", node_});
  } else {
    line.insert(line.end(), {product_, "--node", node_, "--format", "json"});
  }
  add_options(line);
  add_code(line);
  return line;
}

void Question::add_options(std::vector<std::string>& line) const {
  const Settings& settings = case_.settings;
  line.insert(line.end(), {"--log-format", "json"});
  // The configuration of the machine is not part of a case.
  for (const char* directory : {"confdir", "codedir", "vardir"}) {
    line.insert(line.end(), {std::string("--") + directory, scratch_ / directory});
  }
  if (settings.has("environment")) {
    const fs::path directory = beside(settings.get("environment"));
    line.insert(line.end(), {"--environmentpath", directory.parent_path(), "--environment",
                             directory.filename()});
  }
  for (const char* name : kData) {
    if (settings.has(name)) line.insert(line.end(), {option_of(name), file_for(name)});
  }
  // The facts of the machine are not part of a case either.
  const bool takes_facts = product_ == "catalog" || product_ == "lookup";
  if (takes_facts && !settings.has("facts")) line.push_back("--no-facts");
  for (const char* name : kOptions) {
    if (settings.has(name)) line.insert(line.end(), {option_of(name), settings.get(name)});
  }
  if (settings.has("explain")) line.push_back("--explain");
  if (settings.has("log_level")) {
    line.insert(line.end(), {"--log-level", settings.get("log_level")});
  }
  for (const std::string& setting : settings.all("set")) {
    line.insert(line.end(), {"--set", setting});
  }
  for (const std::string& more : settings.all("args")) {
    for (std::string& word : words(more)) line.push_back(std::move(word));
  }
}

void Question::add_code(std::vector<std::string>& line) const {
  if (product_ == "lookup") {
    for (std::string& key : words(case_.settings.get("keys", case_.code))) {
      line.push_back(std::move(key));
    }
  } else if (case_.form == Form::kInline) {
    line.insert(line.end(), {"-e", case_.code});
  } else if (case_.form == Form::kSource && product_ == "eval") {
    line.insert(line.end(), {"--file", fs::absolute(case_.file), "-e", read_file(case_.file)});
  } else if (case_.form == Form::kSource) {
    line.push_back(fs::absolute(case_.file));
  }
}

// The file with the data of a setting; it is written when the case contains the data itself.
std::string Question::file_for(const std::string& setting) const {
  std::string value = case_.settings.get(setting);
  if (value.empty() || value[0] != '{') return beside(value);
  const fs::path file = scratch_ / (setting + ".json");
  write_file(file, value);
  return file;
}

std::string Question::request() const {
  const Settings& settings = case_.settings;
  Json request;
  request.add("product", Json::string(product_));
  request.add("node", Json::string(node_));
  if (is_template()) request.add("epp", Json::scalar("true"));
  if (case_.form == Form::kSource) {
    const bool is_manifest = product_ == "catalog";
    request.add(is_manifest ? "manifest" : "file", Json::string(fs::absolute(case_.file).string()));
  } else if (product_ == "lookup") {
    request.add("keys", array(words(settings.get("keys", case_.code))));
  } else if (case_.form == Form::kInline) {
    request.add("code", Json::string(case_.code));
  }
  if (settings.has("environment")) {
    request.add("environment", Json::string(beside(settings.get("environment")).string()));
  }
  for (const char* name : kData) {
    if (settings.has(name)) request.add(name, Json::string(file_for(name)));
  }
  for (const char* name : kOptions) {
    if (!settings.has(name)) continue;
    const std::string key = name == std::string("values") ? "values_code" : name;
    request.add(key, Json::string(settings.get(name)));
  }
  request.add("format", Json::string(settings.get("format", "pn")));
  for (const char* name : {"pretty", "validate", "explain"}) {
    if (settings.has(name)) request.add(name, Json::scalar(settings.get(name)));
  }
  if (settings.has("log_level")) {
    request.add("log_level", Json::string(settings.get("log_level")));
  }
  Json changed;
  for (const std::string& setting : settings.all("set")) {
    const size_t equals = setting.find('=');
    changed.add(setting.substr(0, equals), Json::string(setting.substr(equals + 1)));
  }
  if (settings.has("set")) request.add("settings", std::move(changed));
  return request.compact();
}

}  // namespace bunraku::cases
