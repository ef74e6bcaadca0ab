#include "ruby/erb/methods.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/regex/regex.h"

namespace bunraku::erb {

namespace {

struct NamedClass {
  std::string_view name;
  Class which;
};
constexpr NamedClass kClasses[] = {
    {"NilClass", Class::kNil},
    {"Integer", Class::kInteger},
    {"Float", Class::kFloat},
    {"String", Class::kString},
    {"Symbol", Class::kSymbol},
    {"Array", Class::kArray},
    {"Hash", Class::kHash},
    {"Range", Class::kRange},
    {"Regexp", Class::kRegexp},
    {"MatchData", Class::kMatch},
    {"Class", Class::kClass},
    {"Object", Class::kAny},
    {"TrueClass", Class::kTrue},
    {"FalseClass", Class::kFalse},
    {"Numeric", Class::kNumeric},
    {"Enumerable", Class::kEnumerable},
    {"Comparable", Class::kComparable},
    {"File", Class::kFile},
    {"Shellwords", Class::kShellwords},
    {"JSON", Class::kJson},
    {"YAML", Class::kYaml},
    {"Puppet::Pops::Types::PSensitiveType::Sensitive", Class::kSensitive},
    {"Base64", Class::kBase64},
    {"CGI", Class::kCgi},
    {"URI", Class::kUri},
    {"Digest::MD5", Class::kMd5},
    {"Digest::SHA1", Class::kSha1},
    {"Digest::SHA256", Class::kSha256},
    {"Digest::SHA384", Class::kSha384},
    {"Digest::SHA512", Class::kSha512},
    {"Gem::Version", Class::kGemVersion},
    {"IPAddr", Class::kAddress},
    {"Time", Class::kTime},
    {"Proc", Class::kProc}};

// Returns whether methods of the name change an array or hash that they are called on.
bool changes_receiver(std::string_view method) {
  constexpr std::string_view kNames[] = {
      "<<",      "[]=", "append",  "clear", "concat", "delete", "delete_at", "delete_if", "insert",
      "keep_if", "pop", "prepend", "push",  "shift",  "store",  "unshift",   "update"};
  return method.ends_with('!') || std::ranges::find(kNames, method) != std::end(kNames);
}

// Returns whether methods of the name, which walk over elements, return what they were called on.
bool returns_receiver(std::string_view method) {
  constexpr std::string_view kNames[] = {"each_cons", "each_entry", "each_slice", "each_with_index",
                                         "reverse_each"};
  return std::ranges::find(kNames, method) != std::end(kNames);
}

class Table {
 public:
  Table() {
    for (const std::span<const Method> family :
         {object_methods(), number_methods(), string_methods(), string_search_methods(),
          array_methods(), enumeration_methods(), hash_methods(), template_methods(),
          library_methods(), address_methods(), uri_methods(), time_methods()}) {
      for (const Method& method : family) add(method);
    }
    for (auto& [name, set] : sets_) inherit(*set);
  }
  const MethodSet* find(std::string_view name) const {
    auto found = sets_.find(name);
    return found == sets_.end() ? nullptr : found->second.get();
  }

 private:
  void add(const Method& method) {
    auto [found, is_new] = sets_.try_emplace(method.name);
    if (is_new) {
      found->second = std::make_unique<MethodSet>();
      found->second->name = method.name;
      found->second->changes_receiver = changes_receiver(method.name);
      found->second->returns_receiver = returns_receiver(method.name);
    }
    if (method.receiver == Class::kAny) {
      common_[method.name] = &method;
    } else if (method.receiver == Class::kEnumerable) {
      enumerable_[method.name] = &method;
    } else {
      found->second->methods[static_cast<size_t>(method.receiver)] = &method;
    }
  }

  // A class that does not define the method takes it from Enumerable or from Object.
  void inherit(MethodSet& set) {
    auto offer = [&](Class type, const Method* method) {
      const Method*& own = set.methods[static_cast<size_t>(type)];
      if (own == nullptr) own = method;
    };
    if (auto found = enumerable_.find(set.name); found != enumerable_.end()) {
      converted_.push_back(std::make_unique<Method>(*found->second));
      Method& converted = *converted_.back();
      converted.converts_receiver = true;
      offer(Class::kArray, found->second);
      offer(Class::kHash, &converted);
      offer(Class::kRange, &converted);
    }
    if (auto found = common_.find(set.name); found != common_.end()) {
      for (size_t type = 0; type < kClassCount; ++type) {
        const auto receiver = static_cast<Class>(type);
        const bool has_own = receiver == Class::kScope || receiver == Class::kContext ||
                             receiver == Class::kVersion || receiver == Class::kUriObject ||
                             receiver == Class::kTime;
        if (!has_own) offer(receiver, found->second);
      }
    }
  }

  std::unordered_map<std::string_view, std::unique_ptr<MethodSet>> sets_;
  std::unordered_map<std::string_view, const Method*> common_;
  std::unordered_map<std::string_view, const Method*> enumerable_;
  std::vector<std::unique_ptr<Method>> converted_;
};

bool method_takes(const Method* method, size_t arguments, bool has_block) {
  if (method == nullptr || arguments < method->least) return false;
  if (method->most != kAnyCount && arguments > method->most) return false;
  return has_block ? method->block != BlockUse::kNever : method->block != BlockUse::kMust;
}

}  // namespace

bool MethodSet::takes(Class known, size_t arguments, bool has_block) const {
  if (known != Class::kAny) return method_takes(of(known), arguments, has_block);
  for (const Method* method : methods) {
    if (method_takes(method, arguments, has_block)) return true;
  }
  return false;
}

const MethodSet* find_methods(std::string_view name) {
  static const Table table;
  return table.find(name);
}

Class find_class(std::string_view name) {
  for (const NamedClass& known : kClasses) {
    if (known.name == name) return known.which;
  }
  return Class::kNone;
}

std::string_view class_name(Class constant) {
  for (const NamedClass& known : kClasses) {
    if (known.which == constant) return known.name;
  }
  return "Object";
}

std::string_view class_name(const Object& object) {
  if (object.is(Class::kBoolean)) return object.boolean ? "TrueClass" : "FalseClass";
  return class_name(object.type);
}

const Regex* compile_regex(std::string_view source, std::string_view options) {
  if (options.empty()) return Regex::compile(source);
  return Regex::compile("(?" + std::string(options) + ":" + std::string(source) + ")");
}

}  // namespace bunraku::erb
