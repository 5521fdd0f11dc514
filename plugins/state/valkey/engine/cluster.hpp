// SPDX-License-Identifier: Apache-2.0
// Tracks the nodes of a cluster and the owner of each slot.
#pragma once

#include "../slots.hpp"
#include "discovered.hpp"

#include "ground/guarded.hpp"

#include <map>

namespace skillhost::valkey {

class ClusterTopology final : public Discovered {
public:
  ClusterTopology(const Settings &settings, const NodeNeeds &needs);

  NodePointer redirected(std::string_view error, const Address &asked) override;
  std::vector<NodePointer> nodes() const override;

private:
  struct View {
    std::map<Address, NodePointer> nodes;
    std::vector<NodePointer> owners; // by slot; null: no owner; empty: nothing is known yet
  };

  NodePointer knownNode(std::string_view key) const override;
  void discover(const Limit &limit) override;
  SlotMap askAnyNode(const Limit &limit);
  void applySlots(const SlotMap &map);
  NodePointer nodeAt(View &view, const Address &address);

  const Settings &settings_;
  Guarded<View> view_;
};

} // namespace skillhost::valkey
