// SPDX-License-Identifier: Apache-2.0
#include "sentinel.hpp"

#include "../refusal.hpp"

namespace skillhost::valkey {

std::optional<Address> readMaster(const Reply &reply) {
  if (reply.kind != Reply::Kind::List || reply.elements.size() != 2) return std::nullopt;
  const std::string &host = reply.elements[0].text, &port = reply.elements[1].text;
  const bool isVersion6 = host.find(':') != host.npos;
  auto address =
      readAddress((isVersion6 ? "[" + host + "]" : host) + ":" + port, Address::usualPort);
  if (!address || address->isPath()) return std::nullopt;
  return address;
}

SentinelTopology::SentinelTopology(const Settings &settings, const NodeNeeds &needs,
                                   const Connector &sentinels)
    : Discovered(needs), settings_(settings), sentinels_(sentinels) {}

NodePointer SentinelTopology::knownNode(std::string_view /*key*/) const { return master_.copy(); }

std::vector<NodePointer> SentinelTopology::nodes() const {
  NodePointer master = master_.copy();
  if (master == nullptr) return {};
  return {std::move(master)};
}

NodePointer SentinelTopology::redirected(std::string_view error, const Address &asked) {
  throw skh::Error(SKH_UNAVAILABLE, asked.text() + " is a node of a cluster (`cluster` in the " +
                                        "configuration): " + shownError(error));
}

std::optional<Address> SentinelTopology::askOne(const Address &sentinel, const Limit &limit) const {
  const std::unique_ptr<Connection> connection = sentinels_.open(sentinel, limit);
  const Reply reply = connection->ask(
      commandOf({"SENTINEL", "get-master-addr-by-name", settings_.masterName}), limit);
  throwRefusal(reply, sentinel.text());
  return readMaster(reply);
}

void SentinelTopology::confirmRole(const Address &master, const Limit &limit) const {
  const std::unique_ptr<Connection> connection = needs_.connector.open(master, limit);
  const Reply reply = connection->ask(commandOf({"ROLE"}), limit);
  // The user may not ask for the role. An engine that takes no writes will say so at the first
  // write.
  if (reply.isError() && refusalOf(reply.text) == Refusal::NoPermission) return;
  throwError(reply, master.text());
  if (reply.kind != Reply::Kind::List || reply.elements.empty() ||
      reply.elements.front().text != "master")
    throw ConnectionLost(master.text() + ", which the sentinels name, is no master (yet)");
}

void SentinelTopology::follow(const Address &address, const Limit &limit) {
  const NodePointer before = master_.copy();
  const bool isTheSame = before != nullptr && before->address() == address;
  if (isTheSame && !before->isAway()) return;
  confirmRole(address, limit);
  if (isTheSame) return;
  master_.with([&](NodePointer &node) { node = std::make_shared<Node>(address, needs_); });
  needs_.host.log(SKH_INFO, "the master is " + address.text());
}

void SentinelTopology::discover(const Limit &limit) {
  const std::size_t count = settings_.addresses.size(), first = first_;
  std::string why, refused;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = (first + i) % count;
    const Address &sentinel = settings_.addresses[index];
    try {
      // Each sentinel gets a share of the time, so that a silent one does not use all of it.
      const auto address = askOne(sentinel, limit.shortened(partOf(settings_.timeout, count)));
      if (address) {
        first_ = index;
        return follow(*address, limit);
      }
      why = sentinel.text() + " knows no master \"" + settings_.masterName + "\"";
    } catch (const LoginRefused &error) {
      refused = error.what();
    } catch (const skh::Error &error) {
      if (error.status() == SKH_CANCELLED || error.status() == SKH_DEADLINE) throw;
      why = error.what();
    }
  }
  if (!refused.empty()) throw LoginRefused(refused);
  throw ConnectionLost(why);
}

} // namespace skillhost::valkey
