# room(PATH USES rooms... [LIBRARIES libs...] FACE headers...), in src/PATH/room.cmake, makes the static
# library bunraku_PATH (its slashes as underscores) from src/PATH. Headers are included as
# "PATH/header.h".
#
# USES lists every room that the sources include, FACE every header that other rooms may include. A
# room finds only its own headers and those of the rooms in USES, through a tree of links in the
# build directory; rooms_are_checked() checks the rest.
function(room ROOM_PATH)
  cmake_parse_arguments(ROOM "" "" "USES;LIBRARIES;FACE" ${ARGN})
  string(REPLACE "/" "_" NAME ${ROOM_PATH})
  list(TRANSFORM ROOM_USES REPLACE "/" "_")
  list(TRANSFORM ROOM_USES PREPEND bunraku_)
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${ROOM_PATH}/*.cc)
  if(NOT SOURCES)
    add_library(bunraku_${NAME} INTERFACE)
    set(VISIBILITY INTERFACE)
  else()
    units(${NAME} UNITS ${SOURCES})
    add_library(bunraku_${NAME} STATIC ${UNITS})
    uses_standard_headers(bunraku_${NAME})
    set(VISIBILITY PUBLIC)
  endif()
  room_view(${NAME} ${ROOM_PATH})
  target_include_directories(bunraku_${NAME} ${VISIBILITY} ${PROJECT_BINARY_DIR}/include/${NAME})
  target_link_libraries(bunraku_${NAME} ${VISIBILITY} ${ROOM_USES} ${ROOM_LIBRARIES})
endfunction()

# rooms_are_checked() makes the build fail when a file includes a header that is not in its room's
# USES or in the other room's FACE, and when a list contains an unneeded name.
function(rooms_are_checked)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cc ${PROJECT_SOURCE_DIR}/src/*.h
       ${PROJECT_SOURCE_DIR}/src/*.inc ${PROJECT_SOURCE_DIR}/src/*/room.cmake)
  set(STAMP ${PROJECT_BINARY_DIR}/rooms.checked)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/check_rooms.cmake)
  add_custom_command(
    OUTPUT ${STAMP}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -P ${SCRIPT}
    COMMAND ${CMAKE_COMMAND} -E touch ${STAMP}
    DEPENDS ${FILES} ${SCRIPT}
    COMMENT "Checking what the rooms include")
  add_custom_target(rooms ALL DEPENDS ${STAMP})
endfunction()

# room_view(NAME PATH): the directory of links in which a room's headers are found.
function(room_view NAME ROOM_PATH)
  set(LINK ${PROJECT_BINARY_DIR}/include/${NAME}/${ROOM_PATH})
  get_filename_component(PARENT ${LINK} DIRECTORY)
  file(MAKE_DIRECTORY ${PARENT})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${ROOM_PATH} ${LINK} SYMBOLIC)
endfunction()

# embed_prelude(LIBRARY) adds src/ruby/prelude/**/*.rb to LIBRARY as text (see ruby/worker/prelude.h).
function(embed_prelude LIBRARY)
  set(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ruby/prelude)
  set(OUTPUT ${PROJECT_BINARY_DIR}/ruby_prelude.cc)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/embed_prelude.cmake)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${DIRECTORY}/*.rb)
  add_custom_command(
    OUTPUT ${OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${DIRECTORY} -DOUTPUT=${OUTPUT} -P ${SCRIPT}
    DEPENDS ${FILES} ${SCRIPT})
  target_sources(${LIBRARY} PRIVATE ${OUTPUT})

  # The prelude as compiled by this machine's Ruby; empty without Ruby.
  set(COMPILED ${PROJECT_BINARY_DIR}/ruby_prelude.compiled)
  set(COMPILER ${PROJECT_SOURCE_DIR}/cmake/compile_prelude.rb)
  find_program(RUBY_PROGRAM ruby)
  if(RUBY_PROGRAM)
    add_custom_command(
      OUTPUT ${COMPILED}
      COMMAND ${RUBY_PROGRAM} --disable=gems ${COMPILER} ${DIRECTORY} ${COMPILED}
      DEPENDS ${FILES} ${COMPILER})
  else()
    file(WRITE ${COMPILED} "")
  endif()
  set(BYTES ${PROJECT_BINARY_DIR}/ruby_prelude_compiled.cc)
  add_custom_command(
    OUTPUT ${BYTES}
    COMMAND ${CMAKE_COMMAND} -DFILE=${COMPILED} -DOUTPUT=${BYTES} -P
            ${PROJECT_SOURCE_DIR}/cmake/embed_compiled_prelude.cmake
    DEPENDS ${COMPILED} ${PROJECT_SOURCE_DIR}/cmake/embed_compiled_prelude.cmake)
  target_sources(${LIBRARY} PRIVATE ${BYTES})
endfunction()

# embed_text(LIBRARY FILE path HEADER header FUNCTION name) adds a file's text to LIBRARY as the
# result of `std::string_view name()`, declared in the header.
function(embed_text LIBRARY)
  cmake_parse_arguments(TEXT "" "FILE;HEADER;FUNCTION" "" ${ARGN})
  set(OUTPUT ${PROJECT_BINARY_DIR}/${TEXT_FUNCTION}.cc)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake)
  add_custom_command(
    OUTPUT ${OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DFILE=${PROJECT_SOURCE_DIR}/${TEXT_FILE} -DOUTPUT=${OUTPUT}
            -DHEADER=${TEXT_HEADER} -DFUNCTION=${TEXT_FUNCTION} -P ${SCRIPT}
    DEPENDS ${PROJECT_SOURCE_DIR}/${TEXT_FILE} ${SCRIPT})
  target_sources(${LIBRARY} PRIVATE ${OUTPUT})
endfunction()

# program(NAME PATH path USES rooms... [LIBRARIES libs...]), in src/PATH/room.cmake, makes the
# executable build/<preset>/NAME from src/PATH. Everything except main.cc becomes a library, so that
# unit tests can use it.
function(program NAME)
  cmake_parse_arguments(PROGRAM "" "PATH" "USES;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" LIBRARY bunraku_${PROGRAM_PATH})
  list(TRANSFORM PROGRAM_USES REPLACE "/" "_")
  list(TRANSFORM PROGRAM_USES PREPEND bunraku_)
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${PROGRAM_PATH}/*.cc)
  list(FILTER SOURCES EXCLUDE REGEX "/main\\.cc$")
  room_view(${PROGRAM_PATH} ${PROGRAM_PATH})
  units(${PROGRAM_PATH} UNITS ${SOURCES})
  add_library(${LIBRARY} STATIC ${UNITS})
  uses_standard_headers(${LIBRARY})
  target_include_directories(${LIBRARY} PUBLIC ${PROJECT_BINARY_DIR}/include/${PROGRAM_PATH})
  target_link_libraries(${LIBRARY} PUBLIC ${PROGRAM_USES} ${PROGRAM_LIBRARIES})
  add_executable(${NAME} ${PROJECT_SOURCE_DIR}/src/${PROGRAM_PATH}/main.cc)
  target_link_libraries(${NAME} PRIVATE ${LIBRARY} allocator)
  # No shared library of the program is written in C++, and relocating the C++ library takes longer than the rest of the
  # start. The unwinder stays shared: exceptions pass through frames of the C library (call_once), which loads it for them.
  if(NOT BUNRAKU_SANITIZE)
    target_link_options(${NAME} PRIVATE -static-libstdc++)
  endif()
  add_dependencies(${NAME} rooms)
endfunction()
