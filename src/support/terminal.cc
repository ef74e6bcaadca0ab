#include "support/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  std::lock_guard lock(mutex_);
  done_ += count;
  draw();
}

void ProgressBar::draw() {
  size_t percent = done_ >= total_ ? 100 : done_ * 100 / total_;
  if (percent == drawn_percent_) return;
  drawn_percent_ = percent;
  constexpr size_t kWidth = 30;
  size_t filled = percent * kWidth / 100;
  std::string bar(filled, '#');
  bar.append(kWidth - filled, '.');
  fmt::print(stderr, "\r{} [{}] {}/{}", label_, bar, done_, total_);
  std::fflush(stderr);
}

}  // namespace bunraku
