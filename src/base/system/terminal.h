// The terminal: whether there is one, how wide it is, and a progress bar for long work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace bunraku {

enum class ColorChoice : uint8_t { kAuto, kAlways, kNever };

// Whether a stream (1 standard output, 2 standard error) is to be coloured: with kAuto only on a
// terminal, and not when the environment says NO_COLOR or TERM=dumb.
bool use_color(ColorChoice choice, int descriptor);

// The columns of the terminal behind `descriptor`; 100 when there is none.
uint32_t terminal_width(int descriptor);

// A line on standard error that shows how far work has come, how fast it goes, and when it will be
// done. Silent unless that is a terminal. Any thread may advance it.
class ProgressBar {
 public:
  ProgressBar(std::string label, size_t total);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();  // wipes the line
  void advance(size_t count = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  std::mutex mutex_;
  std::string label_;
  size_t total_;
  size_t done_ = 0;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point drawn_;
  bool is_visible_;
};

}  // namespace bunraku
