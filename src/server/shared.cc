// The records of nodes.
#include "server/shared.h"

namespace bunraku::server {

void NodeRecords::change(const std::string& name, const std::function<void(NodeRecord&)>& change) {
  const std::scoped_lock lock(mutex_);
  if (records_.size() >= kMost && !records_.contains(name)) records_.erase(records_.begin());
  change(records_[name]);
}

std::map<std::string, NodeRecord> NodeRecords::all() const {
  const std::scoped_lock lock(mutex_);
  return records_;
}

}  // namespace bunraku::server
