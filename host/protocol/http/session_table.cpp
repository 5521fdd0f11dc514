// SPDX-License-Identifier: Apache-2.0
#include "session_table.hpp"

namespace skillhost {

std::shared_ptr<HttpSession> SessionTable::takeOldest() {
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    const HttpSession &one = *at->second;
    if (one.standing()->attached() || !one.client().idle()) continue;
    if (oldest == sessions_.end() || one.used() < oldest->second->used()) oldest = at;
  }
  return oldest == sessions_.end() ? nullptr : take(oldest);
}

std::shared_ptr<HttpSession> SessionTable::take(Sessions::iterator at) {
  std::shared_ptr<HttpSession> taken = std::move(at->second);
  sessions_.erase(at);
  const auto owned = owned_.find(taken->owner());
  if (--owned->second == 0) owned_.erase(owned);
  return taken;
}

bool SessionTable::unused(const HttpSession &session, HttpSession::Clock::time_point now) const {
  return now - session.used() > idle_ && !session.standing()->attached() && session.client().idle();
}

bool SessionTable::add(const std::shared_ptr<HttpSession> &session) {
  std::shared_ptr<HttpSession> over;
  bool added = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto owned = owned_.find(session->owner());
    const std::size_t own = owned == owned_.end() ? 0 : owned->second;
    if (own > most_ / 10 && !session->owner().empty()) return false;
    if (sessions_.size() >= most_) over = takeOldest();
    added = sessions_.size() < most_ && sessions_.emplace(session->id(), session).second;
    if (added) ++owned_[session->owner()];
  }
  if (over) over->end();
  return added;
}

std::shared_ptr<HttpSession> SessionTable::find(std::string_view id, std::string_view owner) const {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(std::string(id));
  if (found == sessions_.end() || found->second->owner() != owner) return nullptr;
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
      if (const auto one = at++; unused(*one->second, now)) over.push_back(take(one));
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
