# cmake -DDIRECTORY=... -DOUTPUT=... -P embed_prelude.cmake: writes the prelude's files as a C++ source.
file(GLOB_RECURSE FILES ${DIRECTORY}/*.rb)
list(SORT FILES)
set(ENTRIES "")
set(DIGESTS "")
foreach(FILE ${FILES})
  file(RELATIVE_PATH NAME ${DIRECTORY} ${FILE})
  file(READ ${FILE} TEXT)
  string(APPEND ENTRIES "    {\"${NAME}\", R\"__prelude__(${TEXT})__prelude__\"sv},\n")
  file(SHA256 ${FILE} FILE_DIGEST)
  string(APPEND DIGESTS "${NAME} ${FILE_DIGEST}\n")
endforeach()
string(SHA256 DIGEST "${DIGESTS}")
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

std::string_view prelude_digest() {
  return \"${DIGEST}\";
}

}  // namespace bunraku
")
