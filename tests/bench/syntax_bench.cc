// Measures how fast files are lexed, parsed and validated: bytes, tokens and tree sizes.
//
//   syntax_bench [--seconds N] DIRECTORY...
//   syntax_bench --growth [MEGABYTES...]
//
// Reads every .pp and .epp file below the directories first, and then processes them repeatedly on
// one thread. With --growth it makes texts of each shape in each size (default 1, 10 and 100 MB)
// and prints the cost of a byte, which is the same in all sizes when the cost grows linearly.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
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

std::vector<Input> read_directory(const char* directory) {
  std::vector<Input> inputs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string path = entry.path().string();
    const bool is_template = path.ends_with(".epp");
    if (!is_template && !path.ends_with(".pp")) continue;
    const std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    inputs.push_back({std::make_shared<SourceFile>(path, text.str()),
                      is_template ? SourceForm::kTemplate : SourceForm::kManifest});
  }
  return inputs;
}

// The processor time of this thread in seconds, so other programs do not matter.
double thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Processes all inputs until the time is over. Returns the best time of a round, in seconds.
template <typename Work>
double best_round(const std::vector<Input>& inputs, double seconds, Work work) {
  double best = 1e9;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    const double begin = thread_time();
    for (const Input& input : inputs) work(input);
    best = std::min(best, thread_time() - begin);
  } while (Clock::now() < end);
  return best;
}

// A shape of source text that could make cost grow faster than size.
struct Shape {
  const char* title;
  std::string (*make)(size_t bytes);
};

std::string repeated(std::string_view part, size_t bytes) {
  std::string text;
  text.reserve(bytes + part.size());
  while (text.size() < bytes) text += part;
  return text;
}

constexpr Shape kShapes[] = {
    {"resources",
     [](size_t bytes) {
       std::string text;
       for (size_t i = 0; text.size() < bytes; ++i) {
         text += "file { \"/srv/${name}/" + std::to_string(i) +
                 "\":\n  ensure => file,\n  mode   => '0644',\n}\n";
       }
       return text;
     }},
    {"small statements", [](size_t bytes) { return repeated("$a = 1\n", bytes); }},
    {"one array", [](size_t bytes) { return "$a = [" + repeated("1, ", bytes) + "2]\n"; }},
    {"one hash",
     [](size_t bytes) {
       std::string text = "$a = {";
       for (size_t i = 0; text.size() < bytes; ++i) text += "k" + std::to_string(i) + " => 1, ";
       return text + "z => 2}\n";
     }},
    {"one string in quotes",
     [](size_t bytes) { return "$a = '" + repeated("a text ", bytes) + "'\n"; }},
    {"one string of escapes",
     [](size_t bytes) { return "$a = \"" + repeated("\\n\\u00e4", bytes) + "\"\n"; }},
    {"one string of variables",
     [](size_t bytes) { return "$a = \"" + repeated("$b ${c} ", bytes) + "\"\n"; }},
    {"one heredoc",
     [](size_t bytes) { return "$a = @(\"END\")\n" + repeated("  a $b\n", bytes) + "  | END\n"; }},
    {"one comment", [](size_t bytes) { return "/*" + repeated(" a text ", bytes) + "*/\n"; }},
    {"one chain of sums", [](size_t bytes) { return "$a = 1" + repeated(" + 1", bytes) + "\n"; }},
    {"one chain of elsif",
     [](size_t bytes) { return "if $a { }" + repeated(" elsif $a { }", bytes) + "\n"; }},
    {"nested arrays, up to the bound and past it",
     [](size_t bytes) { return "$a = " + repeated("[", bytes / 2) + repeated("]", bytes / 2); }},
    {"nested arrays within the bound",
     [](size_t bytes) {
       return repeated("$a = " + std::string(400, '[') + std::string(400, ']') + "\n", bytes);
     }},
    {"quotes that are not closed", [](size_t bytes) { return repeated("\" ${'", bytes); }},
    {"mistakes", [](size_t bytes) { return repeated("$a = = 1\n", bytes); }},
};

int show_growth(const std::vector<size_t>& sizes) {
  std::printf("%-44s", "nanoseconds for a byte of");
  for (const size_t megabytes : sizes) std::printf("%8zu MB", megabytes);
  std::printf("\n");
  for (const Shape& shape : kShapes) {
    std::printf("%-44s", shape.title);
    for (const size_t megabytes : sizes) {
      auto source = std::make_shared<SourceFile>("growth.pp", shape.make(megabytes * 1000000));
      const int rounds = megabytes <= 10 ? 3 : 1;
      double best = 1e9;
      for (int round = 0; round < rounds; ++round) {
        DiagnosticList diagnostics;
        const double begin = thread_time();
        auto program = parse(source, {SourceForm::kManifest, false}, diagnostics);
        if (!diagnostics.has_errors()) validate(*program, ValidationSettings(), diagnostics);
        best = std::min(best, thread_time() - begin);
      }
      std::printf("%11.2f", best * 1e9 / static_cast<double>(source->text().size()));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 3;
  if (argc > 1 && std::string_view(argv[1]) == "--growth") {
    std::vector<size_t> sizes;
    for (int i = 2; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
    return show_growth(sizes.empty() ? std::vector<size_t>{1, 10, 100} : sizes);
  }
  std::vector<Input> inputs;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else {
      for (Input& input : read_directory(argv[i])) inputs.push_back(std::move(input));
    }
  }
  size_t bytes = 0;
  for (const Input& input : inputs) bytes += input.source->text().size();
  if (bytes == 0) {
    std::fprintf(stderr,
                 "usage: syntax_bench [--seconds N] DIRECTORY... | --growth [MEGABYTES...]\n");
    return 2;
  }

  DiagnosticList diagnostics;
  TokenList tokens;
  size_t token_count = 0;
  const double lexing = best_round(inputs, seconds, [&](const Input& input) {
    Arena arena;
    lex(input.source, {input.form, false}, arena, tokens, diagnostics);
    token_count += tokens.tokens.size();
  });
  const double parsing = best_round(inputs, seconds, [&](const Input& input) {
    parse(input.source, {input.form, false}, diagnostics);
  });
  ValidationSettings settings;
  const double validating = best_round(inputs, seconds, [&](const Input& input) {
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

  const double megabytes = static_cast<double>(bytes) / 1e6;
  const double millions = static_cast<double>(token_count) / 1e6;
  std::printf("%zu files, %.2f MB, %zu tokens\n", inputs.size(), megabytes, token_count);
  std::printf("lex                    %8.1f MB/s  %8.1f million tokens/s\n", megabytes / lexing,
              millions / lexing);
  std::printf("lex + parse            %8.1f MB/s  %8.1f million tokens/s\n", megabytes / parsing,
              millions / parsing);
  std::printf("lex + parse + validate %8.1f MB/s  %8.1f million tokens/s\n", megabytes / validating,
              millions / validating);
  std::printf("tree                   %8.2f bytes for a byte of source\n",
              static_cast<double>(tree_bytes) / static_cast<double>(bytes));
}
