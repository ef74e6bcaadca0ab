#include "site/settings/settings.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/system/file_system.h"

using namespace bunraku;

namespace {

// A configuration directory with a puppet.conf of this text.
struct Configuration {
  explicit Configuration(std::string_view text) {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    directory = mkdtemp(name);
    write_file(join_path(directory, "puppet.conf"), text);
  }
  ~Configuration() { std::filesystem::remove_all(directory); }

  Settings settings(std::vector<std::pair<std::string, std::string>> more = {},
                    std::string section = "main") const {
    more.emplace_back("confdir", directory);
    return Settings({std::move(more), std::move(section)});
  }
  std::string error(std::string_view name, std::string_view value) const {
    try {
      settings({{std::string(name), std::string(value)}}).text(name);
      return "no error";
    } catch (const EvaluationError& error) {
      return error.what();
    }
  }

  std::string directory;
};

}  // namespace

TEST_CASE("settings: the table") {
  CHECK(all_settings().size() > 230);
  CHECK(find_setting("hiera-config")->name == "hiera_config");
  CHECK(find_setting("nonsense") == nullptr);
  CHECK(unknown_setting_message("strct") == "Setting 'strct' is unknown; did you mean 'strict'?");
  for (const SettingInfo& info : all_settings()) CHECK(find_setting(info.name) == &info);
}

TEST_CASE("settings: defaults of version 8") {
  const Configuration empty("");
  const Settings settings = empty.settings();
  CHECK(settings.text("strict") == "error");
  CHECK(settings.is_true("strict_variables"));
  CHECK(settings.text("environment") == "production");
  CHECK(settings.integer("max_errors") == 10);
  CHECK(settings.text("runinterval") == "1800");
  CHECK(settings.text("maxwaitforcert") == "unlimited");
  CHECK(settings.text("config") == empty.directory + "/puppet.conf");
  CHECK(settings.problems().empty());
  CHECK_FALSE(settings.is_set("strict"));
  // The defaults of all settings are valid.
  for (const SettingInfo& info : all_settings()) CHECK_NOTHROW(settings.text(info.name));
}

TEST_CASE("settings: sections, interpolation, precedence") {
  const Configuration configuration(
      "vardir = $confdir/x/../y {owner = root, mode = 0755}\n"
      "# a comment\n"
      "[main]\n"
      "server = s0\n"
      "noop = TRUE\n"
      "runinterval=1y\n"
      "basemodulepath=a:/b:$vardir/c\n"
      "unknown_thing = 1\n"
      "[server]\n"
      "max_errors = 3\n"
      "[master]\n"
      "server = s2\n"
      "max_errors = 4\n"
      "[agent]\n"
      "server=s1\n");
  const Settings main = configuration.settings();
  CHECK(main.text("vardir") == configuration.directory + "/y");
  CHECK(main.text("statedir") == configuration.directory + "/y/state");
  CHECK(main.list("basemodulepath") ==
        std::vector<std::string>{std::filesystem::current_path().string() + "/a", "/b",
                                 configuration.directory + "/y/c"});
  CHECK(main.is_true("noop"));
  CHECK(main.text("runinterval") == "31536000");
  CHECK(main.text("server") == "s0");
  CHECK(configuration.settings({}, "agent").text("server") == "s1");
  CHECK(configuration.settings({}, "server").text("server") == "s2");
  CHECK(configuration.settings({}, "server").integer("max_errors") == 3);
  CHECK(configuration.settings({{"server", "s8"}, {"server", "s9"}}, "agent").text("server") ==
        "s9");
  CHECK(main.is_set("noop"));
  CHECK_FALSE(main.is_on_command_line("noop"));
}

TEST_CASE("settings: autosign is a boolean or a file") {
  const Configuration all("autosign = true\n");
  CHECK(all.settings().text("autosign") == "true");
  CHECK(all.settings({{"autosign", "False"}}).text("autosign") == "false");
  CHECK(all.settings({{"autosign", "$confdir/list"}}).text("autosign") == all.directory + "/list");
  const Configuration empty("");
  CHECK(empty.settings().text("autosign") == empty.directory + "/autosign.conf");
}

TEST_CASE("settings: mistakes in a file leave it out") {
  const Configuration junk("server = s\njunk\n");
  const Settings settings = junk.settings();
  CHECK(settings.text("server") == "puppet");
  REQUIRE(settings.problems().size() == 1);
  const std::string path = junk.directory + "/puppet.conf";
  CHECK(settings.problems()[0].message ==
        "Could not parse " + path + ": Could not match line junk (file: " + path + ", line: 2)");
  const Configuration section("[foo]\na=b\n");
  CHECK(section.settings().problems()[0].message.find("Illegal section 'foo'") !=
        std::string::npos);
  const Configuration braces("vardir = ${confdir}/x\n");
  CHECK(braces.settings().problems()[0].message.find("Could not parse '${confdir}/x'") !=
        std::string::npos);
}

TEST_CASE("settings: values of the wrong form") {
  const Configuration empty("");
  CHECK(empty.error("strict", "nope") ==
        "Invalid value 'nope' for parameter strict. Allowed values are 'off', 'warning', 'error'");
  CHECK(empty.error("autosign", "foo") ==
        "Invalid autosign value foo: must be 'true'/'false' or an absolute path");
  CHECK(empty.error("noop", "yes") == "Invalid value '\"yes\"' for boolean parameter: noop");
  CHECK(empty.error("max_errors", "x") ==
        "Cannot convert '\"x\"' to an integer for parameter: max_errors");
  CHECK(empty.error("splaylimit", "-5") ==
        "Invalid duration format '\"-5\"' for parameter: splaylimit");
  CHECK(empty.error("codedir", "$nope/x") ==
        "Error converting value for param 'codedir': Could not find value for $nope");
  CHECK(empty.error("vardir", "$vardir/x").find("Could not find value for $vardir") !=
        std::string::npos);
  CHECK(empty.error("disable_warnings", "deprecations, a").find("types 'a'") != std::string::npos);
}
