# room(NAME USES libs...) makes the static library bunraku_NAME from src/NAME. Headers are included
# as "NAME/header.h".
#
# Include paths are how the layering is enforced: a room sees its own headers and those of the rooms
# it uses through a tree of links in the build folder, and nothing else of src/.
function(room NAME)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${NAME}/*.cc)
  if(NOT SOURCES)
    add_library(bunraku_${NAME} INTERFACE)
    set(VISIBILITY INTERFACE)
  else()
    add_library(bunraku_${NAME} STATIC ${SOURCES})
    set(VISIBILITY PUBLIC)
  endif()
  set(VIEW ${PROJECT_BINARY_DIR}/include/${NAME})
  file(MAKE_DIRECTORY ${VIEW})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${NAME} ${VIEW}/${NAME} SYMBOLIC)
  target_include_directories(bunraku_${NAME} ${VISIBILITY} ${VIEW})
  target_link_libraries(bunraku_${NAME} ${VISIBILITY} ${ROOM_USES})
endfunction()

# embed_prelude(NAME) adds src/NAME/prelude/*.rb to the room NAME as text (see ruby/prelude.h).
function(embed_prelude NAME)
  set(FOLDER ${PROJECT_SOURCE_DIR}/src/${NAME}/prelude)
  set(OUTPUT ${PROJECT_BINARY_DIR}/${NAME}_prelude.cc)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/embed_prelude.cmake)
  file(GLOB FILES CONFIGURE_DEPENDS ${FOLDER}/*.rb)
  add_custom_command(
    OUTPUT ${OUTPUT}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${FOLDER} -DOUTPUT=${OUTPUT} -P ${SCRIPT}
    DEPENDS ${FILES} ${SCRIPT})
  target_sources(bunraku_${NAME} PRIVATE ${OUTPUT})
endfunction()

# program(NAME FOLDER folder USES libs...) makes the executable build/<preset>/NAME from src/folder.
# Everything but main.cc goes into a library, so that unit tests can reach it.
function(program NAME)
  cmake_parse_arguments(PROGRAM "" "FOLDER" "USES" ${ARGN})
  file(GLOB_RECURSE SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${PROGRAM_FOLDER}/*.cc)
  list(FILTER SOURCES EXCLUDE REGEX "/main\\.cc$")
  set(VIEW ${PROJECT_BINARY_DIR}/include/${PROGRAM_FOLDER})
  file(MAKE_DIRECTORY ${VIEW})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${PROGRAM_FOLDER} ${VIEW}/${PROGRAM_FOLDER} SYMBOLIC)
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
