// SPDX-License-Identifier: Apache-2.0
// Which engine has what: one at an address, the master that sentinels name, the nodes of a cluster.
#pragma once

#include "../settings.hpp"
#include "node.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace skillhost::valkey {

using NodePointer = std::shared_ptr<Node>;

// Any thread.
class Topology {
public:
  virtual ~Topology() = default;

  // The one that has the key. Throws skh::Error: SKH_UNAVAILABLE, at once when it was in vain to
  // ask before; SKH_DEADLINE; SKH_CANCELLED.
  virtual NodePointer nodeFor(std::string_view key, const Limit &limit) = 0;
  // That one, which a node of the cluster has named. For good: as the owner of the slot.
  virtual NodePointer redirected(std::string_view error, const Address &asked) = 0;
  // Asks anew who has what. Throws as nodeFor().
  virtual void refresh(const Limit &limit) = 0;
  // All that are known to take writes.
  virtual std::vector<NodePointer> nodes() const = 0;
};

// `needs` and `settings` must outlive it; `sentinels` is used for those alone.
std::unique_ptr<Topology> topologyOf(const Settings &settings, const NodeNeeds &needs,
                                     const Connector &sentinels);

} // namespace skillhost::valkey
