// A short run of the fuzzers' work: their corpus, truncated anywhere and damaged with the entries
// of their dictionary. Nothing may crash, hang or be printed wrongly; sanitizers find further
// errors.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/syntax_input.h"
#include "test_directory.h"

namespace bunraku {
namespace {

struct Seed {
  std::string text;
  SourceForm form;
};

std::string contents(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path fuzz_directory() {
  return test_directory() / "fuzz";
}

std::vector<Seed> seeds() {
  std::vector<Seed> found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(fuzz_directory() / "corpus")) {
    if (!entry.is_regular_file()) continue;
    const bool is_template = entry.path().parent_path().filename() == "template";
    found.push_back(
        {contents(entry.path()), is_template ? SourceForm::kTemplate : SourceForm::kManifest});
  }
  return found;
}

// The plain entries of the dictionary, without quotes.
std::vector<std::string> pieces() {
  std::vector<std::string> found;
  std::ifstream file(fuzz_directory() / "puppet.dict");
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 3 || line[0] != '"' || line.find('\\') != std::string::npos) continue;
    found.push_back(line.substr(1, line.size() - 2));
  }
  return found;
}

TEST_CASE("text that is cut off anywhere is read to its end") {
  const std::vector<Seed> all = seeds();
  REQUIRE(all.size() > 5);
  for (const Seed& seed : all) {
    for (size_t length = 0; length <= seed.text.size(); ++length) {
      fuzz::process(std::string_view(seed.text).substr(0, length), seed.form);
      fuzz::process(std::string_view(seed.text).substr(length), seed.form);
    }
  }
}

TEST_CASE("spoilt text is read to its end") {
  const std::vector<Seed> all = seeds();
  const std::vector<std::string> additions = pieces();
  REQUIRE(additions.size() > 50);
  std::mt19937 random(1);
  auto below = [&random](size_t limit) { return limit == 0 ? 0 : random() % limit; };
  constexpr int kRounds = 3000;
  for (int round = 0; round < kRounds; ++round) {
    Seed seed = all[below(all.size())];
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
      const size_t at = below(seed.text.size() + 1);
      switch (below(3)) {
        case 0:
          seed.text.insert(at, additions[below(additions.size())]);
          break;
        case 1:
          seed.text.erase(at, 1 + below(8));
          break;
        default:
          if (at < seed.text.size()) seed.text[at] = static_cast<char>(random());
      }
    }
    fuzz::process(seed.text, seed.form);
  }
}

}  // namespace
}  // namespace bunraku
