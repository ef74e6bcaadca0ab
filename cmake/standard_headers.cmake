# The headers of the standard library and of fmt that most sources include, parsed once per build instead of once per
# source, which takes a quarter of the build's time. Sources include what they use nevertheless; fuzzers are built without,
# so that a missing include is found.
option(BUNRAKU_PRECOMPILE "Precompile the headers of the standard library" ON)

if(BUNRAKU_PRECOMPILE)
  file(CONFIGURE OUTPUT standard_headers.cc CONTENT "")
  # With a precompiled std::string g++ 12 takes the moving of a short text for an access beyond it; clang and the
  # sanitizers find the real cases.
  add_compile_options("$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>")
  add_library(standard_headers OBJECT ${PROJECT_BINARY_DIR}/standard_headers.cc)
  target_link_libraries(standard_headers PRIVATE fmt_headers Threads::Threads)
  target_precompile_headers(standard_headers PRIVATE
    <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring> <functional> <map> <memory> <mutex> <optional>
    <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
endif()

# uses_standard_headers(TARGET)
function(uses_standard_headers TARGET)
  if(BUNRAKU_PRECOMPILE)
    target_precompile_headers(${TARGET} REUSE_FROM standard_headers)
  endif()
endfunction()
