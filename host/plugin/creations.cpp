// SPDX-License-Identifier: Apache-2.0
#include "creations.hpp"

#include <new>

namespace skillhost {

void Creation::conclude(Status outcome) {
  if (!isConcluded_.exchange(true)) outcome_.set_value(std::move(outcome));
}

void Creations::add(const std::shared_ptr<Creation> &one) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(running_, [](const auto &other) { return other.expired(); });
  running_.push_back(one);
  if (isStopped_) giveUp(*one);
}

void Creations::stop() {
  const std::scoped_lock lock(mutex_);
  isStopped_ = true;
  for (const auto &one : running_)
    if (const auto creation = one.lock()) giveUp(*creation);
}

bool Creations::stopped() const {
  const std::scoped_lock lock(mutex_);
  return isStopped_;
}

// A host that ends for lack of memory must still be able to end, so this needs none.
void Creations::giveUp(Creation &one) noexcept {
  try {
    one.conclude(Status(Fault::Cancelled, one.who + ": create: the host stops"));
  } catch (const std::bad_alloc &) {
    one.conclude(Status(Fault::Cancelled, "the host stops")); // short enough to need no memory
  }
}

} // namespace skillhost
