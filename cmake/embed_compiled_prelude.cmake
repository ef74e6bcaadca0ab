# cmake -DFILE=... -DOUTPUT=... -P embed_compiled_prelude.cmake: writes a C++ source with a file's bytes as the result
# of compiled_prelude() in ruby/worker/prelude.h.
file(SHA256 ${FILE} DIGEST)
file(WRITE ${OUTPUT} "#include \"ruby/worker/prelude.h\"

// ${DIGEST}
__asm__(R\"(
  .section .rodata
  .balign 16
bunraku_compiled_prelude_begin:
  .incbin \"${FILE}\"
bunraku_compiled_prelude_end:
  .byte 0
  .text
)\");

namespace bunraku {

extern const char compiled_prelude_begin[] asm(\"bunraku_compiled_prelude_begin\");
extern const char compiled_prelude_end[] asm(\"bunraku_compiled_prelude_end\");

std::string_view compiled_prelude() {
  return {compiled_prelude_begin, static_cast<size_t>(compiled_prelude_end - compiled_prelude_begin)};
}

}  // namespace bunraku
")
