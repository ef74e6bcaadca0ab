# Compiler flags, and tools that speed up builds where they are installed.

add_compile_options(-Wall -Wextra -Wpedantic)
# When optimising, g++ 12 reports the reference count of a temporary that was never made as
# uninitialized; sanitizers and clang find the real cases.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# The standard library's own sort takes a buffer in a way that C++17 deprecates, and embedded texts
# are longer than any compiler must accept.
add_compile_options("$<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations;-Wno-overlength-strings>")
if(BUNRAKU_WERROR)
  add_compile_options(-Werror)
endif()

if(BUNRAKU_SANITIZE)
  add_compile_options(-fsanitize=${BUNRAKU_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # With the thread sanitizer g++ 12 confuses an array that is passed to poll() with its first
  # element.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # The network library uses memory fences, which this sanitizer does not support and g++ warns about; locks
  # protect the same data.
  if(BUNRAKU_SANITIZE STREQUAL "thread")
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  add_link_options(-fsanitize=${BUNRAKU_SANITIZE})
endif()

find_program(BUNRAKU_CCACHE ccache)
if(BUNRAKU_CCACHE)
  # ccache caches sources with precompiled headers only if it may ignore the macros defined in these, and __TIME__.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${BUNRAKU_CCACHE})
endif()

find_program(BUNRAKU_MOLD mold)
find_program(BUNRAKU_LLD ld.lld)
if(BUNRAKU_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(BUNRAKU_LLD)
  add_link_options(-fuse-ld=lld)
endif()
if(BUNRAKU_MOLD OR BUNRAKU_LLD)
  # Code for errors and for the start is kept apart from the rest, as other linkers do anyway: fewer pages are touched.
  add_link_options(-Wl,-z,keep-text-section-prefix)
endif()
