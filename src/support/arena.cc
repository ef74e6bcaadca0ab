#include "support/arena.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace bunraku {

struct Arena::Page {
  Page* previous;
};

namespace {
constexpr size_t kFirstPage = size_t{16} << 10;
constexpr size_t kLargestPage = size_t{1} << 20;
}  // namespace

Arena::~Arena() {
  while (pages_ != nullptr) {
    Page* previous = pages_->previous;
    std::free(pages_);
    pages_ = previous;
  }
}

void* Arena::allocate_slowly(size_t bytes, size_t alignment) {
  constexpr size_t kHeader = 16;
  static_assert(sizeof(Page) <= kHeader);
  // Pages double, so that small arenas stay small and large ones ask the system seldom.
  size_t page_size = std::clamp(bytes_reserved_, kFirstPage, kLargestPage);
  bool is_large = bytes + alignment > page_size / 4;
  size_t size = kHeader + (is_large ? bytes + alignment : page_size);
  auto* page = static_cast<Page*>(std::malloc(size));
  if (page == nullptr) throw std::bad_alloc();
  page->previous = pages_;
  pages_ = page;
  bytes_reserved_ += size;
  uintptr_t start = reinterpret_cast<uintptr_t>(page) + kHeader;
  uintptr_t aligned = (start + alignment - 1) & ~(uintptr_t{alignment} - 1);
  // A large block gets a page of its own, and the page in use goes on being filled.
  if (!is_large) {
    next_ = aligned + bytes;
    end_ = reinterpret_cast<uintptr_t>(page) + size;
  }
  return reinterpret_cast<void*>(aligned);
}

}  // namespace bunraku
