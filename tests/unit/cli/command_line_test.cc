#include "cli/frame/command_line.h"

#include <doctest/doctest.h>

#include "cli/frame/help.h"

using namespace bunraku;

namespace {

// Sample commands, with the values of their options.
struct Commands {
  Commands() {
    Command eval("eval", "The value of code");
    eval.option("-e, --execute CODE", "evaluate CODE", code);
    eval.option("--depth NUMBER", "how deep", depth);
    eval.flag("--script", "no catalog", is_script);
    eval.choice("--kind KIND", {"old", "pn"}, "the kind", kind);
    eval.argument("[FILE]", "a file", file);
    eval.formats({"json", "text"});
    Command validate("parser validate", "Every problem");
    validate.argument("FILES...", "files", files);
    validate.takes(OptionGroup::kEnvironment);
    all.push_back(std::move(eval));
    all.push_back(std::move(validate));
  }

  ParsedCommandLine parse(std::vector<std::string> words) {
    ParsedCommandLine line;
    parse_command_line(words, all, common, line);
    return line;
  }
  std::string error(std::vector<std::string> words) {
    try {
      parse(std::move(words));
      return "parses";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  std::vector<Command> all;
  CommonOptions common;
  std::vector<std::string> code;
  int64_t depth = 0;
  bool is_script = false;
  std::string kind;
  std::string file;
  std::vector<std::string> files;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("command line: options and arguments") {
  Commands commands;
  ParsedCommandLine line = commands.parse({"--environment", "test", "eval", "-e", "-1", "-e2",
                                           "--execute=3", "--depth=-7", "--script", "a.pp"});
  REQUIRE(line.command != nullptr);
  CHECK(line.command->name() == "eval");
  CHECK(commands.code == std::vector<std::string>{"-1", "2", "3"});
  CHECK(commands.depth == -7);
  CHECK(commands.is_script);
  CHECK(commands.file == "a.pp");
  CHECK(commands.common.settings == Settings{{"environment", "test"}});
  commands.parse({"eval", "--no-script", "--", "-x"});
  CHECK_FALSE(commands.is_script);
  CHECK(commands.file == "-x");
}

TEST_CASE("command line: commands of two words") {
  Commands commands;
  CHECK(commands.parse({"parser", "--debug", "validate", "a", "b"}).command->name() ==
        "parser validate");
  CHECK(commands.files == std::vector<std::string>{"a", "b"});
  CHECK(commands.parse({"parser"}).command == nullptr);
  CHECK(commands.parse({"parser"}).group == "parser");
  CHECK(commands.common.log.level == LogLevel::kDebug);
}

TEST_CASE("command line: every setting is an option") {
  Commands commands;
  commands.parse({"eval", "--strict", "off", "--no-strict_variables", "--noop", "--rich_data=false",
                  "--storeconfigs", "true", "--set", "max_errors=3", "--hiera-config", "/h",
                  "x.pp"});
  CHECK(commands.file == "x.pp");
  CHECK(commands.common.settings == Settings{{"strict", "off"},
                                             {"strict_variables", "false"},
                                             {"noop", "true"},
                                             {"rich_data", "false"},
                                             {"storeconfigs", "true"},
                                             {"max_errors", "3"},
                                             {"hiera_config", "/h"}});
  commands.parse({"eval", "--set", "nonsense=1"});
  CHECK(commands.common.unknown_settings == std::vector<std::string>{"nonsense"});
}

TEST_CASE("command line: mistakes") {
  Commands commands;
  CHECK(commands.error({"evl"}) == "unknown command 'evl'; did you mean 'eval'?");
  CHECK(commands.error({"parser", "validat"}) ==
        "unknown command 'parser validat'; did you mean 'parser validate'?");
  CHECK(commands.error({"eval", "--skript"}) ==
        "unknown option '--skript'; did you mean '--script'?");
  CHECK(commands.error({"eval", "--strct", "off"}) ==
        "unknown option '--strct'; did you mean '--strict'?");
  CHECK(commands.error({"eval", "-q"}) == "unknown option '-q'");
  CHECK(commands.error({"eval", "--depth"}) == "option '--depth' needs a value");
  CHECK(commands.error({"eval", "--depth", "x"}) == "option '--depth': 'x' is not an integer");
  CHECK(commands.error({"eval", "--kind", "x"}) == "option '--kind' takes one of old, pn, not 'x'");
  CHECK(commands.error({"eval", "--format", "xml"}) ==
        "option '--format' takes one of json, text, not 'xml'");
  CHECK(commands.error({"eval", "--script=perhaps"}) ==
        "option '--script' is either on or off, not 'perhaps'");
  CHECK(commands.error({"eval", "--set", "x"}) ==
        "option '--set': 'x' is not of the form KEY=VALUE");
  CHECK(commands.error({"eval", "a", "b"}) == "unexpected argument 'b'");
  CHECK(commands.error({"parser", "validate"}) ==
        "argument FILES is missing: bunraku parser validate [OPTIONS] FILES...");
}

TEST_CASE("command line: help is made from what commands declare") {
  Commands commands;
  std::string help = command_help(commands.all[0], {});
  CHECK(help.find("bunraku eval [OPTIONS] [FILE]") != std::string::npos);
  CHECK(help.find("  -e, --execute CODE  evaluate CODE\n") != std::string::npos);
  CHECK(help.find("json, text (the default is json)") != std::string::npos);
  CHECK(help.find("Environment options") == std::string::npos);
  CHECK(help.find('\033') == std::string::npos);
  CHECK(help.find("Common options") != std::string::npos);
  CHECK(help.find("--log-level, ") != std::string::npos);
  help = command_help(commands.all[1], {60, true}, true);
  CHECK(help.find("Environment options") != std::string::npos);
  CHECK(help.find('\033') != std::string::npos);
  for (size_t i = 0, start = 0; i <= help.size(); ++i) {
    if (i < help.size() && help[i] != '\n') continue;
    CHECK(i - start <= 60 + 20);  // with escape sequences for colours
    start = i + 1;
  }
  help = overview_help(commands.all, "parser", {});
  CHECK(help.find("parser validate  Every problem\n") != std::string::npos);
  CHECK(help.find("eval  ") == std::string::npos);
}
