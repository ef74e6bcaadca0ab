// The state files of earlier runs, read beside what comes before a catalog is applied.
#pragma once

#include <exception>
#include <memory>

#include "apply/transaction/context.h"
#include "apply/transaction/state_file.h"
#include "base/system/stack.h"

namespace bunraku::apply {

class EarlierState {
 public:
  // Begins to read the files that the options name; they must outlive it.
  explicit EarlierState(const RunOptions& options);
  EarlierState(const EarlierState&) = delete;
  EarlierState& operator=(const EarlierState&) = delete;

  // Waits for the files, once, before they are asked for. What is wrong with one is logged. Throws
  // FileError and Failure.
  void finish(RunLog& log);
  StateFile& state() { return state_; }
  TransactionStore& store() { return store_; }

 private:
  void read();

  const RunOptions& options_;
  StateFile state_;
  TransactionStore store_;
  std::exception_ptr error_;
  std::unique_ptr<LargeStackThread> thread_;
};

}  // namespace bunraku::apply
