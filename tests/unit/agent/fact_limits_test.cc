// Warnings about facts beyond the limits of the settings. Their texts are those of OpenVox; Puppet
// 8.10.0 has others.
#include "agent/fact_limits.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "apply/transaction/context.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "site/settings/settings.h"

namespace bunraku::agent {
namespace {

class Warnings : public LogSink {
 public:
  bool takes(LogLevel level) const override { return level >= LogLevel::kWarning; }
  void log(const LogRecord& record) override { texts.push_back(record.message); }
  void log_fatal(const FatalRecord&) override {}
  std::vector<std::string> texts;
};

std::vector<std::string> warnings(std::string_view facts,
                                  std::vector<std::pair<std::string, std::string>> limits) {
  limits.emplace_back("confdir", "/nonexistent");
  SettingsSources sources;
  sources.command_line = std::move(limits);
  const Settings settings(sources);
  Warnings found;
  apply::RunLog log(found);
  Arena arena;
  FactLimits(settings, log).check(read_json(facts, arena), facts);
  return found.texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("facts within the usual limits cause no warnings") {
  CHECK(warnings(R"({"a": 1, "b": {"c": ["x", null]}})", {}).empty());
}

TEST_CASE("values of nested facts are counted, and facts at the top") {
  constexpr std::string_view kFacts = R"({"a": 1, "b": {"c": ["x", null], "d": {}}})";
  CHECK(warnings(kFacts, {{"top_level_facts_soft_limit", "1"}}) ==
        Texts{"The current number of top level facts: 2 exceeds the top facts limit: 1"});
  CHECK(warnings(kFacts, {{"number_of_facts_soft_limit", "2"}}) ==
        Texts{"The current total number of fact values: 3 exceeds the fact values limit: 2"});
  CHECK(warnings(kFacts, {{"top_level_facts_soft_limit", "2"}}).empty());
  CHECK(warnings(kFacts, {{"number_of_facts_soft_limit", "3"}}).empty());
}

TEST_CASE("the length of a name is that in an index: its parts, two bytes for each, and eight") {
  constexpr std::string_view kFacts = R"({"abc": {"de": [1]}})";
  CHECK(warnings(kFacts, {{"fact_name_length_soft_limit", "19"}}) ==
        Texts{"Fact abc.de.0 with length: 20 exceeds the fact name length limit: 19"});
  CHECK(warnings(kFacts, {{"fact_name_length_soft_limit", "20"}}).empty());
}

TEST_CASE("texts and numbers are measured in bytes") {
  CHECK(warnings(R"({"a": {"b": "éé"}})", {{"fact_value_length_soft_limit", "3"}}) ==
        Texts{"Fact a.b with value éé with the value length: 4 exceeds the value length limit: 3"});
  CHECK(
      warnings(R"({"a": [12345]})", {{"fact_value_length_soft_limit", "4"}}) ==
      Texts{
          "Fact a.0 with value 12345 with the value length: 5 exceeds the value length limit: 4"});
  CHECK(warnings(R"({"a": [12345, null]})", {{"fact_value_length_soft_limit", "5"}}).empty());
}

TEST_CASE("the document is measured as it is sent") {
  CHECK(warnings(R"({"a": 1})", {{"payload_soft_limit", "8"}}).size() == 1);
  CHECK(warnings(R"({"a": 1})", {{"payload_soft_limit", "0"}}).empty());
}

}  // namespace
}  // namespace bunraku::agent
