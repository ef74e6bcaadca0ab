# room(PATH USES libs...) makes the static library bunraku_PATH (its slashes as underscores) from
# src/PATH. Headers are included as "PATH/header.h".
#
# Include paths are how the layering is enforced: a room sees its own headers and those of the rooms
# it uses through a tree of links in the build directory, and nothing else of src/.
function(room ROOM_PATH)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  string(REPLACE "/" "_" NAME ${ROOM_PATH})
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${ROOM_PATH}/*.cc)
  if(NOT SOURCES)
    add_library(bunraku_${NAME} INTERFACE)
    set(VISIBILITY INTERFACE)
  else()
    add_library(bunraku_${NAME} STATIC ${SOURCES})
    set(VISIBILITY PUBLIC)
  endif()
  room_view(${NAME} ${ROOM_PATH})
  target_include_directories(bunraku_${NAME} ${VISIBILITY} ${PROJECT_BINARY_DIR}/include/${NAME})
  target_link_libraries(bunraku_${NAME} ${VISIBILITY} ${ROOM_USES})
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
  set(FOLDER ${PROJECT_SOURCE_DIR}/src/ruby/prelude)
  set(OUTPUT ${PROJECT_BINARY_DIR}/ruby_prelude.cc)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/embed_prelude.cmake)
  file(GLOB_RECURSE FILES CONFIGURE_DEPENDS ${FOLDER}/*.rb)
  add_custom_command(
    OUTPUT ${OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${FOLDER} -DOUTPUT=${OUTPUT} -P ${SCRIPT}
    DEPENDS ${FILES} ${SCRIPT})
  target_sources(${LIBRARY} PRIVATE ${OUTPUT})
endfunction()

# embed_text(LIBRARY FILE path HEADER header FUNCTION name) adds a file's text to LIBRARY as what
# `std::string_view name()`, declared in the header, returns.
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

# program(NAME FOLDER folder USES libs...) makes the executable build/<preset>/NAME from src/folder.
# Everything but main.cc goes into a library, so that unit tests can reach it.
function(program NAME)
  cmake_parse_arguments(PROGRAM "" "FOLDER" "USES" ${ARGN})
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${PROGRAM_FOLDER}/*.cc)
  list(FILTER SOURCES EXCLUDE REGEX "/main\\.cc$")
  room_view(${PROGRAM_FOLDER} ${PROGRAM_FOLDER})
  set(VIEW ${PROJECT_BINARY_DIR}/include/${PROGRAM_FOLDER})
  set(LIBRARY bunraku_${PROGRAM_FOLDER})
  if(SOURCES)
    add_library(${LIBRARY} STATIC ${SOURCES})
    target_include_directories(${LIBRARY} PUBLIC ${VIEW})
    target_link_libraries(${LIBRARY} PUBLIC ${PROGRAM_USES})
  else()
    add_library(${LIBRARY} INTERFACE)
    target_include_directories(${LIBRARY} INTERFACE ${VIEW})
    target_link_libraries(${LIBRARY} INTERFACE ${PROGRAM_USES})
  endif()
  add_executable(${NAME} ${PROJECT_SOURCE_DIR}/src/${PROGRAM_FOLDER}/main.cc)
  target_link_libraries(${NAME} PRIVATE ${LIBRARY} allocator)
endfunction()
