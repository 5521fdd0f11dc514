// SPDX-License-Identifier: Apache-2.0
#include "discovered.hpp"

namespace skillhost::valkey {

Discovered::Turn::Turn(Discovered &of, const Limit &limit) : of_(of) {
  std::unique_lock lock(of_.mutex_);
  if (of_.turnFreed_.wait_until(lock, limit.until(), [this] { return !of_.asking_; })) {
    of_.asking_ = true;
    return;
  }
  lock.unlock();
  static_cast<void>(limit.wait("who is asked for the engine's address"));
  throw ConnectionLost("somebody else still asks for the engine's address");
}

Discovered::Turn::~Turn() {
  {
    const std::scoped_lock lock(of_.mutex_);
    of_.asking_ = false;
  }
  of_.turnFreed_.notify_one();
}

void Discovered::refresh(const Limit &limit) {
  const Turn turn(*this, limit);
  try {
    discover(limit);
    const std::scoped_lock lock(mutex_);
    failure_.clear();
  } catch (const skh::Error &error) {
    // A failure for lack of time says nothing about the servers, so it is not remembered.
    if (error.status() == SKH_UNAVAILABLE || error.status() == SKH_INVALID) {
      const std::scoped_lock lock(mutex_);
      failure_ = error.what();
    }
    throw;
  }
}

NodePointer Discovered::nodeFor(std::string_view key, const Limit &limit) {
  if (NodePointer node = knownNode(key)) return node;
  {
    const std::scoped_lock lock(mutex_);
    if (!failure_.empty()) throw skh::Error(SKH_UNAVAILABLE, "the engine is away: " + failure_);
  }
  try {
    refresh(limit);
  } catch (const LoginRefused &error) {
    needs_.onAway();
    throw skh::Error(SKH_UNAVAILABLE, error.what());
  } catch (const skh::Error &) {
    needs_.onAway(); // so that the keeper tries again
    throw;
  }
  NodePointer node = knownNode(key);
  if (node == nullptr)
    throw skh::Error(SKH_UNAVAILABLE, "no node of the cluster has the slot of the key");
  return node;
}

} // namespace skillhost::valkey
