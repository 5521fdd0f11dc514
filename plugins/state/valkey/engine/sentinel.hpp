// SPDX-License-Identifier: Apache-2.0
// The master that sentinels name.
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
  NodePointer known(std::string_view key) const override;
  void learn(const Limit &limit) override;
  std::optional<Address> askOne(const Address &sentinel, const Limit &limit) const;
  void follow(const Address &master, const Limit &limit);
  void confirmRole(const Address &master, const Limit &limit) const;

  const Settings &settings_;
  const Connector &sentinels_;
  std::atomic<std::size_t> first_{0}; // the sentinel to ask first: the last one that answered
  Guarded<NodePointer> master_;       // null: not known yet
};

// What a sentinel says of a master: [host, port]. Nothing when it knows none of that name.
std::optional<Address> readMaster(const Reply &reply);

} // namespace skillhost::valkey
