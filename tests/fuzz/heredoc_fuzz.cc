// Input: any bytes as the text of a heredoc. The first bytes choose its tag: whether it
// interpolates, its syntax, its escapes, its margin and its end.
#include "fuzz/syntax_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  static const char* const kSyntaxes[] = {"",     ":json",   ":base64", ":pp",
                                          ":epp", ":x+json", ":none",   ":pp"};
  static const char* const kEscapes[] = {"", "/", "/t", "/L", "/$", "/nr", "/su", "/L$u"};
  static const char* const kEnds[] = {"", "| ", "- ", "|- ", "  | ", "\t|-", "  -", "  "};
  std::string text = "$a = ";
  text += (data[0] & 1) != 0 ? "@(\"END\"" : "@(END";
  text += kSyntaxes[(data[0] >> 1) & 7];
  text += kEscapes[data[1] & 7];
  text += ")\n";
  text.append(reinterpret_cast<const char*>(data) + 3, size - 3);
  text += '\n';
  text += kEnds[data[2] & 7];
  text += "END\n";
  bunraku::fuzz::process(text, bunraku::SourceForm::kManifest);
  return 0;
}
