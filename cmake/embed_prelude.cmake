# cmake -DDIRECTORY=... -DOUTPUT=... -P embed_prelude.cmake: writes the prelude's files as a C++ source.
file(GLOB_RECURSE FILES ${DIRECTORY}/*.rb)
list(SORT FILES)
set(ENTRIES "")
foreach(FILE ${FILES})
  file(RELATIVE_PATH NAME ${DIRECTORY} ${FILE})
  file(READ ${FILE} TEXT)
  string(APPEND ENTRIES "    {\"${NAME}\", R\"__prelude__(${TEXT})__prelude__\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"ruby/worker/prelude.h\"

namespace bunraku {
namespace {
using namespace std::string_view_literals; // their lengths need not be counted

constexpr PreludeFile kFiles[] = {
${ENTRIES}};
}  // namespace

std::span<const PreludeFile> prelude_files() {
  return kFiles;
}

}  // namespace bunraku
")
