// A page arena for all objects of one file's tree or of one compilation, which are freed together
// with the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bunraku {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena();

  // Allocates `bytes` bytes, aligned to `alignment` (a power of two, at most 16). Never null; the
  // memory lives as long as the arena.
  void* allocate(size_t bytes, size_t alignment = alignof(void*)) {
    uintptr_t start = (next_ + alignment - 1) & ~(uintptr_t{alignment} - 1);
    if (start + bytes > end_) return allocate_slowly(bytes, alignment);
    next_ = start + bytes;
    return reinterpret_cast<void*>(start);
  }

  // Creates a T. Destructors never run, so T must not need one.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
  }

  // Memory for `count` Ts, not initialised.
  template <typename T>
  T* make_array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    return static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
  }

  // Returns a copy that lives as long as the arena.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* to = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }
  template <typename T>
  std::span<T> copy(std::span<const T> items) {
    if (items.empty()) return {};
    T* to = make_array<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), to);
    return {to, items.size()};
  }

  // The bytes taken from the system so far.
  size_t bytes_reserved() const { return bytes_reserved_; }
  // The same without the unused rest of the current page.
  size_t bytes_used() const { return bytes_reserved_ - (end_ - next_); }

 private:
  struct Page;
  void* allocate_slowly(size_t bytes, size_t alignment);
  void swap(Arena& other) noexcept {
    std::swap(next_, other.next_);
    std::swap(end_, other.end_);
    std::swap(pages_, other.pages_);
    std::swap(bytes_reserved_, other.bytes_reserved_);
  }

  uintptr_t next_ = 0;
  uintptr_t end_ = 0;
  Page* pages_ = nullptr;
  size_t bytes_reserved_ = 0;
};

}  // namespace bunraku
