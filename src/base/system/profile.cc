#include "base/system/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "base/formats/json.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// Each takes about a hundred bytes.
constexpr size_t kMostSpans = 1'000'000;

thread_local ProfileSpan* innermost = nullptr;

double milliseconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e6;
}

}  // namespace

std::string_view name_of(WorkKind kind) {
  constexpr std::string_view kNames[] = {"node",   "file",     "resource", "function",
                                         "lookup", "template", "ruby"};
  return kNames[static_cast<size_t>(kind)];
}

Profile::Profile() {
  current_.store(this);
}

Profile::~Profile() {
  current_.store(nullptr);
}

void Profile::add(WorkKind kind, std::string_view name, Clock::time_point begin, int64_t duration,
                  int64_t own, bool is_outermost) {
  const uint64_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  const std::lock_guard lock(mutex_);
  const auto number =
      threads_.try_emplace(thread, static_cast<uint32_t>(threads_.size() + 1)).first->second;
  Sum& sum = sums_[{kind, std::string(name)}];
  ++sum.count;
  sum.own += own;
  if (is_outermost) sum.total += duration;
  if (spans_.size() == kMostSpans) {
    ++dropped_;
    return;
  }
  const int64_t since =
      std::chrono::duration_cast<std::chrono::nanoseconds>(begin - begun_).count();
  spans_.push_back({kind, std::string(name), since, duration, number});
}

std::string Profile::trace() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("traceEvents");
  json.begin_array();
  for (const Span& span : spans_) {
    json.begin_object();
    json.member("name", replace_invalid_utf8(span.name));
    json.member("cat", name_of(span.kind));
    json.member("ph", "X");
    json.key("ts");
    json.number(static_cast<double>(span.begin) / 1000);
    json.key("dur");
    json.number(static_cast<double>(span.duration) / 1000);
    json.member("pid", int64_t{1});
    json.member("tid", int64_t{span.thread});
    json.end_object();
  }
  json.end_array();
  json.member("displayTimeUnit", "ms");
  json.member("droppedSpans", static_cast<int64_t>(dropped_));
  json.end_object();
  return text + "\n";
}

std::string Profile::table(size_t rows) const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (uint8_t number = 0; number <= static_cast<uint8_t>(WorkKind::kRuby); ++number) {
    const auto kind = static_cast<WorkKind>(number);
    std::vector<std::pair<const std::string*, const Sum*>> all;
    for (const auto& [key, sum] : sums_) {
      if (key.first == kind) all.emplace_back(&key.second, &sum);
    }
    if (all.empty()) continue;
    std::ranges::stable_sort(
        all, [](const auto& a, const auto& b) { return a.second->own > b.second->own; });
    text += fmt::format("{:>10} {:>10} {:>9}  {}\n", "own ms", "total ms", "times", name_of(kind));
    for (size_t i = 0; i < all.size() && i < rows; ++i) {
      const auto& [name, sum] = all[i];
      text += fmt::format("{:>10.2f} {:>10.2f} {:>9}  {}\n", milliseconds(sum->own),
                          milliseconds(sum->total), sum->count, *name);
    }
    if (all.size() > rows) text += fmt::format("{:>31}  … {} more\n", "", all.size() - rows);
  }
  return text;
}

void ProfileSpan::begin(WorkKind kind, std::string_view name) {
  is_begun_ = true;
  kind_ = kind;
  name_ = name;
  outer_ = innermost;
  innermost = this;
  begin_ = Profile::Clock::now();
}

void ProfileSpan::end() {
  const auto duration =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Profile::Clock::now() - begin_).count();
  innermost = outer_;
  if (outer_ != nullptr) outer_->inner_ += duration;
  bool is_outermost = true;
  for (const ProfileSpan* span = outer_; span != nullptr; span = span->outer_) {
    is_outermost = is_outermost && !(span->kind_ == kind_ && span->name_ == name_);
  }
  if (Profile* profile = Profile::current()) {
    profile->add(kind_, name_, begin_, duration, duration - inner_, is_outermost);
  }
}

}  // namespace bunraku
