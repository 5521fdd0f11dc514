// SPDX-License-Identifier: Apache-2.0
// One engine at one address: its idle connections, and whether it is worth asking.
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
  std::function<void()> onAway; // any thread; short, and never throws
};

// Any thread. A connection serves one call at a time, the one that was used last first, so that
// there are about as many as threads that ask.
class Node {
public:
  Node(Address address, const NodeNeeds &needs); // which must outlive it

  // One round trip, after a new connection where none is idle. `replies` of the commands are read,
  // and the last one is the answer. Nothing is sent again. Throws skh::Error: SKH_UNAVAILABLE, at
  // once while the engine is away; SKH_DEADLINE; SKH_CANCELLED; SKH_CORRUPT for a reply too large.
  Reply ask(std::string_view commands, const Limit &limit, int replies = 1);
  // A connection for the caller alone. Throws as ask(), and Refused; at once while it is away, and
  // then Refused when that is why.
  std::unique_ptr<Connection> fresh(const Limit &limit);

  // Why it is away.
  enum class Away { Lost, Refused };
  // It is not asked from now on, until probe() finds it well.
  void markAway(const std::string &why, Away away = Away::Lost);
  bool isAway() const noexcept { return isAway_.load(std::memory_order_acquire); }
  // Throws SKH_UNAVAILABLE while it is away, with the reason.
  void refuseWhileAway() const;
  // Throws Refused while it is away because it has refused what is configured.
  void refuseIfRefused() const;

  // By the keeper's thread alone. Is it well again? Sends PING by a new connection.
  bool probe(const std::atomic<bool> &stop);
  // Sends PING by an idle connection, where nobody has used one for that long.
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
  mutable std::mutex mutex_; // of what follows
  std::vector<std::unique_ptr<Connection>> idle_;
  Limit::Clock::time_point used_;
  std::string why_; // it is away
  Away away_ = Away::Lost;
};

} // namespace skillhost::valkey
