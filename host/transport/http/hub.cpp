// SPDX-License-Identifier: Apache-2.0
#include "hub.hpp"

#include "connection.hpp"

#include <utility>

namespace skillhost::http {

void Hub::add(const std::shared_ptr<Connection> &connection) {
  connection->place = connections.size();
  connections.push_back(connection);
  if (!connection->client().address.empty()) ++byPeer[connection->client().address];
  figures.open.add(1);
}

void Hub::remove(Connection &connection) {
  figures.open.add(-1);
  if (const auto peer = byPeer.find(connection.client().address);
      peer != byPeer.end() && --peer->second == 0)
    byPeer.erase(peer);
  const std::size_t place = connection.place;
  std::swap(connections[place], connections.back());
  connections[place]->place = place;
  connections.pop_back();
}

} // namespace skillhost::http
