// Input: any bytes as a manifest. It is parsed, validated and printed in every form.
#include "fuzz/syntax_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bunraku::fuzz::process({reinterpret_cast<const char*>(data), size},
                         bunraku::SourceForm::kManifest);
  return 0;
}
