// Checks that cached answers equal fresh ones. A small substitute for a compilation reads files,
// keys, names and facts that change at random. To prove that the test detects incomplete records,
// it is repeated with observers that leave out one kind of read.
#include "fleet/node_cache.h"
#include "base/system/glob.h"

#include <doctest/doctest.h>

#include <unistd.h>
#include "base/system/file_writer.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "evaluation/fact_reads.h"
#include "serialization/serialization.h"
#include "site/environment/environment.h"
#include "site/environment/files.h"
#include "site/lookup/data_files.h"

using namespace bunraku;

namespace {

enum class Silenced : uint8_t { kNothing, kFile, kPath, kDirectory, kGlob, kSearch, kKey, kFacts };

// Forwards all reports except those of one kind.
class PartialObserver final : public ReadObserver {
 public:
  PartialObserver(ReadObserver& to, Silenced silenced) : to_(to), silenced_(silenced) {}
  void file(const std::string& path, std::string_view digest) override {
    if (silenced_ != Silenced::kFile) to_.file(path, digest);
  }
  void path(const std::string& path, PathTest test, bool answer) override {
    if (silenced_ != Silenced::kPath) to_.path(path, test, answer);
  }
  void directory(const std::string& path, Listing listing, std::string_view digest) override {
    if (silenced_ != Silenced::kDirectory) to_.directory(path, listing, digest);
  }
  void search(const SearchedDirectories& directories, std::string_view relative_path,
              std::string_view directory) override {
    if (silenced_ != Silenced::kSearch) to_.search(directories, relative_path, directory);
  }
  void glob(const std::string& pattern, std::string_view digest) override {
    if (silenced_ != Silenced::kGlob) to_.glob(pattern, digest);
  }
  void data_key(const std::string& path, std::string_view file_digest, bool is_json,
                std::string_view key, const std::function<std::string()>& value_digest) override {
    if (silenced_ != Silenced::kKey) to_.data_key(path, file_digest, is_json, key, value_digest);
  }
  void query(const std::string& text) override { to_.query(text); }
  void untracked(std::string_view reason) override { to_.untracked(reason); }

 private:
  ReadObserver& to_;
  Silenced silenced_;
};

class Fleet {
 public:
  explicit Fleet(Silenced silenced) : silenced_(silenced) {
    char name[] = "/tmp/node_cache_test_XXXXXX";
    directory_ = mkdtemp(name);
    for (const char* node : {"a", "b", "c"}) {
      FleetNode& made = nodes_.emplace_back();
      made.name = node;
      made.path = path("facts/" + made.name + ".json");
      put("facts/" + made.name + ".json", R"({"which": "one", "other": 1})");
    }
    put("data.yaml", "k1: 1\nk2: 2\n");
    put("text", "0");
    create_directory(path("names"));
    create_directory(path("modules/m1/lib"));
    create_directory(path("modules/m2/lib"));
    searched_.paths = path("modules/m1") + '\0' + path("modules/m2") + '\0';
    searched_.digest = read_digest(searched_.paths);
  }
  ~Fleet() { std::filesystem::remove_all(directory_); }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Returns the first round in which the cache's answer differed from a fresh one; 0 when there was
  // none.
  int first_wrong_round(int rounds) {
    for (int round = 1; round <= rounds; ++round) {
      change();
      NodeCache cache(path("cache"), "key", CacheUse::kWrite);
      cache.check();
      bool is_wrong = false;
      for (const FleetNode& node : nodes_) {
        if (roll(4) == 0) continue;  // not in this run
        const std::string fresh = answer(node, nullptr);
        if (const std::optional<CachedNode> known = cache.find(node)) {
          is_wrong = is_wrong || cache.catalog(*known) != fresh;
          ++found_;
          continue;
        }
        ReadRecorder recorder(cache.table());
        CachedNode kept;
        kept.name = node.name;
        kept.facts_path = node.path;
        kept.facts_stamp = cached_stamp(node.path);
        const std::string made = answer(node, &recorder);
        kept.reads = recorder.numbers();
        cache.keep(std::move(kept), made);
      }
      if (is_wrong) return round;
      cache.save();
    }
    return 0;
  }
  int found() const { return found_; }

 private:
  std::string path(const std::string& relative) const { return directory_ + "/" + relative; }
  void put(const std::string& relative, const std::string& text) {
    const std::string whole = path(relative);
    create_directory(std::string(parent_directory(whole)));
    write_file(whole, text);
  }
  uint64_t roll(uint64_t sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % sides;
  }

  void toggle(const std::string& relative) {
    if (!std::filesystem::remove(path(relative))) put(relative, "there");
  }

  void change() {
    const std::string number = std::to_string(roll(3));
    switch (roll(8)) {
      case 0:
        return put("text", number);
      case 1:
        return put("data.yaml", "k1: " + number + "\nk2: 2\n");
      case 2:
        return put("data.yaml", "k1: 1\nk2: " + number + "\n");
      case 3:
        return toggle("names/" + number);
      case 4:
        return toggle("hint" + number);
      case 5:
        return toggle("modules/m" + std::to_string(1 + roll(2)) + "/lib/f.rb");
      case 6:
        return toggle("glob/" + number + ".pp");
      default:
        return put(
            "facts/" + nodes_[roll(nodes_.size())].name + ".json",
            roll(2) == 0 ? R"({"which": "one", "other": )" + number + "}" : R"({"which": "two"})");
    }
  }

  // Makes an answer by reads that depend on earlier reads.
  std::string answer(const FleetNode& node, ReadRecorder* recorder) {
    Arena arena;
    const Value facts = facts_of(node, arena);
    std::optional<PartialObserver> observer;
    if (recorder != nullptr) observer.emplace(*recorder, silenced_);
    const ObservedReads observed(observer ? &*observer : nullptr);
    const std::string which(facts.as_hash().find("which")->as_string());
    std::string made = which + ": ";
    std::set<std::string> read_facts = {std::string("which") + FactReads::kEnd};
    if (which == "one") {
      made += key("k1") + (exists(path("hint1")) ? " hint " : " no hint ");
      made += read_file(path("text"));
      made += std::to_string(expand_glob(path("glob/*.pp")).size());
    } else {
      made += key("k2");
      for (const DirectoryEntry& entry : list_directory(path("names"))) made += entry.name;
      made += first_module();
    }
    if (key("k1") == "1" && which == "one") {
      read_facts.insert(std::string("other") + FactReads::kEnd);
      made += std::to_string(facts.as_hash().find("other")->as_integer());
    }
    if (recorder != nullptr && silenced_ != Silenced::kFacts) recorder->facts(read_facts, facts);
    return made;
  }

  std::string key(std::string_view name) {
    DataFiles files;
    const auto file = files.get(path("data.yaml"), DataFormat::kYaml);
    const Value value = *file->data.as_hash().find(name);
    if (ReadObserver* observer = ReadObserver::current()) {
      observer->data_key(path("data.yaml"), file->digest.get(), false, name,
                         [&] { return data_digest(value); });
    }
    return std::to_string(value.as_integer());
  }

  std::string first_module() {
    ReadObserver* const observer = ReadObserver::current();
    const ObservedReads nobody(nullptr);
    std::string first;
    for (const std::string& module : {path("modules/m1"), path("modules/m2")}) {
      if (first.empty() && is_file(module + "/lib/f.rb")) first = module;
    }
    if (observer != nullptr) observer->search(searched_, "lib/f.rb", first);
    return first;
  }

  Silenced silenced_;
  std::string directory_;
  std::vector<FleetNode> nodes_;
  SearchedDirectories searched_;
  uint64_t state_ = 4711;
  int found_ = 0;
};

}  // namespace

TEST_CASE("node cache: answers are those of a fresh run, whatever changes") {
  Fleet fleet(Silenced::kNothing);
  CHECK(fleet.first_wrong_round(300) == 0);
  CHECK(fleet.found() > 100);
}

TEST_CASE("node cache: a record that misses an input is found out") {
  for (const Silenced silenced :
       {Silenced::kFile, Silenced::kPath, Silenced::kDirectory, Silenced::kGlob, Silenced::kSearch,
        Silenced::kKey, Silenced::kFacts}) {
    CAPTURE(static_cast<int>(silenced));
    CHECK(Fleet(silenced).first_wrong_round(300) > 0);
  }
}

TEST_CASE("node cache: an index that is cut off or full of noise holds nothing") {
  char name[] = "/tmp/node_cache_test_XXXXXX";
  REQUIRE(mkdtemp(name) != nullptr);
  const std::string directory = name;
  write_file(directory + "/facts.json", "{}");
  {
    NodeCache cache(directory, "key", CacheUse::kWrite);
    cache.check();
    ReadRecorder recorder(cache.table());
    recorder.file(directory + "/facts.json", read_digest("{}"));
    recorder.query("File <| |>");
    CachedNode node;
    node.name = "n";
    node.facts_path = directory + "/facts.json";
    node.reads = recorder.numbers();
    node.problems.emplace_back();
    cache.keep(node, "catalog");
    CHECK(cache.save().empty());
  }
  const std::string index = read_file(directory + "/index");
  CHECK(NodeCache(directory, "key", CacheUse::kRead).nodes().size() == 1);
  for (size_t size = 0; size < index.size(); ++size) {
    write_file(directory + "/index", index.substr(0, size), kSecretFile);
    CHECK(NodeCache(directory, "key", CacheUse::kRead).nodes().empty());
  }
  // Damage with a matching digest, which the digest cannot reveal.
  const size_t head = index.find('\n') + 1 + 1 + 16;
  for (size_t at = head; at < index.size(); ++at) {
    std::string noisy = index;
    noisy[at] = static_cast<char>(0xFF);
    noisy.replace(head - 16, 16, read_digest(noisy.substr(head)));
    write_file(directory + "/index", noisy, kSecretFile);
    NodeCache cache(directory, "key", CacheUse::kWrite);
    cache.check();
    for (const auto& [node, kept] : cache.nodes()) {
      for (const uint32_t number : kept.reads) CHECK(number < cache.table().reads().size());
    }
  }
  // Writable by others.
  write_file(directory + "/index", index, NewFile{.mode = 0666});
  CHECK_THROWS_AS(NodeCache(directory, "key", CacheUse::kRead), FileError);
  write_file(directory + "/index", index, kSecretFile);
  CHECK(NodeCache(directory, "key", CacheUse::kRead).nodes().size() == 1);
  // Only one run at a time.
  {
    const NodeCache first(directory, "key", CacheUse::kWrite);
    CHECK_THROWS_AS(NodeCache(directory, "key", CacheUse::kWrite), FileError);
  }
  CHECK(NodeCache(directory, "key", CacheUse::kWrite).nodes().size() == 1);
  std::filesystem::remove_all(directory);
}
