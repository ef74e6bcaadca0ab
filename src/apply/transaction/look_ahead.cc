// The thread that looks ahead.
#include "apply/transaction/look_ahead.h"

#include <exception>
#include <system_error>

#include "apply/transaction/resource.h"
#include "base/system/thread_pool.h"

namespace bunraku::apply {
namespace {

// With fewer, a thread costs more than it saves.
constexpr size_t kFewest = 16;

}  // namespace

LookAhead::~LookAhead() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  has_changed_.notify_one();
}

void LookAhead::add(Resource& resource) {
  if (hardware_threads() == 1) return;
  std::function<void()> look = resource.type().look_ahead(resource);
  if (look == nullptr) return;
  {
    const std::scoped_lock lock(mutex_);
    Job& job = jobs_.emplace_back();
    job.look = std::move(look);
    of_resource_.emplace(&resource, &job);
    ++added_;
  }
  if (thread_ != nullptr) {
    has_changed_.notify_one();
  } else if (added_ >= kFewest) {
    begin();
  }
}

void LookAhead::reached(const Resource& resource) {
  const auto found = of_resource_.find(&resource);
  if (found != of_resource_.end()) found->second->is_dropped = true;
}

void LookAhead::begin() {
  try {
    thread_ = std::make_unique<LargeStackThread>([this] { work(); });
  } catch (const std::system_error&) {
    // The run looks at everything itself.
  }
}

LookAhead::Job* LookAhead::next() {
  std::unique_lock lock(mutex_);
  has_changed_.wait(lock, [this] { return is_over_ || taken_ < added_; });
  return is_over_ ? nullptr : &jobs_[taken_++];
}

void LookAhead::work() {
  while (Job* job = next()) {
    if (job->is_dropped) continue;
    try {
      job->look();
    } catch (const std::exception&) {
      // The run meets it, too, and reports it.
    }
  }
}

}  // namespace bunraku::apply
