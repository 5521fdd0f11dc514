// SPDX-License-Identifier: Apache-2.0
// A node is one engine at one address. It keeps idle connections and remembers whether the engine
// is away.
#pragma once

#include "../connection/connector.hpp"
#include "tally.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::valkey {

struct NodeNeeds {
  const Connector &connector;
  Tally &tally;
  skh::Host host;
  std::chrono::milliseconds timeout, connectTimeout;
  std::function<void()> onAway; // any thread; must be quick and must not throw
};

// Says if a command is sent again after its connection was lost before the reply. The engine can
// have executed the first one, so IfLost is for commands whose repetition has the same effect (GET,
// GETEX).
enum class Repeat { Never, IfLost };

// Any thread may use it. A connection serves one call at a time, and the one used last is taken
// first, so there are about as many connections as calling threads.
class Node {
public:
  Node(Address address, const NodeNeeds &needs); // `needs` must outlive it

  // Makes one round trip, over a new connection if none is idle. It reads `replies` replies and
  // returns the last. A connection that was idle can have ended without the end having arrived
  // here; Repeat::IfLost sends the commands once more over a new connection then. Throws
  // skh::Error: SKH_UNAVAILABLE, at once while the engine is away; SKH_DEADLINE; SKH_CANCELLED;
  // SKH_CORRUPT if a reply is too large.
  Reply ask(std::string_view commands, const Limit &limit, Repeat repeat, int replies = 1);
  // Opens a connection for the caller alone. Throws as ask() does, and LoginRefused. While the node
  // is away, it throws at once, and LoginRefused if a refusal is the reason.
  std::unique_ptr<Connection> openConnection(const Limit &limit);

  // Reason why it is away.
  enum class Away { ConnectionLost, LoginRefused };
  // Marks the node as away. It gets no requests until probe() succeeds.
  void markAway(const std::string &why, Away away = Away::ConnectionLost);
  bool isAway() const noexcept { return isAway_.load(std::memory_order_acquire); }
  // Throws SKH_UNAVAILABLE with the reason while the node is away.
  void refuseWhileAway() const;
  // Throws LoginRefused if the node is away because it refused the configured login.
  void refuseIfRefused() const;

  // Only for the keeper's thread. Sends PING over a new connection and returns true if the node is
  // well again.
  bool probe(const std::atomic<bool> &stop);
  // Sends PING over an idle connection if the node was not used for that long.
  void checkIdle(const std::atomic<bool> &stop, std::chrono::milliseconds idle);

  const Address &address() const noexcept { return address_; }

private:
  std::unique_ptr<Connection> takeIdle();
  void giveBack(std::unique_ptr<Connection> connection);
  Reply exchange(Connection &connection, std::string_view commands, const Limit &limit,
                 int replies);

  const Address address_;
  const NodeNeeds &needs_;
  std::atomic<bool> isAway_{false};
  mutable std::mutex mutex_; // guards the members below
  std::vector<std::unique_ptr<Connection>> idle_;
  Limit::Clock::time_point used_;
  std::string why_; // reason why it is away
  Away away_ = Away::ConnectionLost;
};

} // namespace skillhost::valkey
