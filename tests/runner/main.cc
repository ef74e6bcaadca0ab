// Runs the file cases: queries the program, or the reference, and compares the answers with the
// expectations.

#include <CLI/CLI.hpp>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "runner/answer.h"
#include "runner/case.h"
#include "runner/diff.h"
#include "runner/machine.h"
#include "runner/outcome.h"
#include "runner/process.h"
#include "runner/question.h"

namespace fs = std::filesystem;
using namespace bunraku::cases;

namespace {

struct Options {
  std::string program = "build/release/bunraku";
  std::string directory = "tests/cases";
  std::string differences = "docs/differences.yaml";
  std::string filter;
  std::string engine = "bunraku";
  std::vector<std::string> reference = {"tests/oracle/reference", "eval", "--batch"};
  unsigned jobs = 2;
  int patience = 1;  // factor for the time limit of cases
  bool bless = false;

  bool asks_reference() const { return engine == "reference"; }
};

// The options of sanitizers in the environment, with the case in the file names of reports.
std::vector<std::string> sanitizer_options(const Case& asked) {
  std::string suffix = ":log_suffix=.";
  for (const char c : asked.name.substr(0, 100)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
    suffix += is_plain ? c : '_';
  }
  std::vector<std::string> all;
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* options = getenv(name);
    if (options != nullptr) all.push_back(std::string(name) + '=' + options + suffix);
  }
  return all;
}

// Answers the cases of one thread: the program, started for each case, or a persistent reference.
class Worker {
 public:
  Worker(const Options& options, size_t number)
      : options_(options),
        scratch_(fs::temp_directory_path() /
                 ("bunraku-cases-" + std::to_string(getpid()) + '-' + std::to_string(number))),
        stand_ins_{{scratch_.string(), "<scratch>"}, {fs::current_path().string(), "<root>"}} {
    if (options.asks_reference()) reference_ = std::make_unique<Conversation>(options.reference);
  }
  ~Worker() { fs::remove_all(scratch_); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Outcome outcome_of(const Case& asked) {
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
    if (asked.form == Form::kCommand) return run_script(asked);
    const Question question(asked, scratch_);
    const Answer answer = reference_ ? ask_reference(question) : ask_program(asked, question);
    if (asked.form != Form::kInline) return whole_outcome(answer, stand_ins_);
    const std::string show = asked.settings.get("show");
    return {brief_outcome(answer, question.product(), show, stand_ins_), answer.trouble};
  }

 private:
  Answer ask_reference(const Question& question) {
    return answer_of_reference(reference_->ask(question.request()), question.product(),
                               question.textual());
  }

  Answer ask_program(const Case& asked, const Question& question) {
    const ProcessResult result = run(question.command(fs::absolute(options_.program)), scratch_,
                                     sanitizer_options(asked), seconds(asked));
    return answer_of_process(result, question.textual());
  }

  // A script finds the program as `bunraku` and the directory of its case in CASE. Messages are in
  // the reference's format unless the script selects another.
  Outcome run_script(const Case& asked) {
    const std::string path = "PATH=" + fs::absolute(options_.program).parent_path().string() + ':' +
                             (getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    const std::string directory = "CASE=" + fs::absolute(asked.file.parent_path()).string();
    const std::string log_format = "BUNRAKU_LOG_FORMAT=one-line";
    std::vector<std::string> environment = sanitizer_options(asked);
    environment.insert(environment.end(), {path, directory, log_format});
    ProcessResult result =
        run({"/bin/sh", "-eu", fs::absolute(asked.file)}, scratch_, environment, seconds(asked));
    if (result.exit != 0) result.err += "exit: " + std::to_string(result.exit) + '\n';
    if (result.timed_out) result.err += "took too long\n";
    if (result.signal != 0 && !result.timed_out) {
      result.err += "ended by signal " + std::to_string(result.signal) + '\n';
    }
    return {replace_all(result.out, stand_ins_), replace_all(result.err, stand_ins_)};
  }

  int seconds(const Case& asked) const {
    return std::stoi(asked.settings.get("timeout", "20")) * options_.patience;
  }

  const Options& options_;
  fs::path scratch_;
  StandIns stand_ins_;
  std::unique_ptr<Conversation> reference_;
};

std::string expected(const Case& asked, const char* extension) {
  const fs::path file = asked.expectation(extension);
  return fs::exists(file) ? read_file(file) : "";
}

// The difference between the outcome and the expectation; empty when they agree.
std::string difference(const Case& asked, const Outcome& outcome) {
  if (asked.form == Form::kInline) return unified_diff(asked.expected, outcome.out);
  std::string text;
  const std::string out = unified_diff(expected(asked, ".out"), outcome.out);
  const std::string err = unified_diff(expected(asked, ".err"), outcome.err);
  if (!out.empty()) text += "--- " + asked.expectation(".out").string() + '\n' + out;
  if (!err.empty()) text += "--- " + asked.expectation(".err").string() + '\n' + err;
  return text;
}

void bless_files(const Case& asked, const Outcome& outcome) {
  for (auto [extension, text] : {std::pair{".out", &outcome.out}, {".err", &outcome.err}}) {
    const fs::path file = asked.expectation(extension);
    if (text->empty()) {
      fs::remove(file);
    } else if (!fs::exists(file) || read_file(file) != *text) {
      write_file(file, *text);
    }
  }
}

class Run {
 public:
  explicit Run(Options options) : options_(std::move(options)) {
    for (Case& found : find_cases(options_.directory)) {
      if (is_wanted(found)) cases_.push_back(std::move(found));
    }
    if (options_.asks_reference() && fs::exists(options_.differences)) {
      differences_ = read_file(options_.differences);
    }
  }

  bool all() {
    std::vector<std::thread> threads;
    const size_t workers =
        std::min<size_t>(std::max(1u, options_.jobs), std::max<size_t>(1, cases_.size()));
    for (size_t i = 0; i < workers; ++i) threads.emplace_back([this, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& [file, results] : blessed_) bless_parts(file, results);
    if (known_ > 0) std::printf("%zu known differences\n", known_);
    std::printf("%zu passed, %zu failed\n", passed_, failed_);
    return failed_ == 0;
  }

 private:
  bool is_wanted(const Case& found) const {
    if (found.name.find(options_.filter) == std::string::npos) return false;
    if (!options_.asks_reference()) return true;
    return found.form != Form::kCommand && found.settings.get("oracle") != "no";
  }

  void work(size_t number) {
    Worker worker(options_, number);
    for (size_t next; (next = next_++) < cases_.size();) {
      const Case& asked = cases_[next];
      try {
        judge(asked, worker.outcome_of(asked));
      } catch (const std::exception& error) {
        report(asked, std::string(error.what()) + '\n');
      }
      show_progress();
    }
  }

  // A long run shows that it goes on.
  void show_progress() {
    constexpr size_t kStep = 1000;
    const size_t done = ++done_;
    if (done % kStep == 0) std::fprintf(stderr, "%zu of %zu cases\n", done, cases_.size());
  }

  void judge(const Case& asked, const Outcome& outcome) {
    const std::string differs = options_.asks_reference() ? asked.settings.get("differs") : "";
    if (options_.bless && differs.empty()) {
      const std::lock_guard lock(mutex_);
      ++passed_;
      if (asked.form == Form::kInline) {
        blessed_[asked.file][asked.part] = outcome.out;
      } else {
        bless_files(asked, outcome);
      }
      return;
    }
    const std::string diff = difference(asked, outcome);
    if (!differs.empty()) {
      judge_known(asked, differs, diff);
    } else if (diff.empty()) {
      const std::lock_guard lock(mutex_);
      ++passed_;
    } else {
      report(asked, diff);
    }
  }

  // Handles a case whose difference is listed, and is present.
  void judge_known(const Case& asked, const std::string& id, const std::string& diff) {
    if (differences_.find("- id: " + id + '\n') == std::string::npos) {
      report(asked, id + " is not in " + options_.differences + '\n');
    } else if (diff.empty()) {
      report(asked, id + " is said to differ, and does not\n");
    } else {
      const std::lock_guard lock(mutex_);
      ++known_;
    }
  }

  void report(const Case& asked, const std::string& text) {
    const std::lock_guard lock(mutex_);
    ++failed_;
    std::printf("FAILED %s\n%s\n", asked.name.c_str(), text.c_str());
  }

  static void bless_parts(const fs::path& file, const std::map<size_t, std::string>& results) {
    PartedFile parted = PartedFile::parse(read_file(file), Settings());
    for (const auto& [part, text] : results) parted.parts[part].expected = text;
    write_file(file, parted.text());
  }

  Options options_;
  std::string differences_;
  std::vector<Case> cases_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> done_ = 0;
  std::mutex mutex_;
  size_t passed_ = 0, failed_ = 0, known_ = 0;
  std::map<fs::path, std::map<size_t, std::string>> blessed_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs the file cases and compares with what they expect.");
  app.add_option("--binary", options.program, "the program to ask");
  app.add_option("--cases", options.directory, "the directory of cases");
  app.add_option("--engine", options.engine, "who answers")
      ->check(CLI::IsMember({"bunraku", "reference"}));
  app.add_option("--differences", options.differences, "the list of known differences");
  app.add_option("--filter", options.filter, "only cases whose name contains this");
  app.add_option("--jobs", options.jobs, "cases at a time");
  app.add_option("--patience", options.patience,
                 "times the time of each case, for a program that checks itself");
  app.add_flag("--bless", options.bless, "write the answers into the expectations");
  CLI11_PARSE(app, argc, argv);
  const std::string problem = options.asks_reference() ? "" : hide_vendor_packages();
  if (!problem.empty()) std::fprintf(stderr, "case_runner: %s\n", problem.c_str());
  try {
    return Run(std::move(options)).all() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "case_runner: %s\n", error.what());
    return 1;
  }
}
