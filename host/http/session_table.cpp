// SPDX-License-Identifier: Apache-2.0
#include "session_table.hpp"

#include <algorithm>

namespace skillhost {
namespace {

// About what a session takes that has said and done nothing.
constexpr std::size_t bareSession = 4U << 10U;

} // namespace

std::shared_ptr<SessionShare> SessionTable::shareOf(const std::string &owner,
                                                    const std::string &network) {
  // A principal's name begins with its issuer and has a line feed in it, a network's has none.
  const std::string &key = owner.empty() ? network : owner;
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<SessionShare> &kept = shares_[key];
  std::shared_ptr<SessionShare> share = kept.lock();
  if (!share) kept = share = std::make_shared<SessionShare>();
  constexpr std::size_t fewShares = 64;
  if (shares_.size() > 2 * sessions_.size() + fewShares)
    std::erase_if(shares_, [](const auto &one) { return one.second.expired(); });
  return share;
}

std::shared_ptr<HttpSession> SessionTable::takeOldest(const SessionShare *share) {
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    const HttpSession &one = *at->second;
    if (share != nullptr && &one.share() != share) continue;
    if (oldest != sessions_.end() && one.used() >= oldest->second->used()) continue;
    if (!one.standing()->attached() && one.client().idle()) oldest = at;
  }
  return oldest == sessions_.end() ? nullptr : take(oldest);
}

std::shared_ptr<HttpSession> SessionTable::take(Sessions::iterator at) {
  std::shared_ptr<HttpSession> taken = std::move(at->second);
  sessions_.erase(at);
  --taken->share().sessions;
  return taken;
}

std::chrono::seconds SessionTable::sweepAfter() const noexcept {
  return std::clamp(idle_ / 2, std::chrono::seconds(1), std::chrono::seconds(60));
}

bool SessionTable::unused(const HttpSession &session, HttpSession::Clock::time_point now) const {
  return now - session.used() > idle_ && !session.standing()->attached() && session.client().idle();
}

bool SessionTable::add(const std::shared_ptr<HttpSession> &session) {
  for (;;) {
    std::shared_ptr<HttpSession> over;
    bool added = false, isLast = false;
    {
      const std::scoped_lock lock(mutex_);
      const bool fits =
          session->share().sessions <= most_ / 10 && session->client().hold(bareSession);
      if (!fits) {
        over = takeOldest(&session->share());
      } else {
        if (sessions_.size() >= most_) over = takeOldest(nullptr);
        added = sessions_.size() < most_ && sessions_.emplace(session->id(), session).second;
        if (added) ++session->share().sessions;
      }
      isLast = fits || !over;
    }
    // Without the lock: its end gives back what it holds.
    if (over && ousted_) ousted_(over);
    if (over) over->end();
    if (isLast) return added;
  }
}

std::shared_ptr<HttpSession> SessionTable::find(std::string_view id, std::string_view owner) const {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(std::string(id));
  if (found == sessions_.end() || found->second->owner() != owner || found->second->isOver())
    return nullptr;
  found->second->touch();
  return found->second;
}

bool SessionTable::end(std::string_view id, std::string_view owner) {
  std::shared_ptr<HttpSession> session;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = sessions_.find(std::string(id));
    if (found == sessions_.end() || found->second->owner() != owner) return false;
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
      if (const auto one = at++; unused(*one->second, now) || one->second->isOver())
        over.push_back(take(one));
  }
  for (const auto &session : over) session->end();
}

std::vector<std::shared_ptr<HttpSession>> SessionTable::all() const {
  std::vector<std::shared_ptr<HttpSession>> all;
  const std::scoped_lock lock(mutex_);
  all.reserve(sessions_.size());
  for (const auto &[id, session] : sessions_) all.push_back(session);
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
