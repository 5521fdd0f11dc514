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
  connection->hubIndex = connections.size();
  connections.push_back(connection);
  connection->listPosition = one.begin();
  notClosable_.splice(notClosable_.end(), one);
  figures.open.add(1);
}

void Hub::remove(Connection &connection) {
  figures.open.add(-1);
  unmarkClosable(connection);
  notClosable_.erase(connection.listPosition);
  giveBack(connection.client().address);
  const std::size_t place = connection.hubIndex;
  std::swap(connections[place], connections.back());
  connections[place]->hubIndex = place;
  connections.pop_back();
}

void Hub::markClosable(Connection &connection) {
  if (connection.isProtected() || std::exchange(connection.isClosable, true)) return;
  closable_.splice(closable_.end(), notClosable_, connection.listPosition);
}

void Hub::unmarkClosable(Connection &connection) {
  if (std::exchange(connection.isClosable, false))
    notClosable_.splice(notClosable_.end(), closable_, connection.listPosition);
}

bool Hub::makeRoom() {
  if (closable_.empty()) return false;
  closable_.front()->drop("makes room for a new one");
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

void Hub::queueTurn(std::shared_ptr<Connection> connection) {
  const bool isFirst = waiting_.empty();
  const std::string network = networkOf(connection->client().name);
  waiting_.add(network, std::move(connection));
  // A letter that is posted while letters are read is read in the next round.
  if (isFirst) postNextTurn();
}

void Hub::postNextTurn() noexcept {
  try {
    loop.mailbox()->post([this] { serveNextTurn(); });
    isStalled_ = false;
  } catch (const std::exception &) {
    isStalled_ = true;
  }
}

void Hub::serveNextTurn() {
  const auto next = waiting_.take();
  if (!waiting_.empty()) postNextTurn();
  if (next) (*next)->attempt([&] { (*next)->takeTurn(); });
}

void Hub::retryTurns() {
  if (isStalled_) postNextTurn();
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
