// Input: any bytes as a command or query for the store; the first byte chooses which. Refusals must
// have a reason, and the database must accept all generated SQL.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "net/message.h"
#include "store/commands/agent_report.h"
#include "store/commands/command.h"
#include "store/http/api.h"
#include "store/query/answer.h"
#include "store/store.h"

using namespace bunraku;

namespace {

// A store of this process, in a file that is removed at the end.
class Stored {
 public:
  Stored()
      : path_(std::filesystem::temp_directory_path() /
              ("bunraku-fuzz-store-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    store_ = std::make_unique<store::Store>("sqlite:" + (path_ / "store.db").string());
  }
  ~Stored() {
    store_.reset();
    std::filesystem::remove_all(path_);
  }
  store::Store& get() { return *store_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<store::Store> store_;
};

store::Store& stored() {
  static Stored kept;
  return kept.get();
}

template <typename Work>
void expect_reason(Work work) {
  try {
    work();
  } catch (const store::StoreError& error) {
    if (error.kind() != store::StoreErrorKind::kDatabase) return;
    std::fprintf(stderr, "the database: %s\n", error.what());
    std::abort();
  }
}

void send_command(size_t kind, std::string_view body) {
  const store::CommandKind& command_kind = store::kCommandKinds[kind % store::kCommandKinds.size()];
  store::Command command;
  command.name = command_kind.name;
  command.version = command_kind.newest;
  command.certname = "fuzz.example.com";
  command.body = body;
  command.received = 1'700'000'000'000'000;
  expect_reason([&] { store::store_command(stored(), command); });
}

void ask(std::string_view text) {
  store::AnswerLimits limits;
  limits.timeout = std::chrono::milliseconds(2000);
  limits.most_bytes = size_t{1} << 20;
  expect_reason(
      [&] { store::answer_query(stored(), store::compile_text_query(text), true, limits); });
}

// The first line has the method and the target.
void request(std::string_view bytes) {
  static store::Api api(stored(), {});
  const size_t end = bytes.find('\n');
  const std::string_view line = bytes.substr(0, end);
  net::Request request;
  request.method = line.starts_with('P') ? "POST" : "GET";
  request.target = "/pdb/" + std::string(line);
  if (end != std::string_view::npos) request.body = bytes.substr(end + 1);
  const net::Response response = api.answer(request, store::Access::all());
  if (response.status != 500) return;
  std::fprintf(stderr, "%s\n", response.body.c_str());
  std::abort();
}

void send_report(std::string_view bytes) {
  Arena arena;
  expect_reason([&] {
    try {
      store::prepare_command(store::report_command(read_json(bytes, arena), "server.example.com"));
    } catch (const DataError&) {
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t kind = data[0] & 15;
  if (kind < 6) {
    send_command(kind, bytes);
  } else if (kind == 6) {
    send_report(bytes);
  } else if (kind < 9) {
    request(bytes);
  } else {
    ask(bytes);
  }
  return 0;
}
