// Parses auth.conf and decides by its rules.
#include "server/authorization/rules.h"

#include <algorithm>
#include <set>

#include "base/formats/data.h"
#include "base/formats/hocon.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "server/authorization/standard_rules.h"

namespace bunraku::server {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool ends_with_name(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && same_name(text.substr(text.size() - end.size()), end);
}

bool is_name_start(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && is_name_start(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_name_start(c) || c == '-' || c == '.' || c == '@';
  });
}

// Returns whether the text is a pattern with references: at least two labels of letters, digits,
// hyphens and references.
bool is_reference_pattern(std::string_view text) {
  return text.find('$') != std::string_view::npos && std::ranges::all_of(text, [](char c) {
           return is_name_start(c) || c == '-' || c == '.' || c == '@' || c == '$';
         });
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

std::string with_groups(std::string_view text, const std::vector<std::string>& groups) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_group =
        text[i] == '$' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9';
    if (!is_group) {
      result += text[i];
      continue;
    }
    const auto number = static_cast<size_t>(text[++i] - '0');
    if (number <= groups.size()) result += groups[number - 1];
  }
  return result;
}

}  // namespace

class Rules::Reader {
 public:
  Reader(const std::string& file, const certificates::Identifiers& identifiers, Rules& rules)
      : file_(file), identifiers_(identifiers), rules_(rules) {}

  void read(const DataNode& root) {
    const DataNode* authorization = root.find("authorization");
    if (authorization == nullptr || !authorization->is(DataKind::kHash)) {
      fail("there is no section 'authorization'");
    }
    for (const DataEntry& entry : authorization->entries()) {
      const std::string_view key = entry.key.text_value();
      if (key == "version") {
        if (!entry.value.is(DataKind::kInteger) || entry.value.integer_value() != 1) {
          fail("unsupported version of the rules; the only one is 1");
        }
      } else if (key == "allow-header-cert-info") {
        rules_.trusts_headers_ = boolean(entry.value, key);
      } else if (key == "rules") {
        if (!entry.value.is(DataKind::kArray)) fail("'rules' is not a list");
        for (const DataNode& rule : entry.value.items()) read_rule(rule);
      } else {
        fail("unknown key '" + std::string(key) + "' in 'authorization'");
      }
    }
    std::ranges::stable_sort(rules_.rules_, [](const Rule& a, const Rule& b) {
      return a.order != b.order ? a.order < b.order : a.name < b.name;
    });
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw RuleError(file_ + ": " + what); }
  [[noreturn]] void fail_in(const Rule& rule, const std::string& what) const {
    fail("rule '" + rule.name + "': " + what);
  }

  bool boolean(const DataNode& node, std::string_view key) const {
    if (node.is(DataKind::kBoolean)) return node.boolean_value();
    if (node.is(DataKind::kString) && node.text_value() == "true") return true;
    if (node.is(DataKind::kString) && node.text_value() == "false") return false;
    fail("'" + std::string(key) + "' is neither true nor false");
  }

  // Reads a text or a list of texts.
  std::vector<std::string> texts(const DataNode& node, const Rule& rule,
                                 std::string_view key) const {
    std::vector<std::string> result;
    const auto add = [&](const DataNode& item) {
      if (item.is(DataKind::kBoolean)) {
        result.emplace_back(item.boolean_value() ? "true" : "false");
      } else if (item.is(DataKind::kInteger)) {
        result.push_back(std::to_string(item.integer_value()));
      } else if (item.is(DataKind::kString)) {
        result.emplace_back(item.text_value());
      } else {
        fail_in(rule, "'" + std::string(key) + "' is neither a text nor a list of texts");
      }
    };
    if (node.is(DataKind::kArray)) {
      for (const DataNode& item : node.items()) add(item);
    } else {
      add(node);
    }
    return result;
  }

  void read_rule(const DataNode& node) {
    Rule rule;
    const DataNode* name = node.find("name");
    if (name == nullptr || !name->is(DataKind::kString)) fail("a rule has no name");
    rule.name = name->text_value();
    if (!names_.insert(rule.name).second) fail("there are several rules '" + rule.name + "'");
    bool has_order = false;
    bool has_match = false;
    // The path is read first, because names may refer to its groups.
    if (const DataNode* match = node.find("match-request")) {
      read_match(*match, rule);
      has_match = true;
    }
    for (const DataEntry& entry : node.entries()) {
      const std::string_view key = entry.key.text_value();
      if (key == "name" || key == "match-request") continue;
      if (key == "sort-order") {
        if (!entry.value.is(DataKind::kInteger)) fail_in(rule, "'sort-order' is no number");
        rule.order = entry.value.integer_value();
        if (rule.order < 1 || rule.order > 999) fail_in(rule, "'sort-order' is not from 1 to 999");
        has_order = true;
      } else if (key == "allow") {
        read_entries(entry.value, rule, rule.allowed);
      } else if (key == "deny") {
        read_entries(entry.value, rule, rule.denied);
      } else if (key == "allow-unauthenticated") {
        rule.allows_unauthenticated = boolean(entry.value, key);
      } else {
        fail_in(rule, "unknown key '" + std::string(key) + "'");
      }
    }
    if (!has_order) fail_in(rule, "there is no 'sort-order'");
    if (!has_match) fail_in(rule, "there is no 'match-request'");
    const bool has_names = !rule.allowed.empty() || !rule.denied.empty();
    if (rule.allows_unauthenticated && has_names) {
      fail_in(rule, "'allow-unauthenticated' excludes 'allow' and 'deny'");
    }
    if (!rule.allows_unauthenticated && !has_names) {
      fail_in(rule, "there is neither 'allow', 'deny' nor 'allow-unauthenticated'");
    }
    rules_.rules_.push_back(std::move(rule));
  }

  void read_match(const DataNode& node, Rule& rule) {
    if (!node.is(DataKind::kHash)) fail_in(rule, "'match-request' is not a map");
    bool has_type = false;
    for (const DataEntry& entry : node.entries()) {
      const std::string_view key = entry.key.text_value();
      if (key == "path") {
        rule.path = texts(entry.value, rule, key).front();
      } else if (key == "type") {
        const std::string type = texts(entry.value, rule, key).front();
        if (type != "path" && type != "regex") fail_in(rule, "'type' is neither path nor regex");
        rule.is_regex = type == "regex";
        has_type = true;
      } else if (key == "method") {
        for (const std::string& method : texts(entry.value, rule, key)) {
          static const std::set<std::string> kMethods = {"GET",    "POST", "PUT",
                                                         "DELETE", "HEAD", "ANY"};
          if (!kMethods.contains(upper(method))) fail_in(rule, "unknown method '" + method + "'");
          rule.methods.push_back(upper(method));
        }
        if (std::ranges::find(rule.methods, "ANY") != rule.methods.end()) rule.methods.clear();
      } else if (key == "query-params") {
        if (!entry.value.is(DataKind::kHash)) fail_in(rule, "'query-params' is not a map");
        for (const DataEntry& parameter : entry.value.entries()) {
          rule.parameters.emplace_back(parameter.key.text_value(),
                                       texts(parameter.value, rule, key));
        }
      } else {
        fail_in(rule, "unknown key '" + std::string(key) + "' in 'match-request'");
      }
    }
    if (rule.path.empty()) fail_in(rule, "there is no 'path'");
    if (!has_type) fail_in(rule, "there is no 'type'");
    if (!rule.is_regex) return;
    rule.regex = compile(rule.path, rule);
    if (!rule.path.starts_with('^') && rule.path != ".*") {
      rules_.warnings_.push_back("The rule '" + rule.name +
                                 "' matches anywhere in a path, since its expression does not "
                                 "begin with '^'");
    }
  }

  const Regex* compile(const std::string& pattern, const Rule& rule) const {
    try {
      return Regex::compile(pattern);
    } catch (const RegexError& error) {
      fail_in(rule, error.what());
    }
  }

  void read_entries(const DataNode& node, const Rule& rule, std::vector<Entry>& entries) const {
    if (node.is(DataKind::kArray)) {
      for (const DataNode& item : node.items()) entries.push_back(read_entry(item, rule));
    } else {
      entries.push_back(read_entry(node, rule));
    }
  }

  Entry read_entry(const DataNode& node, const Rule& rule) const {
    if (node.is(DataKind::kString)) return name_entry(node.text_value(), rule);
    if (!node.is(DataKind::kHash)) fail_in(rule, "an entry is neither a text nor a map");
    Entry entry;
    bool is_empty = true;
    for (const DataEntry& part : node.entries()) {
      const std::string_view key = part.key.text_value();
      is_empty = false;
      if (key == "certname") {
        Entry name = name_entry(texts(part.value, rule, key).front(), rule);
        name.extensions = std::move(entry.extensions);
        entry = std::move(name);
      } else if (key == "extensions" && part.value.is(DataKind::kHash)) {
        for (const DataEntry& extension : part.value.entries()) {
          const std::string identifier = identifiers_.identifier_of(extension.key.text_value());
          if (identifier.empty()) {
            fail_in(rule, "unknown extension '" + std::string(extension.key.text_value()) + "'");
          }
          entry.extensions.emplace_back(identifier, texts(extension.value, rule, key));
        }
      } else {
        fail_in(rule, "'" + std::string(key) + "' is not supported in an entry");
      }
    }
    if (is_empty) fail_in(rule, "an entry is empty");
    return entry;
  }

  Entry name_entry(std::string_view text, const Rule& rule) const {
    Entry entry;
    entry.text = text;
    if (text == "*") {
      entry.kind = EntryKind::kAny;
    } else if (text.size() > 1 && text.starts_with('/') && text.ends_with('/')) {
      entry.kind = EntryKind::kRegex;
      entry.regex = compile(std::string(text.substr(1, text.size() - 2)), rule);
    } else if (text.starts_with("*.") && is_name(text.substr(2))) {
      entry.kind = EntryKind::kSuffix;
      entry.text = text.substr(1);
    } else if (is_reference_pattern(text)) {
      if (!rule.is_regex) fail_in(rule, "'" + entry.text + "' refers to a path that is no regex");
      entry.kind = EntryKind::kReference;
    } else if (is_name(text)) {
      entry.kind = EntryKind::kName;
    } else {
      fail_in(rule, "'" + entry.text + "' is not a valid entry");
    }
    return entry;
  }

  const std::string& file_;
  const certificates::Identifiers& identifiers_;
  Rules& rules_;
  std::set<std::string> names_;
};

Rules Rules::standard() {
  return parse(kStandardRules, "the standard rules", certificates::Identifiers());
}

Rules Rules::parse(std::string_view text, const std::string& file,
                   const certificates::Identifiers& identifiers) {
  Rules rules;
  Arena arena;
  try {
    Reader(file, identifiers, rules).read(read_hocon(text, arena));
  } catch (const DataError& error) {
    throw RuleError(file + ": " + error.what());
  }
  return rules;
}

// Compares whole names; "*.x" is compared with the end after the asterisk. A name never matches a
// longer one that ends in it.
bool Rules::fits(const Entry& entry, const Client& client, const std::vector<std::string>& groups) {
  if (!client.is_authenticated) return false;
  switch (entry.kind) {
    case EntryKind::kAny:
      break;
    case EntryKind::kName:
      if (!same_name(entry.text, client.name)) return false;
      break;
    case EntryKind::kSuffix:
      if (!ends_with_name(client.name, entry.text) &&
          !same_name(client.name, std::string_view(entry.text).substr(1))) {
        return false;
      }
      break;
    case EntryKind::kReference:
      if (!same_name(with_groups(entry.text, groups), client.name)) return false;
      break;
    case EntryKind::kRegex:
      if (!entry.regex->matches(client.name)) return false;
      break;
  }
  return std::ranges::all_of(entry.extensions, [&](const auto& wanted) {
    return std::ranges::any_of(client.extensions, [&](const auto& held) {
      return held.first == wanted.first &&
             std::ranges::find(wanted.second, held.second) != wanted.second.end();
    });
  });
}

bool Rules::fits(const Rule& rule, const Access& access, std::vector<std::string>& groups) {
  if (!rule.methods.empty() &&
      std::ranges::find(rule.methods, access.method) == rule.methods.end()) {
    return false;
  }
  if (rule.is_regex) {
    Captures captures;
    if (!rule.regex->search(access.path, 0, captures)) return false;
    groups.clear();
    for (size_t i = 1; i < captures.size(); ++i) groups.emplace_back(captures.text(access.path, i));
  } else if (!access.path.starts_with(rule.path)) {
    return false;
  }
  return std::ranges::all_of(rule.parameters, [&](const auto& wanted) {
    return std::ranges::any_of(*access.parameters, [&](const auto& parameter) {
      return parameter.first == wanted.first &&
             std::ranges::find(wanted.second, parameter.second) != wanted.second.end();
    });
  });
}

Decision Rules::decide(const Access& access, const Client& client) const {
  std::vector<std::string> groups;
  for (const Rule& rule : rules_) {
    try {
      if (!fits(rule, access, groups)) continue;
      if (rule.allows_unauthenticated) return {true, rule.name};
      const auto fits_client = [&](const Entry& entry) { return fits(entry, client, groups); };
      if (std::ranges::any_of(rule.denied, fits_client)) return {false, rule.name};
      return {std::ranges::any_of(rule.allowed, fits_client), rule.name};
    } catch (const RegexError&) {
      return {false, rule.name};  // an expression that cannot be evaluated denies access
    }
  }
  return {};
}

}  // namespace bunraku::server
