// SPDX-License-Identifier: Apache-2.0
// A topology knows which engine has a key: a single engine, the master named by sentinels, or the
// nodes of a cluster.
#pragma once

#include "../settings.hpp"
#include "node.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace skillhost::valkey {

using NodePointer = std::shared_ptr<Node>;

// Any thread may use it.
class Topology {
public:
  virtual ~Topology() = default;

  // Returns the node that has the key. Throws skh::Error: SKH_UNAVAILABLE, at once if the previous
  // attempt to learn failed; SKH_DEADLINE; SKH_CANCELLED.
  virtual NodePointer nodeFor(std::string_view key, const Limit &limit) = 0;
  // Returns the node that an error reply names. A permanent move also makes it the owner of the
  // slot.
  virtual NodePointer redirected(std::string_view error, const Address &asked) = 0;
  // Learns the owners again. Throws as nodeFor() does.
  virtual void refresh(const Limit &limit) = 0;
  // Returns all nodes known to accept writes.
  virtual std::vector<NodePointer> nodes() const = 0;
};

// `needs` and `settings` must outlive it. `sentinels` is only used for connections to sentinels.
std::unique_ptr<Topology> topologyOf(const Settings &settings, const NodeNeeds &needs,
                                     const Connector &sentinels);

} // namespace skillhost::valkey
