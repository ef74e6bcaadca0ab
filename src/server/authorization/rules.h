// The rules of auth.conf: which clients may request which paths. The first rule, sorted by order
// and name, that matches a request decides; a request without a matching rule is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificates/identifiers.h"
#include "net/url.h"
#include "server/authorization/client.h"

namespace bunraku {
class DataNode;
class Regex;
}  // namespace bunraku

namespace bunraku::server {

// A mistake in a file of rules; the message has the place.
class RuleError : public std::exception {
 public:
  explicit RuleError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

struct Access {
  std::string_view method;  // "GET"
  std::string_view path;    // normalised; see net/url.h
  const net::Parameters* parameters;
};

struct Decision {
  bool is_allowed = false;
  std::string rule;  // the name of the rule that decided; empty: none matched
};

class Rules {
 public:
  // The rules of a server without an auth.conf.
  static Rules standard();
  // Parses HOCON; `file` is for messages. Throws RuleError.
  static Rules parse(std::string_view text, const std::string& file,
                     const certificates::Identifiers& identifiers);

  Decision decide(const Access& access, const Client& client) const;
  bool trusts_headers() const { return trusts_headers_; }
  // Oddities that are not mistakes.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  enum class EntryKind : uint8_t { kAny, kName, kSuffix, kReference, kRegex };
  struct Entry {
    EntryKind kind = EntryKind::kAny;
    std::string text;
    const Regex* regex = nullptr;
    // Each extension must exist with one of its values.
    std::vector<std::pair<std::string, std::vector<std::string>>> extensions;
  };
  struct Rule {
    std::string name;
    int64_t order = 0;
    bool is_regex = false;
    std::string path;
    const Regex* regex = nullptr;
    std::vector<std::string> methods;  // upper case; empty: any
    std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
    bool allows_unauthenticated = false;
    std::vector<Entry> allowed;
    std::vector<Entry> denied;
  };
  class Reader;

  static bool fits(const Entry& entry, const Client& client,
                   const std::vector<std::string>& groups);
  static bool fits(const Rule& rule, const Access& access, std::vector<std::string>& groups);

  std::vector<Rule> rules_;
  std::vector<std::string> warnings_;
  bool trusts_headers_ = false;
};

}  // namespace bunraku::server
