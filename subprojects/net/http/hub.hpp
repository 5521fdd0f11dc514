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
  ByteBudget unsent;                        // large answers that clients have not taken
  EventLoop loop;
  Figures figures;
  DateText date;
  bool stopping = false;
  // All connections read through this buffer, so that an idle connection owns none.
  std::array<char, 64U << 10U> readBuffer{};

  void add(const std::shared_ptr<Connection> &connection);
  void remove(Connection &connection); // may destroy the connection
  std::vector<std::shared_ptr<Connection>> connections;

  // Allows the hub to close this connection for a new one when all places are taken, it has waited
  // longest for its client, and it is not protected. Valid until withdraw().
  void offer(Connection &connection);
  void withdraw(Connection &connection);
  // Closes an offered connection. Returns false if there is none.
  bool makeRoom();

  // Calls the connection's takeTurn() later. Each round of the loop serves one waiting connection,
  // and the networks take turns.
  void goOnLater(std::shared_ptr<Connection> connection);
  // Retries connections that missed their turn because memory was short. Called from time to time.
  void goOnAfterShortage();
  // Returns true if a connection of the same network waits.
  bool isWaiting(const Connection &connection) const;

  // Takes one of the places that an IP address has, for a connection or for a request that a
  // trusted proxy forwards. Returns false if all are taken. The empty address has no limit.
  bool take(const std::string &address);
  void giveBack(const std::string &address);
  // Logs a fault of a trusted proxy, at most once a minute.
  void warnOfProxy(const std::string &text);

private:
  void goOnWithNext();
  void postNext() noexcept;

  Turns<std::shared_ptr<Connection>> waiting_;
  bool isStalled_ = false;        // posting the next letter failed
  std::list<Connection *> spare_; // in the order of offer()
  std::list<Connection *> busy_;  // all others; connections move between the lists without memory
  std::map<std::string, std::size_t> byPeer_;
  Clock::time_point warned_ = Clock::time_point::min();
};

} // namespace skillhost::http
