#include "cli/frame/program.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "cli/frame/help.h"
#include "run_program.h"

using namespace bunraku;

namespace {

// A configuration directory with an environment.
struct Configuration {
  Configuration() {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    directory = mkdtemp(name);
    std::filesystem::create_directories(directory + "/environments/production/modules/ntp");
    write_file(directory + "/environments/production/modules/ntp/metadata.json",
               R"({"name": "puppetlabs-ntp", "version": "1.2.3", "source": "", "author": "",
                   "license": "", "dependencies": []})");
    write_file(directory + "/puppet.conf", "[main]\nenvironmentpath = $confdir/environments\n");
  }
  ~Configuration() { std::filesystem::remove_all(directory); }
  std::string directory;
};

}  // namespace

TEST_CASE("program: version and help") {
  CHECK(run({"version"}).output == std::string(kVersion) + "\n");
  CHECK(run({"--version"}).output == "bunraku " + std::string(kVersion) + " (Puppet language " +
                                         std::string(kReferenceVersion) + ")\n");
  ProgramResult help = run({"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.output.find("version  ") != std::string::npos);
  CHECK(run({"help"}).output == help.output);
  CHECK(run({"help", "config", "print"}).output == run({"config", "print", "--help"}).output);
  CHECK(run({"help", "config"}).output.find("config print") != std::string::npos);
}

TEST_CASE("program: a wrong command line") {
  CHECK(run({}).exit_code == 0);
  CHECK(run({}).output == run({"help"}).output);
  CHECK(run({"parser"}).exit_code == 64);
  CHECK(run({"parser"}).output == run({"help", "parser"}).output);
  CHECK(run({"verson"}).exit_code == 64);
  CHECK(run({"help", "nothing"}).exit_code == 64);
  CHECK(run({"version", "--nonsense", "--log-format", "json"}).log ==
        "{\"level\":\"err\",\"fatal\":true,\"kind\":\"usage\",\"message\":\"unknown option "
        "'--nonsense' (see "
        "`bunraku help version`)\"}\n");
}

TEST_CASE("program: an unknown setting is a warning") {
  ProgramResult result = run({"version", "--set", "strct=off"});
  CHECK(result.exit_code == 0);
  CHECK(result.log == "Warning: Setting 'strct' is unknown; did you mean 'strict'?\n");
  CHECK(run({"version", "--set", "strct=off", "--log-level", "err"}).log.empty());
}

TEST_CASE("program: settings as the environment has them") {
  const Configuration configuration;
  std::vector<std::string> line = {"config", "print", "manifest", "--confdir",
                                   configuration.directory};
  CHECK(run(line).output == configuration.directory + "/environments/production/manifests\n");
  line.insert(line.end(), {"strict", "--strict", "nope"});
  ProgramResult result = run(line);
  CHECK(result.exit_code == 1);
  CHECK(result.log.find("Invalid value 'nope' for parameter strict") != std::string::npos);
}

TEST_CASE("program: modules") {
  const Configuration configuration;
  const std::string directory = configuration.directory + "/environments/production/modules";
  CHECK(run({"module", "list", "--confdir", configuration.directory})
            .output.find(directory + "\n└── puppetlabs-ntp (v1.2.3)\n") == 0);
  Arena arena;
  const std::string json =
      run({"module", "list", "--confdir", configuration.directory, "--format", "json"}).output;
  const DataNode list = read_json(json, arena);
  CHECK(list.find("modules_by_path")->find(directory)->items()[0].find("name")->text_value() ==
        "ntp");
}

TEST_CASE("program: facts of a file") {
  const Configuration configuration;
  const std::string file = configuration.directory + "/facts.yaml";
  write_file(file, "os:\n  family: Debian\n  releases: [11, 12]\n");
  CHECK(run({"facts", "show", "os.family", "--value-only", "--facts", file}).output == "Debian\n");
  CHECK(run({"facts", "show", "os.releases.1", "none", "--facts", file}).output ==
        "{\n  \"none\": \"\",\n  \"os.releases.1\": 12\n}\n");
  CHECK(run({"facts", "show", "--facts", file + "x"}).exit_code == 1);
  CHECK(run({"facts", "show", "--facts", file, "--value-only"}).exit_code == 64);
}

TEST_CASE("program: descriptions") {
  CHECK(run({"describe", "UNKNOWN_VARIABLE"}).output.find("Diagnostic BK2001 (UNKNOWN_VARIABLE)") ==
        0);
  const std::string both = run({"describe", "file"}).output;
  CHECK(both.find("Resource type file") == 0);
  CHECK(both.find("Function file") != std::string::npos);
  CHECK(run({"describe", "function", "file"}).output.find("Function file") == 0);
  CHECK(run({"describe", "type", "file"}).output.find("Function file") == std::string::npos);
  CHECK(run({"describe", "functions"}).output.find("Functions\n  abs ") == 0);
  CHECK(run({"describe", "type", "split"}).log.find("no type has the name 'split'") !=
        std::string::npos);
  CHECK(run({"describe", "node", "split"}).exit_code == 64);
  ProgramResult unknown = run({"describe", "spilt"});
  CHECK(unknown.exit_code == 64);
  CHECK(unknown.log.find("did you mean 'split'?") != std::string::npos);
}

TEST_CASE("program: output that nobody reads") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const int saved = dup(STDOUT_FILENO);
  REQUIRE(saved >= 0);
  dup2(ends[1], STDOUT_FILENO);
  Capture log(STDERR_FILENO);
  int exit_code = run_program(std::vector<std::string>{"help"});
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(ends[1]);
  CHECK(exit_code == 0);
  CHECK(log.text().empty());
}

TEST_CASE("help: wrapped text") {
  CHECK(wrapped("aa bb cc dd", 2, 8) == "  aa bb\n  cc dd\n");
  CHECK(wrapped("a\nb\n\n  code\nc", 1, 40) == " a b\n\n   code\n c\n");
  CHECK(wrapped("toolongword x", 0, 4) == "toolongword\nx\n");
  CHECK(wrapped("", 2, 10).empty());
}
