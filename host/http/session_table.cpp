// SPDX-License-Identifier: Apache-2.0
#include "session_table.hpp"

#include <algorithm>

namespace skillhost {
namespace {

// About the bytes of a session that has not done anything yet.
constexpr std::size_t bareSession = 4U << 10U;

} // namespace

std::shared_ptr<SessionShare> SessionTable::shareOf(const std::string &owner,
                                                    const std::string &network) {
  // The name of a principal contains a line feed after its issuer; the name of a network contains
  // none.
  const std::string &key = owner.empty() ? network : owner;
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<SessionShare> &kept = shares_[key];
  std::shared_ptr<SessionShare> share = kept.lock();
  if (!share) kept = share = std::make_shared<SessionShare>(key);
  constexpr std::size_t fewShares = 64;
  if (shares_.size() > 2 * sessions_.size() + fewShares)
    std::erase_if(shares_, [](const auto &one) { return one.second.expired(); });
  return share;
}

std::shared_ptr<HttpSession> SessionTable::takeOldest(Order &order) {
  for (std::size_t left = order.size(); left != 0; --left) {
    const HttpSession &oldest = *order.front();
    if (!oldest.standaloneStream()->isAttached() && oldest.client().idle())
      return take(sessions_.find(oldest.id()));
    order.splice(order.end(), order, order.begin());
  }
  return nullptr;
}

std::shared_ptr<HttpSession> SessionTable::take(Sessions::iterator at) {
  const Place place = std::move(at->second);
  order_.erase(place.ofAll);
  place.session->share().order.erase(place.ofShare);
  sessions_.erase(at);
  return place.session;
}

bool SessionTable::insert(const std::shared_ptr<HttpSession> &session) {
  // These are allocated first, so that a lack of memory leaves nothing half done.
  Order ofAll{session.get()}, ofShare{session.get()};
  Order &share = session->share().order;
  if (!sessions_.try_emplace(session->id(), Place{session, ofAll.begin(), ofShare.begin()}).second)
    return false;
  order_.splice(order_.end(), ofAll);
  share.splice(share.end(), ofShare);
  return true;
}

std::chrono::seconds SessionTable::sweepAfter() const noexcept {
  return std::clamp(idle_ / 2, std::chrono::seconds(1), std::chrono::seconds(60));
}

bool SessionTable::unused(const HttpSession &session, HttpSession::Clock::time_point now) const {
  return now - session.used() > idle_ && !session.standaloneStream()->isAttached() &&
         session.client().idle();
}

bool SessionTable::add(const std::shared_ptr<HttpSession> &session) {
  for (;;) {
    std::shared_ptr<HttpSession> over;
    bool added = false, isLast = false;
    {
      const std::scoped_lock lock(mutex_);
      const bool fits = session->share().order.size() <= maxSessions_ / 10 &&
                        session->client().reserveBytes(bareSession);
      if (!fits) {
        over = takeOldest(session->share().order);
      } else {
        if (sessions_.size() >= maxSessions_) over = takeOldest(order_);
        added = sessions_.size() < maxSessions_ && insert(session);
      }
      isLast = fits || !over;
    }
    // This runs without the lock, because the end of the session returns what it holds.
    if (over && onEvicted_) onEvicted_(over);
    if (over) over->end();
    if (isLast) return added;
  }
}

std::shared_ptr<HttpSession> SessionTable::find(std::string_view id, std::string_view owner) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(std::string(id));
  if (found == sessions_.end()) return nullptr;
  const Place &place = found->second;
  if (place.session->owner() != owner || place.session->isOver()) return nullptr;
  place.session->touch();
  order_.splice(order_.end(), order_, place.ofAll);
  Order &share = place.session->share().order;
  share.splice(share.end(), share, place.ofShare);
  return place.session;
}

bool SessionTable::end(std::string_view id, std::string_view owner) {
  std::shared_ptr<HttpSession> session;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = sessions_.find(std::string(id));
    if (found == sessions_.end() || found->second.session->owner() != owner) return false;
    session = take(found);
  }
  session->end();
  return true;
}

void SessionTable::sweep() {
  const auto now = HttpSession::Clock::now();
  std::vector<std::shared_ptr<HttpSession>> over;
  {
    const std::scoped_lock lock(mutex_);
    for (auto at = sessions_.begin(); at != sessions_.end();)
      if (const auto one = at++; unused(*one->second.session, now) || one->second.session->isOver())
        over.push_back(take(one));
  }
  for (const auto &session : over) session->end();
}

std::vector<std::shared_ptr<HttpSession>> SessionTable::all() const {
  std::vector<std::shared_ptr<HttpSession>> all;
  const std::scoped_lock lock(mutex_);
  all.reserve(sessions_.size());
  for (const auto &[id, place] : sessions_) all.push_back(place.session);
  return all;
}

void SessionTable::endAll() {
  for (const auto &session : all()) end(session->id(), session->owner());
}

std::size_t SessionTable::size() const {
  const std::scoped_lock lock(mutex_);
  return sessions_.size();
}

} // namespace skillhost
