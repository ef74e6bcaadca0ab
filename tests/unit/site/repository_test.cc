#include "site/settings/repository.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {
namespace {

namespace fs = std::filesystem;

class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "bunraku-repository-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    root_ = fs::canonical(pattern);
  }
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  std::string at(const std::string& path) const { return (root_ / path).string(); }
  void file(const std::string& path, std::string_view text = "") const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

 private:
  fs::path root_;
};

}  // namespace

TEST_CASE("the nearest control repository goes before the nearest module") {
  const Directory tree;
  tree.file("control/Puppetfile");
  tree.file("control/modules/ntp/metadata.json", R"({"name": "example-ntp"})");
  tree.file("control/modules/ntp/manifests/init.pp");
  tree.file("puppet-web/metadata.json", R"({"name": "example/web"})");
  tree.file("puppet-web/manifests/init.pp");
  tree.file("broken/metadata.json", "{");

  const auto control = find_repository(tree.at("control/modules/ntp/manifests"));
  REQUIRE(control);
  CHECK(control->directory == tree.at("control"));
  CHECK(control->module.empty());
  CHECK(control->environment == "production");
  CHECK(control->modulepath == std::vector<std::string>{tree.at("control/modules")});

  const auto module = find_repository(tree.at("puppet-web/manifests"));
  REQUIRE(module);
  CHECK(module->module == "web");
  CHECK(module->modulepath.empty());

  CHECK_FALSE(find_repository(tree.at("broken")));
}

TEST_CASE("an environment among others has the name of its directory") {
  const Directory tree;
  tree.file("environments/blue/environment.conf");
  tree.file("environments/not-legal/environment.conf");
  tree.file("environments/named/bunraku.toml", "[settings]\nenvironment = \"green\"\n");
  CHECK(open_repository(tree.at("environments/blue")).environment == "blue");
  CHECK(open_repository(tree.at("environments/not-legal")).environment == "production");
  CHECK(open_repository(tree.at("environments/named")).environment == "green");
}

TEST_CASE("paths of bunraku.toml are relative to it") {
  const Directory tree;
  tree.file("r/bunraku.toml",
            "[settings]\nmodulepath = \"site:/opt/m:$codedir/x\"\nmanifest = \"m.pp\"\n"
            "[facts]\npaths = \"nodes\"\n");
  const RepositoryConf conf = read_repository_conf(tree.at("r"));
  CHECK(*conf.find("modulepath") == tree.at("r/site") + ":/opt/m:$codedir/x");
  CHECK(*conf.find("manifest") == tree.at("r/m.pp"));
  CHECK(conf.find("strict") == nullptr);
  CHECK(conf.facts == std::vector<std::string>{tree.at("r/nodes")});
  tree.file("r/bunraku.toml", "[settings]\nmanifest = [1]\n");
  CHECK_THROWS_AS(read_repository_conf(tree.at("r")), EvaluationError);
}

TEST_CASE("modules of a Puppetfile are found as they are usually written") {
  const Directory tree;
  tree.file("r/Puppetfile",
            "forge 'x'\nmod 'puppetlabs-stdlib', '9.0.0'\n  mod \"own/ntp\",\n    git: 'y'\n"
            "mod('plain', :latest)\n# mod 'no'\n");
  CHECK(puppetfile_modules(tree.at("r")) == std::vector<std::string>{"stdlib", "ntp", "plain"});
  CHECK(puppetfile_modules(tree.at("nowhere")).empty());
}

}  // namespace bunraku
