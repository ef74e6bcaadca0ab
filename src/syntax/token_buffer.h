// The tokens of a file. Like a vector, but adding one is only a comparison and a few stores,
// because the lexer spends much of its time there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "syntax/token.h"

namespace bunraku {

class TokenBuffer {
 public:
  size_t size() const { return static_cast<size_t>(end_ - begin_.get()); }
  Token* data() { return begin_.get(); }
  const Token* begin() const { return begin_.get(); }
  const Token* end() const { return end_; }
  Token& operator[](size_t i) { return begin_.get()[i]; }
  Token& back() { return end_[-1]; }

  void push_back(const Token& token) {
    if (end_ == limit_) grow();
    *end_++ = token;
  }
  void pop_back() { --end_; }
  void clear() { end_ = begin_.get(); }
  // Removes all tokens from `size` on.
  void truncate(size_t size) { end_ = begin_.get() + size; }
  // Removes the tokens from `first` up to `last`.
  void erase(size_t first, size_t last) {
    end_ = std::move(begin_.get() + last, end_, begin_.get() + first);
  }

 private:
  struct Free {
    void operator()(Token* tokens) const { std::free(tokens); }
  };

  [[gnu::noinline]] void grow() {
    size_t size = this->size();
    size_t capacity = std::max<size_t>(1024, size * 2);
    auto* larger = static_cast<Token*>(std::realloc(begin_.get(), capacity * sizeof(Token)));
    if (larger == nullptr) throw std::bad_alloc();
    static_cast<void>(begin_.release());
    begin_.reset(larger);
    end_ = larger + size;
    limit_ = larger + capacity;
  }

  std::unique_ptr<Token, Free> begin_;
  Token* end_ = nullptr;
  Token* limit_ = nullptr;
};

}  // namespace bunraku
