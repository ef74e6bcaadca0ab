#include "fleet/node_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "base/system/file_reader.h"
#include "base/system/file_writer.h"
#include "base/system/safe_name.h"
#include "base/text/text_hash.h"

namespace bunraku {
namespace {

constexpr std::string_view kFormat = "bunraku fleet cache 4\n";

// Two changes closer together than the resolution of file system clocks may have the same time.
constexpr int64_t kClockSteps = 2'000'000'000;

// Writes numbers of any size, and texts with their length.
class Writer {
 public:
  void number(uint64_t value) {
    while (value >= 0x80) {
      text_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    text_.push_back(static_cast<char>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    text_.append(value);
  }
  void stamp(const CachedStamp& stamp) {
    number(stamp.is_safe ? 1 : 0);
    number(stamp.stamp.size);
    number(stamp.stamp.inode);
    number(static_cast<uint64_t>(stamp.stamp.modified));
    number(static_cast<uint64_t>(stamp.stamp.changed));
  }
  std::string& result() { return text_; }

 private:
  std::string text_;
};

struct Damaged {};

// Throws Damaged for impossible data.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) throw Damaged();
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    throw Damaged();
  }
  // Reads a count, which is never larger than the number of remaining bytes.
  size_t count() {
    const uint64_t value = number();
    if (value > rest_.size()) throw Damaged();
    return static_cast<size_t>(value);
  }
  std::string text() {
    const size_t size = count();
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return value;
  }
  std::string_view rest() const { return rest_; }
  CachedStamp stamp() {
    CachedStamp stamp;
    stamp.is_safe = number() == 1;
    stamp.stamp.size = number();
    stamp.stamp.inode = number();
    stamp.stamp.modified = static_cast<int64_t>(number());
    stamp.stamp.changed = static_cast<int64_t>(number());
    return stamp;
  }

 private:
  std::string_view rest_;
};

bool reads_contents(ReadKind kind) {
  return kind == ReadKind::kFile || kind == ReadKind::kYamlKey || kind == ReadKind::kJsonKey;
}

// Returns whether the read depends on a node or the run, and not on the disk.
bool is_of_node(ReadKind kind) {
  return kind == ReadKind::kFact || kind == ReadKind::kExports;
}

void write(Writer& out, const CachedNode& node, const std::vector<uint32_t>& renumbered) {
  out.text(node.name);
  out.text(node.facts_path);
  out.stamp(node.facts_stamp);
  out.number(node.resources);
  out.text(node.catalog_digest);
  out.text(node.exports);
  out.number(node.problems.size());
  for (const NodeProblem& problem : node.problems) {
    out.number(static_cast<uint64_t>(problem.severity));
    for (const std::string* text :
         {&problem.code, &problem.issue_code, &problem.text, &problem.file}) {
      out.text(*text);
    }
    out.number(problem.line);
    out.number(problem.column);
  }
  std::vector<uint32_t> numbers;
  for (const uint32_t number : node.reads) numbers.push_back(renumbered[number]);
  std::ranges::sort(numbers);
  out.number(numbers.size());
  uint32_t last = 0;
  for (const uint32_t number : numbers) {
    out.number(number - last);
    last = number;
  }
}

CachedNode read_node(Reader& in, size_t reads) {
  CachedNode node;
  node.name = in.text();
  node.facts_path = in.text();
  node.facts_stamp = in.stamp();
  node.resources = in.number();
  node.catalog_digest = in.text();
  node.exports = in.text();
  for (size_t left = in.count(); left > 0; --left) {
    NodeProblem problem;
    problem.severity = static_cast<Severity>(std::min<uint64_t>(in.number(), 3));
    for (std::string* text : {&problem.code, &problem.issue_code, &problem.text, &problem.file}) {
      *text = in.text();
    }
    problem.line = static_cast<uint32_t>(in.number());
    problem.column = static_cast<uint32_t>(in.number());
    node.problems.push_back(std::move(problem));
  }
  uint64_t number = 0;
  const size_t count = in.count();
  node.reads.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    number += in.number();
    if (number >= reads) throw Damaged();
    node.reads.push_back(static_cast<uint32_t>(number));
  }
  return node;
}

}  // namespace

CachedStamp cached_stamp(const std::string& path) {
  const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  CachedStamp stamp{file_stamp(path), false};
  stamp.is_safe = std::max(stamp.stamp.modified, stamp.stamp.changed) < now - kClockSteps;
  return stamp;
}

namespace {

// Throws FileError when the file is missing or another user may have written it.
std::string read_own_file(const std::string& path) {
  FileReader reader(path);
  if (reader.is_private()) return reader.read_all();
  throw FileError(FileErrorKind::kUnreadable, path, "another user can have written it");
}

// Throws FileError when another user can rename files in the directory.
void check_own_directory(const std::string& path) {
  struct stat status{};
  if (file_status(path, true, status) != 0) return;
  const bool is_ours = status.st_uid == 0 || status.st_uid == geteuid();
  if (is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
  throw FileError(FileErrorKind::kUnreadable, path, "another user can write to it");
}

}  // namespace

NodeCache::NodeCache(std::string directory, std::string key, CacheUse use)
    : directory_(std::move(directory)), key_(std::move(key)) {
  const std::string catalogs = join_path(directory_, "catalogs");
  if (use == CacheUse::kWrite) create_private_directory(catalogs);
  check_own_directory(directory_);
  check_own_directory(catalogs);
  if (use == CacheUse::kWrite) take(catalogs);
  std::string text;
  try {
    text = read_own_file(join_path(directory_, "index"));
  } catch (const FileError& error) {
    if (error.kind() != FileErrorKind::kMissing) throw;
    return;
  }
  if (!text.starts_with(kFormat)) return;
  try {
    load(std::string_view(text).substr(kFormat.size()));
  } catch (const Damaged&) {
    // A damaged index is treated as missing.
    nodes_.clear();
    stamps_.clear();
    is_usable_ = false;
  }
}

void NodeCache::take(const std::string& catalogs) {
  lock_.emplace(join_path(directory_, "lock"));
  if (!lock_->is_held()) {
    throw FileError(FileErrorKind::kOther, directory_, "another run uses it");
  }
  remove_abandoned_files(directory_);
  remove_abandoned_files(catalogs);
}

void NodeCache::load(std::string_view text) {
  // After a failure of the system the file may be incomplete.
  Reader in(text);
  const std::string digest = in.text();
  if (digest != read_digest(in.rest())) throw Damaged();
  is_usable_ = in.text() == key_;
  const size_t reads = in.count();
  for (size_t i = 0; i < reads; ++i) {
    const uint64_t kind = in.number();
    if (kind >= kReadKinds) throw Damaged();
    const std::string subject = in.text(), key = in.text(), answer = in.text();
    // Numbers are positions in the table, so duplicates are damage.
    if (table_.number_of(static_cast<ReadKind>(kind), subject, key, answer) != i) throw Damaged();
  }
  for (size_t left = in.count(); left > 0; --left) {
    std::string path = in.text();
    stamps_[std::move(path)] = in.stamp();
  }
  for (size_t left = in.count(); left > 0; --left) {
    CachedNode node = read_node(in, reads);
    nodes_[node.name] = std::move(node);
  }
}

// Returns whether the file is unchanged since the index was written.
bool NodeCache::is_untouched(const std::string& path, const FileStamp& now) const {
  const auto known = stamps_.find(path);
  return known != stamps_.end() && known->second.is_safe && known->second.stamp == now;
}

void NodeCache::check() {
  if (!is_usable_) nodes_.clear();
  ReadChecker checker;
  std::unordered_map<std::string, bool, TextHash> untouched;
  const std::vector<Read>& reads = table_.reads();
  holds_.assign(reads.size(), false);
  if (nodes_.empty()) return;
  for (size_t i = 0; i < reads.size(); ++i) {
    const Read& read = reads[i];
    bool is_same = false;
    if (reads_contents(read.kind)) {
      const auto [found, is_new] = untouched.try_emplace(read.subject, false);
      if (is_new) found->second = is_untouched(read.subject, file_stamp(read.subject));
      is_same = found->second;
    }
    if (is_of_node(read.kind)) of_node_.emplace(static_cast<uint32_t>(i), read);
    holds_[i] = is_same || checker.holds(read);
  }
}

bool NodeCache::facts_hold(const CachedNode& known, const FleetNode& node) const {
  if (known.facts_path != node.path) return false;
  if (node.facts == nullptr && known.facts_stamp.is_safe &&
      known.facts_stamp.stamp == file_stamp(node.path)) {
    return true;
  }
  const CachedStamp stamp = cached_stamp(node.path);
  Arena arena;
  Value facts;
  try {
    facts = facts_of(node, arena);
  } catch (const std::exception&) {
    return false;
  }
  for (const uint32_t number : known.reads) {
    const auto found = of_node_.find(number);
    if (found == of_node_.end() || found->second.kind != ReadKind::kFact) continue;
    if (fact_answer(facts, found->second.subject) != found->second.answer) return false;
  }
  const std::lock_guard lock(stamp_mutex_);
  fresh_stamps_[known.name] = stamp;
  return true;
}

std::optional<CachedNode> NodeCache::find(const FleetNode& node) const {
  const auto found = nodes_.find(node.name);
  if (found == nodes_.end()) return std::nullopt;
  const CachedNode& known = found->second;
  const bool all_hold = std::ranges::all_of(
      known.reads, [&](uint32_t number) { return holds_[number] || of_node_.contains(number); });
  if (!all_hold || !facts_hold(known, node)) return std::nullopt;
  return known;
}

std::vector<Read> NodeCache::exports_read(const CachedNode& node) const {
  std::vector<Read> found;
  for (const uint32_t number : node.reads) {
    const auto read = of_node_.find(number);
    if (read != of_node_.end() && read->second.kind == ReadKind::kExports) {
      found.push_back(read->second);
    }
  }
  return found;
}

std::string NodeCache::catalog_path(const std::string& node) const {
  return join_path(join_path(directory_, "catalogs"), safe_file_name(node, ".json"));
}

std::optional<std::string> NodeCache::catalog(const CachedNode& node) const {
  try {
    std::string text = read_own_file(catalog_path(node.name));
    if (read_digest(text) == node.catalog_digest) return text;
  } catch (const FileError&) {
    // The file was removed, so the node is compiled again.
  }
  return std::nullopt;
}

void NodeCache::keep(CachedNode node, const std::string& catalog) {
  node.catalog_digest = read_digest(catalog);
  write_file(catalog_path(node.name), catalog, kSecretCacheFile);
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(node));
}

std::vector<std::string> NodeCache::save() {
  const bool is_changed = !is_usable_ || !kept_.empty() || !fresh_stamps_.empty();
  for (const auto& [name, stamp] : fresh_stamps_) nodes_[name].facts_stamp = stamp;
  for (CachedNode& node : kept_) nodes_[node.name] = std::move(node);
  kept_.clear();
  if (!is_changed) return {};

  Stamps stamps;
  const std::set<std::string> changed = forget_changed(stamps);
  write_index(stamps);
  return {changed.begin(), changed.end()};
}

std::vector<bool> NodeCache::used_reads() const {
  std::vector<bool> is_used(table_.reads().size(), false);
  for (const auto& [name, node] : nodes_) {
    for (const uint32_t number : node.reads) is_used[number] = true;
  }
  return is_used;
}

// Checks all reads of the remaining nodes again: a file that changed after it was read would
// otherwise look unchanged later.
std::set<std::string> NodeCache::forget_changed(Stamps& stamps) {
  const std::vector<Read>& reads = table_.reads();
  const std::vector<bool> is_used = used_reads();
  ReadChecker checker;
  std::vector<bool> is_stale(reads.size(), false);
  std::set<std::string> changed;
  std::vector<std::string> doubted;
  for (size_t i = 0; i < reads.size(); ++i) {
    const Read& read = reads[i];
    if (!is_used[i] || is_of_node(read.kind)) continue;
    const bool was_checked = i < holds_.size();
    if (was_checked && !holds_[i]) {
      // Only nodes outside of this run have this read.
      doubted.push_back(read.subject);
      continue;
    }
    if (reads_contents(read.kind)) {
      const auto [stamp, is_new] = stamps.try_emplace(read.subject);
      if (is_new) {
        stamp->second = cached_stamp(read.subject);
        // Unchanged since an earlier run checked it.
        if (was_checked && is_untouched(read.subject, stamp->second.stamp)) continue;
      }
    }
    if (checker.holds(read)) continue;
    is_stale[i] = true;
    changed.insert(read.subject);
  }
  // Although such a file is unchanged, its stamp belongs to the last content read and not to those
  // nodes' reads.
  for (const std::string& path : doubted) {
    if (const auto stamp = stamps.find(path); stamp != stamps.end()) stamp->second.is_safe = false;
  }
  std::erase_if(nodes_, [&](const auto& entry) {
    const std::vector<uint32_t>& numbers = entry.second.reads;
    return std::any_of(numbers.begin(), numbers.end(),
                       [&](uint32_t number) { return is_stale[number]; });
  });
  return changed;
}

void NodeCache::write_index(const Stamps& stamps) const {
  const std::vector<Read>& reads = table_.reads();
  const std::vector<bool> is_used = used_reads();
  std::vector<uint32_t> renumbered(reads.size(), 0);
  Writer out;
  out.text(key_);
  out.number(static_cast<uint64_t>(std::count(is_used.begin(), is_used.end(), true)));
  uint32_t next = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    if (!is_used[i]) continue;
    renumbered[i] = next++;
    out.number(static_cast<uint64_t>(reads[i].kind));
    out.text(reads[i].subject);
    out.text(reads[i].key);
    out.text(reads[i].answer);
  }
  out.number(stamps.size());
  for (const auto& [path, stamp] : stamps) {
    out.text(path);
    out.stamp(stamp);
  }
  out.number(nodes_.size());
  for (const auto& [name, node] : nodes_) write(out, node, renumbered);
  Writer digest;
  digest.text(read_digest(out.result()));
  FileWriter file(join_path(directory_, "index"), kSecretCacheFile);
  file.write(kFormat);
  file.write(digest.result());
  file.write(out.result());
  file.commit();
}

}  // namespace bunraku
