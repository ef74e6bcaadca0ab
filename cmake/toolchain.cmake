# Compiler flags, and the tools that make builds quick where they are installed.

add_compile_options(-Wall -Wextra -Wpedantic)
# g++ 12 takes the reference count of a temporary that was never made for an uninitialized one, as
# soon as it optimises; sanitizers and clang find the real ones.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
if(BUNRAKU_WERROR)
  add_compile_options(-Werror)
endif()

if(BUNRAKU_SANITIZE)
  add_compile_options(-fsanitize=${BUNRAKU_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # With the thread sanitizer g++ 12 takes an array that is passed to poll() for its first element.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  # The network library uses memory fences, which this sanitizer does not understand and g++ warns of; locks
  # protect the same data.
  if(BUNRAKU_SANITIZE STREQUAL "thread")
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
  add_link_options(-fsanitize=${BUNRAKU_SANITIZE})
endif()

find_program(BUNRAKU_CCACHE ccache)
if(BUNRAKU_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${BUNRAKU_CCACHE})
endif()

find_program(BUNRAKU_MOLD mold)
find_program(BUNRAKU_LLD ld.lld)
if(BUNRAKU_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(BUNRAKU_LLD)
  add_link_options(-fuse-ld=lld)
endif()
