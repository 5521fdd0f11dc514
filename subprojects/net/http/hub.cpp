// SPDX-License-Identifier: Apache-2.0
#include "hub.hpp"

#include "base/http.hpp"
#include "base/log.hpp"
#include "connection.hpp"

#include <exception>
#include <utility>

namespace skillhost::http {

void Hub::add(const std::shared_ptr<Connection> &connection) {
  std::list<Connection *> one{connection.get()};
  connection->place = connections.size();
  connections.push_back(connection);
  connection->spare = one.begin();
  busy_.splice(busy_.end(), one);
  figures.open.add(1);
}

void Hub::remove(Connection &connection) {
  figures.open.add(-1);
  withdraw(connection);
  busy_.erase(connection.spare);
  giveBack(connection.client().address);
  const std::size_t place = connection.place;
  std::swap(connections[place], connections.back());
  connections[place]->place = place;
  connections.pop_back();
}

void Hub::offer(Connection &connection) {
  if (connection.isProtected() || std::exchange(connection.isSpare, true)) return;
  spare_.splice(spare_.end(), busy_, connection.spare);
}

void Hub::withdraw(Connection &connection) {
  if (std::exchange(connection.isSpare, false)) busy_.splice(busy_.end(), spare_, connection.spare);
}

bool Hub::makeRoom() {
  if (spare_.empty()) return false;
  spare_.front()->drop("makes room for a new one");
  return true;
}

bool Hub::take(const std::string &address) {
  if (settings.maxConnectionsPerPeer == 0 || address.empty()) return true;
  std::size_t &taken = byPeer_[address];
  if (taken >= settings.maxConnectionsPerPeer) return false;
  ++taken;
  return true;
}

void Hub::giveBack(const std::string &address) {
  const auto peer = byPeer_.find(address);
  if (peer != byPeer_.end() && --peer->second == 0) byPeer_.erase(peer);
}

void Hub::goOnLater(std::shared_ptr<Connection> connection) {
  const bool isFirst = waiting_.empty();
  const std::string network = networkOf(connection->client().name);
  waiting_.add(network, std::move(connection));
  // A letter that is posted while letters are read is read in the next round.
  if (isFirst) postNext();
}

void Hub::postNext() noexcept {
  try {
    loop.mailbox()->post([this] { goOnWithNext(); });
    isStalled_ = false;
  } catch (const std::exception &) {
    isStalled_ = true;
  }
}

void Hub::goOnWithNext() {
  const auto next = waiting_.take();
  if (!waiting_.empty()) postNext();
  if (next) (*next)->attempt([&] { (*next)->takeTurn(); });
}

void Hub::goOnAfterShortage() {
  if (isStalled_) postNext();
}

bool Hub::isWaiting(const Connection &connection) const {
  return !waiting_.empty() && waiting_.sizeOf(networkOf(connection.client().name)) != 0;
}

void Hub::warnOfProxy(const std::string &text) {
  const auto now = Clock::now();
  if (warned_ != Clock::time_point::min() && now - warned_ < std::chrono::minutes(1)) return;
  warned_ = now;
  log::warning("http", text);
}

} // namespace skillhost::http
