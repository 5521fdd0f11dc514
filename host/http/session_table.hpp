// SPDX-License-Identifier: Apache-2.0
// The sessions of the legacy family that this process has in memory, by the id their clients send.
#pragma once

#include "http_session.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// Any thread.
class SessionTable {
public:
  SessionTable(std::size_t most, std::chrono::seconds idle) : most_(most), idle_(idle) {}

  // Of the sessions of a principal, by `owner`; of nobody known, of a network (see networkOf()).
  std::shared_ptr<SessionShare> shareOf(const std::string &owner, const std::string &network);
  // When there are too many, the one that nobody has used for the longest time ends, if it leads to
  // nobody and nothing of it runs. False when all are in use. A share is a tenth of the sessions,
  // and the bytes of its budget: of one that has it the longest unused one ends.
  bool add(const std::shared_ptr<HttpSession> &session);
  // Called with what add() ends for want of room, before its end. Before the first one.
  using Ousted = std::function<void(const std::shared_ptr<HttpSession> &session)>;
  void whenOusted(Ousted ousted) { ousted_ = std::move(ousted); }
  // Returns null if there is no such session, if its id is too old, and if it belongs to another: a
  // stranger is not told that it exists.
  std::shared_ptr<HttpSession> find(std::string_view id, std::string_view owner);
  bool end(std::string_view id, std::string_view owner);
  // Ends those that nobody has used for `idle` and that lead to nobody, and those whose ids are too
  // old. The first ones are made again when their clients come back.
  void sweep();
  // How long after one sweep the next is due, so that none is kept much longer than `idle`.
  std::chrono::seconds sweepAfter() const noexcept;
  void endAll();
  std::vector<std::shared_ptr<HttpSession>> all() const;
  std::size_t size() const;

private:
  using Order = std::list<const HttpSession *>;
  struct Place {
    std::shared_ptr<HttpSession> session;
    Order::iterator ofAll, ofShare; // in the two orders
  };
  using Sessions = std::unordered_map<std::string, Place>;
  // These under the lock.
  // Takes the longest unused one of order_, or of that of a share; null when all are in use. One
  // that leads to a client, or that something runs of, goes to the end of the order as one that was
  // used now. So not even many of them are looked at each time.
  std::shared_ptr<HttpSession> takeOldest(Order &order);
  std::shared_ptr<HttpSession> take(Sessions::iterator at);
  bool insert(const std::shared_ptr<HttpSession> &session);
  bool unused(const HttpSession &session, HttpSession::Clock::time_point now) const;

  const std::size_t most_;
  const std::chrono::seconds idle_;
  Ousted ousted_; // empty: nobody wants to know
  mutable std::mutex mutex_;
  Sessions sessions_;
  Order order_; // the longest unused one first
  std::unordered_map<std::string, std::weak_ptr<SessionShare>> shares_; // while anything is in them
};

} // namespace skillhost
