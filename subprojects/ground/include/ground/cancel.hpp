// SPDX-License-Identifier: Apache-2.0
// CancelToken: "the result is no longer wanted", shared by a caller and its workers.
#pragma once

#include <atomic>
#include <memory>

namespace skillhost {

// Copies share one flag. May be used on any thread. Cancelling is permanent.
class CancelToken {
public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  void cancel() const noexcept { flag_->store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return flag_->load(std::memory_order_relaxed); }

private:
  std::shared_ptr<std::atomic<bool>> flag_;
};

} // namespace skillhost
