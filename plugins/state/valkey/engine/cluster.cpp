// SPDX-License-Identifier: Apache-2.0
#include "cluster.hpp"

#include "../refusal.hpp"

namespace skillhost::valkey {
namespace {

SlotMap slotsFrom(const Reply &reply, const Address &asked) {
  throwRefusal(reply, asked.text());
  auto map = readSlots(reply, asked);
  if (!map)
    throw ConnectionLost(asked.text() +
                         " says nothing that can be read about the slots of a cluster");
  return *std::move(map);
}

} // namespace

ClusterTopology::ClusterTopology(const Settings &settings, const NodeNeeds &needs)
    : Discovered(needs), settings_(settings) {}

NodePointer ClusterTopology::nodeAt(View &view, const Address &address) {
  NodePointer &node = view.nodes[address];
  if (node == nullptr) node = std::make_shared<Node>(address, needs_);
  return node;
}

NodePointer ClusterTopology::knownNode(std::string_view key) const {
  return view_.with([&](const View &view) -> NodePointer {
    return view.owners.empty() ? nullptr : view.owners[slotOf(key)];
  });
}

std::vector<NodePointer> ClusterTopology::nodes() const {
  return view_.with([](const View &view) {
    std::vector<NodePointer> all;
    all.reserve(view.nodes.size());
    for (const auto &[address, node] : view.nodes) all.push_back(node);
    return all;
  });
}

NodePointer ClusterTopology::redirected(std::string_view error, const Address &asked) {
  const auto redirection = readRedirection(error, asked);
  if (!redirection)
    throw skh::Error(SKH_UNAVAILABLE, asked.text() + " names no other node: " + shownError(error));
  const bool isForGood = refusalOf(error) == Refusal::Moved;
  return view_.with([&](View &view) -> NodePointer {
    if (!view.nodes.contains(redirection->to) && view.nodes.size() >= SlotMap::maxNodes)
      throw skh::Error(SKH_UNAVAILABLE, asked.text() + " names more nodes than are kept");
    NodePointer node = nodeAt(view, redirection->to);
    if (isForGood && !view.owners.empty()) view.owners[redirection->slot] = node;
    return node;
  });
}

SlotMap ClusterTopology::askAnyNode(const Limit &limit) {
  const std::string command = commandOf({"CLUSTER", "SLOTS"});
  std::string why = "no node of the cluster is known", refused;
  const auto isFinal = [&](const skh::Error &error) {
    why = error.what();
    return error.status() == SKH_CANCELLED || error.status() == SKH_DEADLINE;
  };
  for (const NodePointer &node : nodes()) {
    if (node->isAway()) continue;
    try {
      return slotsFrom(node->ask(command, limit, Repeat::IfLost), node->address());
    } catch (const LoginRefused &error) {
      refused = error.what();
    } catch (const skh::Error &error) {
      if (isFinal(error)) throw;
    }
  }
  for (const Address &seed : settings_.addresses) {
    try {
      const Limit part = limit.shortened(partOf(settings_.timeout, settings_.addresses.size()));
      return slotsFrom(needs_.connector.open(seed, part)->ask(command, part), seed);
    } catch (const LoginRefused &error) {
      refused = error.what();
    } catch (const skh::Error &error) {
      if (isFinal(error)) throw;
    }
  }
  if (!refused.empty()) throw LoginRefused(refused);
  throw ConnectionLost(why);
}

void ClusterTopology::discover(const Limit &limit) { applySlots(askAnyNode(limit)); }

void ClusterTopology::applySlots(const SlotMap &map) {
  view_.with([&](View &view) {
    View next;
    for (const Address &address : map.nodes) next.nodes[address] = nodeAt(view, address);
    next.owners.resize(slotCount);
    for (std::size_t slot = 0; slot < slotCount; ++slot)
      if (map.owners[slot] != SlotMap::nobody)
        next.owners[slot] = next.nodes[map.nodes[map.owners[slot]]];
    view = std::move(next);
  });
}

} // namespace skillhost::valkey
