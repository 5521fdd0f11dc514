// SPDX-License-Identifier: Apache-2.0
// The state that all connections of a server share. Used on the loop's thread alone.
#pragma once

#include "byte_budget.hpp"
#include "event_loop.hpp"
#include "figures.hpp"
#include "ground/turns.hpp"
#include "net/http_settings.hpp"
#include "response_head.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::http {

class Connection;

struct Hub {
  using Clock = std::chrono::steady_clock;

  Hub(HttpSettings with, HttpHandler by)
      : settings(std::move(with)), handler(std::move(by)),
        bodies(std::make_shared<ByteBudget>(settings.maxHeldBodyBytes,
                                            settings.maxHeldBodyBytesOfPeer)),
        unsent(std::numeric_limits<std::size_t>::max(), settings.maxUnsentBytesOfPeer) {}

  const HttpSettings settings;
  const HttpHandler handler;
  const std::shared_ptr<ByteBudget> bodies; // exchanges may outlive the hub
  ByteBudget unsent;                        // bytes of large answers that clients have not received
  EventLoop loop;
  Figures figures;
  DateText date;
  bool stopping = false;
  // All connections read through this buffer, so that an idle connection owns none.
  std::array<char, 64U << 10U> readBuffer{};

  void add(const std::shared_ptr<Connection> &connection);
  void remove(Connection &connection); // may destroy the connection
  std::vector<std::shared_ptr<Connection>> connections;

  // Until unmarkClosable(), makeRoom() may close this connection, which waits for its client. Does
  // nothing for a protected connection.
  void markClosable(Connection &connection);
  void unmarkClosable(Connection &connection);
  // Closes the closable connection that has waited longest, because there are too many connections.
  // Returns false if none is closable.
  bool makeRoom();

  // Calls the connection's takeTurn() later. Each round of the loop serves one waiting connection,
  // and the networks take turns.
  void queueTurn(std::shared_ptr<Connection> connection);
  // Retries connections that missed their turn because memory was short. Called from time to time.
  void retryTurns();
  // Returns true if a connection of the same network waits.
  bool isWaiting(const Connection &connection) const;

  // Counts a connection of this IP address, or a request that a trusted proxy forwards for it,
  // until giveBack(). Returns false, and does not count it, if there are too many. The empty
  // address has no limit.
  bool take(const std::string &address);
  void giveBack(const std::string &address);
  // Logs a fault of a trusted proxy, at most once a minute.
  void warnOfProxy(const std::string &text);

private:
  void serveNextTurn();
  void postNextTurn() noexcept;

  Turns<std::shared_ptr<Connection>> waiting_;
  bool isStalled_ = false; // postNextTurn() failed, because memory was short
  // Each connection is in one of these lists. Moving it to the other needs no memory.
  std::list<Connection *> closable_; // in the order of markClosable()
  std::list<Connection *> notClosable_;
  std::map<std::string, std::size_t> byPeer_;
  Clock::time_point warned_ = Clock::time_point::min();
};

} // namespace skillhost::http
