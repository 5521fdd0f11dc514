// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves the skills of one MCP server as a source.
#pragma once

#include "listener.hpp"
#include "mirror.hpp"

#include "remote/mirrored_source.hpp"

#include <optional>

namespace skillhost::mcp_source {

class McpSource final : public remote::MirroredSource<Snapshot, Settings, Mirror> {
public:
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not contact the server;
  // background threads do.
  McpSource(skh::Host host, const skh::Call &call);

  // Reads from the cache, never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;

private:
  void listAll(const skh::Call &call, const Snapshot &snapshot, const skh::Documents &out) override;
  void listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                   const skh::Documents &out) override;
  // States the server, and the URI of each skill.
  std::string factsAbout(const Snapshot &snapshot) const override { return factsOf(snapshot); }

  // Last, because they ask the follower for refreshes. One of them at most is there.
  std::optional<Listener> listener_;
  std::optional<ProgramListener> programListener_;
};

} // namespace skillhost::mcp_source
