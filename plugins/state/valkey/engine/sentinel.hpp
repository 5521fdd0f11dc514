// SPDX-License-Identifier: Apache-2.0
// Follows the master that the sentinels name.
#pragma once

#include "discovered.hpp"

#include "ground/guarded.hpp"

namespace skillhost::valkey {

class SentinelTopology final : public Discovered {
public:
  SentinelTopology(const Settings &settings, const NodeNeeds &needs, const Connector &sentinels);

  NodePointer redirected(std::string_view error, const Address &asked) override;
  std::vector<NodePointer> nodes() const override;

private:
  NodePointer knownNode(std::string_view key) const override;
  void discover(const Limit &limit) override;
  std::optional<Address> askOne(const Address &sentinel, const Limit &limit) const;
  void follow(const Address &master, const Limit &limit);
  void confirmRole(const Address &master, const Limit &limit) const;

  const Settings &settings_;
  const Connector &sentinels_;
  std::atomic<std::size_t> first_{0}; // sentinel to ask first: the last one that answered
  Guarded<NodePointer> master_;       // null: not known yet
};

// Reads a sentinel's answer about a master: [host, port]. Returns nothing if it does not know the
// master.
std::optional<Address> readMaster(const Reply &reply);

} // namespace skillhost::valkey
