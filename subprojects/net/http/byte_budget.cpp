// SPDX-License-Identifier: Apache-2.0
#include "byte_budget.hpp"

namespace skillhost::http {

bool ByteBudget::take(std::string_view peer, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (bytes > all_ - taken_) return false;
  auto found = byPeer_.find(peer);
  const std::size_t own = found == byPeer_.end() ? 0 : found->second;
  if (bytes > eachPeer_ - own) return false;
  if (found == byPeer_.end()) found = byPeer_.emplace(peer, 0).first;
  found->second += bytes;
  taken_ += bytes;
  return true;
}

void ByteBudget::giveBack(std::string_view peer, std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto found = byPeer_.find(peer);
  if (found == byPeer_.end()) return;
  taken_ -= bytes;
  found->second -= bytes;
  if (found->second == 0) byPeer_.erase(found);
}

} // namespace skillhost::http
