// How fast files are lexed, parsed and validated: bytes, tokens and tree sizes.
//
//   syntax_bench [--seconds N] FOLDER...
//
// Reads every .pp and .epp file below the folders first, then works through them again and again on
// one thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "syntax/lexer.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace {

using namespace bunraku;
using Clock = std::chrono::steady_clock;

struct Input {
  SourcePointer source;
  SourceForm form;
};

std::vector<Input> read_folder(const char* folder) {
  std::vector<Input> inputs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::string path = entry.path().string();
    bool is_template = path.ends_with(".epp");
    if (!is_template && !path.ends_with(".pp")) continue;
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    inputs.push_back({std::make_shared<SourceFile>(path, text.str()),
                      is_template ? SourceForm::kTemplate : SourceForm::kManifest});
  }
  return inputs;
}

// The processor time of this thread, in seconds: others on the machine do not count.
double thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Works through all inputs until the time is over; gives the best time of a round, in seconds.
template <typename Work>
double best_round(const std::vector<Input>& inputs, double seconds, Work work) {
  double best = 1e9;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    double begin = thread_time();
    for (const Input& input : inputs) work(input);
    best = std::min(best, thread_time() - begin);
  } while (Clock::now() < end);
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 3;
  std::vector<Input> inputs;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else {
      for (Input& input : read_folder(argv[i])) inputs.push_back(std::move(input));
    }
  }
  size_t bytes = 0;
  for (const Input& input : inputs) bytes += input.source->text().size();
  if (bytes == 0) {
    std::fprintf(stderr, "usage: syntax_bench [--seconds N] FOLDER...\n");
    return 2;
  }

  DiagnosticList diagnostics;
  TokenList tokens;
  size_t token_count = 0;
  double lexing = best_round(inputs, seconds, [&](const Input& input) {
    Arena arena;
    lex(input.source, {input.form, false}, arena, tokens, diagnostics);
    token_count += tokens.tokens.size();
  });
  double parsing = best_round(inputs, seconds, [&](const Input& input) {
    parse(input.source, {input.form, false}, diagnostics);
  });
  ValidationSettings settings;
  double validating = best_round(inputs, seconds, [&](const Input& input) {
    auto program = parse(input.source, {input.form, false}, diagnostics);
    validate(*program, settings, diagnostics);
  });
  size_t tree_bytes = 0;
  token_count = 0;
  for (const Input& input : inputs) {
    auto program = parse(input.source, {input.form, false}, diagnostics);
    tree_bytes += program->arena().bytes_used();
    Arena arena;
    lex(input.source, {input.form, false}, arena, tokens, diagnostics);
    token_count += tokens.tokens.size() - 1;
  }

  double megabytes = static_cast<double>(bytes) / 1e6;
  std::printf("%zu files, %.2f MB, %zu tokens\n", inputs.size(), megabytes, token_count);
  std::printf("lex                    %8.1f MB/s  %8.1f million tokens/s\n", megabytes / lexing,
              static_cast<double>(token_count) / lexing / 1e6);
  std::printf("lex + parse            %8.1f MB/s\n", megabytes / parsing);
  std::printf("lex + parse + validate %8.1f MB/s\n", megabytes / validating);
  std::printf("tree                   %8.2f bytes for a byte of source\n",
              static_cast<double>(tree_bytes) / static_cast<double>(bytes));
}
