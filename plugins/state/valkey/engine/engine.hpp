// SPDX-License-Identifier: Apache-2.0
// Sends one command to the right node of the engine and returns the answer. A background thread,
// the keeper, checks whether unreachable nodes are back and whether idle connections still work.
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

// Any thread may use it.
class Engine {
public:
  // Does not connect yet. `settings` and `tally` must outlive it. Throws skh::Error(SKH_INVALID) if
  // a file for TLS is invalid.
  Engine(Settings &settings, Tally &tally, skh::Host host);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  // Sends the command to the node that has `key`. It repeats the command only after an answer which
  // says that nothing was done, or as `repeat` allows. The answer may be an error. Throws as
  // Node::ask() does.
  Reply ask(std::string_view key, std::string_view command, const Limit &limit,
            Repeat repeat = Repeat::Never);
  // Opens a connection for subscriptions. Throws as Node::ask() does.
  std::unique_ptr<Connection> openForSubscriptions(const Limit &limit);
  // True if subscriptions may still be made at that address.
  bool serves(const Address &address) const;
  // True if no node is known to be away.
  bool isHealthy() const;
  // Throws SKH_UNAVAILABLE with the reason if all known nodes are away.
  void refuseWhileAway() const;
  // Returns all nodes that accept writes, after a new connection to each. Throws LoginRefused, and
  // as Node::ask() does.
  std::vector<NodePointer> connectToAll(const Limit &limit);

private:
  void wake();
  void runKeeper();
  void checkNodes();
  void pause(const Limit &limit, int repetitions);
  NodePointer afterRefusal(const Reply &reply, const NodePointer &node, std::string_view key,
                           const Limit &limit, int repetitions);

  const Settings &settings_;
  Tally &tally_;
  const skh::Host host_;
  const Connector connector_, sentinels_;
  const NodeNeeds needs_;
  const std::unique_ptr<Topology> topology_;

  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wakeUp_;
  bool mustCheckSoon_ = false;         // wake() was called; the keeper resets it
  std::atomic<bool> hasFailed_{false}; // the keeper's last check failed
  BackOff backOff_;                    // only for the keeper
  std::thread keeper_;
};

} // namespace skillhost::valkey
