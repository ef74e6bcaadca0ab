// The state files of earlier runs, read in the background while the catalog is prepared.
#pragma once

#include <exception>
#include <memory>

#include "apply/transaction/context.h"
#include "apply/transaction/state_file.h"
#include "base/system/stack.h"

namespace bunraku::apply {

class EarlierState {
 public:
  // Starts reading the files in the options, which must outlive this object.
  explicit EarlierState(const RunOptions& options);
  EarlierState(const EarlierState&) = delete;
  EarlierState& operator=(const EarlierState&) = delete;

  // Waits for the files; must be called once before they are used. Problems of the files are
  // logged. Throws FileError and Failure.
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
