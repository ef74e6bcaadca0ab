// The terminal: its presence and width, and a progress bar for long work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace bunraku {

enum class ColorChoice : uint8_t { kAuto, kAlways, kNever };

// Returns whether a stream (1 standard output, 2 standard error) is coloured: with kAuto only on a
// terminal, and not when the environment has NO_COLOR or TERM=dumb.
bool use_color(ColorChoice choice, int descriptor);

// The width of the terminal on `descriptor` in columns; 100 when there is none.
uint32_t terminal_width(int descriptor);

// A line on standard error with the progress of work, its speed, and the time left. Shown only on a
// terminal. Any thread may advance it.
class ProgressBar {
 public:
  ProgressBar(std::string label, size_t total);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();  // erases the line
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
