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
      return remove(sessions_.find(oldest.id()));
    order.splice(order.end(), order, order.begin());
  }
  return nullptr;
}

std::shared_ptr<HttpSession> SessionTable::remove(Sessions::iterator at) {
  const Entry entry = std::move(at->second);
  order_.erase(entry.ofAll);
  entry.session->share().order.erase(entry.ofShare);
  sessions_.erase(at);
  return entry.session;
}

bool SessionTable::insert(const std::shared_ptr<HttpSession> &session) {
  // These are allocated first, so that a lack of memory leaves nothing half done.
  Order ofAll{session.get()}, ofShare{session.get()};
  Order &share = session->share().order;
  if (!sessions_.try_emplace(session->id(), Entry{session, ofAll.begin(), ofShare.begin()}).second)
    return false;
  order_.splice(order_.end(), ofAll);
  share.splice(share.end(), ofShare);
  return true;
}

std::chrono::seconds SessionTable::sweepAfter() const noexcept {
  return std::clamp(idle_ / 2, std::chrono::seconds(1), std::chrono::seconds(60));
}

bool SessionTable::isIdle(const HttpSession &session, HttpSession::Clock::time_point now) const {
  return now - session.lastUsed() > idle_ && !session.standaloneStream()->isAttached() &&
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
  const Entry &entry = found->second;
  if (entry.session->owner() != owner || entry.session->hasExpired()) return nullptr;
  entry.session->touch();
  order_.splice(order_.end(), order_, entry.ofAll);
  Order &share = entry.session->share().order;
  share.splice(share.end(), share, entry.ofShare);
  return entry.session;
}

bool SessionTable::end(std::string_view id, std::string_view owner) {
  std::shared_ptr<HttpSession> session;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = sessions_.find(std::string(id));
    if (found == sessions_.end() || found->second.session->owner() != owner) return false;
    session = remove(found);
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
      if (const auto it = at++;
          isIdle(*it->second.session, now) || it->second.session->hasExpired())
        over.push_back(remove(it));
  }
  for (const auto &session : over) session->end();
}

std::vector<std::shared_ptr<HttpSession>> SessionTable::all() const {
  std::vector<std::shared_ptr<HttpSession>> all;
  const std::scoped_lock lock(mutex_);
  all.reserve(sessions_.size());
  for (const auto &[id, entry] : sessions_) all.push_back(entry.session);
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
