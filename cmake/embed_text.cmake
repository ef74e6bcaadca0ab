# cmake -DFILE=... -DOUTPUT=... -DHEADER=... -DFUNCTION=... -P embed_text.cmake: writes a file's text as a C++ source that
# defines `std::string_view bunraku::FUNCTION()`, which HEADER declares.
file(READ ${FILE} TEXT)
# The standard limits the size of a literal, and the text must not contain the terminator of one.
string(LENGTH "${TEXT}" LENGTH)
set(PIECES "")
set(AT 0)
while(AT LESS LENGTH)
  string(SUBSTRING "${TEXT}" ${AT} 16000 PIECE)
  string(APPEND PIECES "\n    R\"__text__(${PIECE})__text__\"")
  math(EXPR AT "${AT} + 16000")
endwhile()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace bunraku {

std::string_view ${FUNCTION}() {
  return ${PIECES};
}

}  // namespace bunraku
")
