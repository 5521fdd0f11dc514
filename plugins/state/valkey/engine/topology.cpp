// SPDX-License-Identifier: Apache-2.0
#include "topology.hpp"

#include "../refusal.hpp"
#include "cluster.hpp"
#include "sentinel.hpp"

namespace skillhost::valkey {
namespace {

class SingleTopology final : public Topology {
public:
  SingleTopology(const Address &address, const NodeNeeds &needs)
      : node_(std::make_shared<Node>(address, needs)) {}

  NodePointer nodeFor(std::string_view /*key*/, const Limit & /*limit*/) override { return node_; }
  NodePointer redirected(std::string_view error, const Address &asked) override {
    throw skh::Error(SKH_UNAVAILABLE, asked.text() + " is a node of a cluster (`cluster` in the " +
                                          "configuration): " + shownError(error));
  }
  void refresh(const Limit & /*limit*/) override {}
  std::vector<NodePointer> nodes() const override { return {node_}; }

private:
  const NodePointer node_;
};

} // namespace

std::unique_ptr<Topology> topologyOf(const Settings &settings, const NodeNeeds &needs,
                                     const Connector &sentinels) {
  switch (settings.form) {
  case Form::Sentinel:
    return std::make_unique<SentinelTopology>(settings, needs, sentinels);
  case Form::Cluster:
    return std::make_unique<ClusterTopology>(settings, needs);
  default:
    return std::make_unique<SingleTopology>(settings.addresses.front(), needs);
  }
}

} // namespace skillhost::valkey
