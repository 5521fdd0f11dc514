// SPDX-License-Identifier: Apache-2.0
// The engine as a whole, wherever its parts are: one command and its answer. A thread of its own,
// the keeper, looks whether what is away has come back, and whether what is idle is still there.
#pragma once

#include "topology.hpp"

#include "ground/back_off.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace skillhost::valkey {

// Any thread.
class Engine {
public:
  // Asks nobody yet. `settings` and `tally` must outlive it. Throws skh::Error(SKH_INVALID) for
  // files of TLS.
  Engine(Settings &settings, Tally &tally, skh::Host host);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  // By whoever has `key`. Sent again only after an answer that says that nothing was done. The
  // answer may be an error. Throws as Node::ask().
  Reply ask(std::string_view key, std::string_view command, const Limit &limit);
  // A connection for subscriptions. Throws as Node::ask().
  std::unique_ptr<Connection> forSubscriptions(const Limit &limit);
  // Is that still one to be subscribed to?
  bool serves(const Address &address) const;
  // Nothing is known to be away.
  bool isWell() const;
  // Throws SKH_UNAVAILABLE, with the reason, when all that is known is away.
  void refuseWhileAway() const;
  // All that take writes, after a new connection to each. Throws Refused, and as Node::ask().
  std::vector<NodePointer> reachAll(const Limit &limit);

private:
  void wake();
  void keep();
  void keepOnce();
  void pause(const Limit &limit, int tries);
  NodePointer afterRefusal(const Reply &reply, const NodePointer &node, std::string_view key,
                           const Limit &limit, int tries);

  const Settings &settings_;
  Tally &tally_;
  const skh::Host host_;
  const Connector connector_, sentinels_;
  const NodeNeeds needs_;
  const std::unique_ptr<Topology> topology_;

  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wakened_;
  bool isWakened_ = false;
  std::atomic<bool> hasFailed_{false}; // what the keeper asked last was not answered
  BackOff backOff_;                    // of the keeper
  std::thread keeper_;
};

} // namespace skillhost::valkey
