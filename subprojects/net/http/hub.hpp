// SPDX-License-Identifier: Apache-2.0
// What all connections of a server share. On the loop's thread alone.
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
  ByteBudget unsent;                        // of large answers that clients have not taken yet
  EventLoop loop;
  Figures figures;
  DateText date;
  bool stopping = false;
  // What is read goes through here, so that a connection that waits owns no buffer.
  std::array<char, 64U << 10U> readBuffer{};

  void add(const std::shared_ptr<Connection> &connection);
  void remove(Connection &connection); // which may be destroyed by it
  std::vector<std::shared_ptr<Connection>> connections;

  // Has the connection closed for a new one, when all places are taken and it is the one that has
  // waited longest for its client; not if it is protected. Until withdraw().
  void offer(Connection &connection);
  void withdraw(Connection &connection);
  // Closes one of those; false: there is none.
  bool makeRoom();

  // Calls goOn() of the connection later: of those that wait one in each round of the loop, and one
  // of each network in turn.
  void goOnLater(std::shared_ptr<Connection> connection);
  // The same for those that have not had their turn for want of memory. From time to time.
  void goOnAfterShortage();
  // Returns whether a connection of the same network waits.
  bool isWaiting(const Connection &connection) const;

  // Of one IP address: connections, and requests that trusted proxies have forwarded. Takes one of
  // those that it may have; false: it has them all. The empty address has no limit.
  bool take(const std::string &address);
  void giveBack(const std::string &address);
  // What a trusted proxy does wrong is told once a minute, whatever it sends.
  void warnOfProxy(const std::string &text);

private:
  void goOnWithNext();
  void postNext() noexcept;

  Turns<std::shared_ptr<Connection>> waiting_;
  bool isStalled_ = false;        // the letter for the next one could not be posted
  std::list<Connection *> spare_; // in the order in which they were offered
  std::map<std::string, std::size_t> byPeer_;
  Clock::time_point warned_ = Clock::time_point::min();
};

} // namespace skillhost::http
