#include "base/system/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text/counts.h"

namespace bunraku {

bool use_color(ColorChoice choice, int descriptor) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  if (isatty(descriptor) == 0) return false;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::strcmp(terminal, "dumb") != 0;
}

uint32_t terminal_width(int descriptor) {
  constexpr uint32_t kOtherwise = 100;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kOtherwise;
  return size.ws_col;
}

ProgressBar::ProgressBar(std::string label, size_t total)
    : label_(std::move(label)),
      total_(total),
      is_visible_(total > 0 && isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (is_visible_ && done_ > 0) std::fputs("\r\033[K", stderr);
}

void ProgressBar::advance(size_t count) {
  if (!is_visible_) return;
  const std::lock_guard lock(mutex_);
  done_ += count;
  // Frequent enough for the eye.
  const Clock::time_point now = Clock::now();
  if (done_ < total_ && now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  draw(now);
}

void ProgressBar::draw(Clock::time_point now) {
  constexpr size_t kWidth = 30;
  const size_t filled = done_ >= total_ ? kWidth : done_ * kWidth / total_;
  std::string bar(filled, '#');
  bar.append(kWidth - filled, '.');
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string pace;
  if (rate > 0 && done_ <= total_) {
    const int64_t left = std::llround(static_cast<double>(total_ - done_) / rate);
    pace = fmt::format("  {:.0f}/s  {}:{:02} left", rate, left / 60, left % 60);
  }
  fmt::print(stderr, "\r{} [{}] {}/{}{}\033[K", label_, bar, count_text(done_), count_text(total_),
             pace);
  std::fflush(stderr);
}

}  // namespace bunraku
