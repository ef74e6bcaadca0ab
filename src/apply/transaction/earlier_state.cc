// The thread that reads state files.
#include "apply/transaction/earlier_state.h"

#include <system_error>

namespace bunraku::apply {

EarlierState::EarlierState(const RunOptions& options) : options_(options) {
  try {
    thread_ = std::make_unique<LargeStackThread>([this] { read(); });
  } catch (const std::system_error&) {
    read();
  }
}

void EarlierState::read() {
  try {
    if (options_.is_host_config) state_.read(options_.state_file);
    if (options_.computes_corrective_changes) store_.read(options_.transaction_store_file);
  } catch (...) {
    error_ = std::current_exception();
  }
}

void EarlierState::finish(RunLog& log) {
  thread_.reset();
  if (error_ != nullptr) std::rethrow_exception(error_);
  state_.report_problem(log);
  store_.report_problem(log);
}

}  // namespace bunraku::apply
