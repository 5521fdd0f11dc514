// SPDX-License-Identifier: Apache-2.0
// The sessions of the legacy family that this process has in memory, by the ids that their clients
// send.
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
#include <utility>
#include <vector>

namespace skillhost {

// Any thread.
class SessionTable {
public:
  // `onEvicted` receives a session that add() ends for lack of room, before its end. May be empty.
  using OnEvicted = std::function<void(const std::shared_ptr<HttpSession> &session)>;
  SessionTable(std::size_t maxSessions, std::chrono::seconds idle, OnEvicted onEvicted = {})
      : maxSessions_(maxSessions), idle_(idle), onEvicted_(std::move(onEvicted)) {}

  // Returns the share of the principal `owner`; if that is empty, the share of a network (see
  // networkOf()).
  std::shared_ptr<SessionShare> shareOf(const std::string &owner, const std::string &network);
  // Adds a session. If there are too many, it ends the one that was unused for the longest time,
  // has no listening client and runs nothing; it returns false if all are in use. A share may have
  // a tenth of the sessions and the bytes of its budget; if it has used them up, its own longest
  // unused session ends.
  bool add(const std::shared_ptr<HttpSession> &session);
  // Returns null if there is no such session, if its id is too old, or if it belongs to somebody
  // else, so that a stranger does not learn that it exists.
  std::shared_ptr<HttpSession> find(std::string_view id, std::string_view owner);
  bool end(std::string_view id, std::string_view owner);
  // Ends sessions that were unused for `idle` and have no listening client, and those whose ids are
  // too old. Sessions of the first kind are made again when their clients return.
  void sweep();
  // Returns the time from one sweep to the next, short enough that no session is kept much longer
  // than `idle`.
  std::chrono::seconds sweepAfter() const noexcept;
  void endAll();
  std::vector<std::shared_ptr<HttpSession>> all() const;
  std::size_t size() const;

private:
  using Order = std::list<const HttpSession *>;
  struct Entry {
    std::shared_ptr<HttpSession> session;
    Order::iterator ofAll, ofShare; // its positions in order_ and in SessionShare::order
  };
  using Sessions = std::unordered_map<std::string, Entry>;
  // The caller of these functions holds the lock.
  // Removes the longest unused session of order_ or of a share's order, and returns it; null if all
  // are in use. A session that has a listening client or runs something moves to the end of the
  // order, as if it was used now, so that the next call does not examine it again.
  std::shared_ptr<HttpSession> takeOldest(Order &order);
  std::shared_ptr<HttpSession> remove(Sessions::iterator at);
  bool insert(const std::shared_ptr<HttpSession> &session);
  bool isIdle(const HttpSession &session, HttpSession::Clock::time_point now) const;

  const std::size_t maxSessions_;
  const std::chrono::seconds idle_;
  const OnEvicted onEvicted_; // may be empty
  mutable std::mutex mutex_;
  Sessions sessions_;
  Order order_; // the longest unused one first
  // May contain shares that have ended.
  std::unordered_map<std::string, std::weak_ptr<SessionShare>> shares_;
};

} // namespace skillhost
