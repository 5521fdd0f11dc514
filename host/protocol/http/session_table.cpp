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
  if (oldest == sessions_.end()) return nullptr;
  auto taken = std::move(oldest->second);
  sessions_.erase(oldest);
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
    std::size_t own = 0;
    if (!session->owner().empty())
      for (const auto &[id, one] : sessions_) own += one->owner() == session->owner() ? 1U : 0U;
    if (own > most_ / 10) return false;
    if (sessions_.size() >= most_) over = takeOldest();
    added = sessions_.size() < most_ && sessions_.emplace(session->id(), session).second;
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
    session = std::move(found->second);
    sessions_.erase(found);
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
      if (unused(*at->second, now)) {
        over.push_back(std::move(at->second));
        at = sessions_.erase(at);
      } else {
        ++at;
      }
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
