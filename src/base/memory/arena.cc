#include "base/memory/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/system/limits.h"

namespace bunraku {

struct Arena::Page {
  Page* previous;
};

namespace {
constexpr size_t kFirstPage = size_t{4} << 10;
constexpr size_t kLargestPage = size_t{1} << 20;
// From kManyPages on an arena uses huge pages, because a page fault for each 4 KiB costs more than
// the parsing itself.
constexpr size_t kManyPages = size_t{1} << 20;
constexpr size_t kPageOfMany = size_t{2} << 20;
constexpr size_t kHugePage = size_t{2} << 20;

// The maximum size of one arena: one that holds most of the machine's memory would soon take all of
// it.
size_t largest_arena() {
  constexpr size_t kLargest = size_t{8} << 30;
  static const size_t memory =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min(kLargest, memory / 4 * 3);
}

void* allocate_page(size_t size) {
  void* page = nullptr;
  if (size < kPageOfMany) {
    page = std::malloc(size);
  } else {
    page = std::aligned_alloc(kHugePage, (size + kHugePage - 1) & ~(kHugePage - 1));
    if (page != nullptr) madvise(page, size, MADV_HUGEPAGE);  // only advice, which may be rejected
  }
  if (page == nullptr) throw std::bad_alloc();
  return page;
}
}  // namespace

Arena::~Arena() {
  if (WorkLimits* limits = WorkLimits::current()) limits->give_back(bytes_reserved_);
  while (pages_ != nullptr) {
    Page* previous = pages_->previous;
    std::free(pages_);
    pages_ = previous;
  }
}

void* Arena::allocate_slowly(size_t bytes, size_t alignment) {
  constexpr size_t kHeader = 16;
  static_assert(sizeof(Page) <= kHeader);
  // Page sizes double, so that small arenas stay small and large ones rarely ask the system. They
  // include the header, because the allocator has blocks of these sizes.
  const size_t page_size = bytes_reserved_ < kManyPages
                               ? std::clamp(bytes_reserved_, kFirstPage, kLargestPage)
                               : kPageOfMany;
  const bool is_large = bytes + alignment > page_size / 4;
  const size_t size = is_large ? kHeader + bytes + alignment : page_size;
  if (bytes_reserved_ + size > largest_arena()) throw std::bad_alloc();
  if (WorkLimits* limits = WorkLimits::current()) limits->take(size);
  auto* page = static_cast<Page*>(allocate_page(size));
  page->previous = pages_;
  pages_ = page;
  bytes_reserved_ += size;
  const uintptr_t start = reinterpret_cast<uintptr_t>(page) + kHeader;
  const uintptr_t aligned = (start + alignment - 1) & ~(uintptr_t{alignment} - 1);
  // A large block gets its own page; the current page is used further.
  if (!is_large) {
    next_ = aligned + bytes;
    end_ = reinterpret_cast<uintptr_t>(page) + size;
  }
  return reinterpret_cast<void*>(aligned);
}

}  // namespace bunraku
