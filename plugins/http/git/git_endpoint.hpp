// SPDX-License-Identifier: Apache-2.0
// The catalogue as a git repository that clients can clone and fetch over HTTP (gitprotocol-http,
// versions 0 to 2 of the protocol), as the caller may see it.
#pragma once

#include "ground/result.hpp"
#include "http/http_routes.hpp"
#include "http/route_handler.hpp"
#include "packets.hpp"
#include "packs.hpp"
#include "snapshots.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::git {

// The path of the repository, with a slash at its end.
constexpr std::string_view repositoryFolder = "/git/skills.git/";

// Never blocks.
class GitEndpoint final : public RouteHandler {
public:
  GitEndpoint(const HttpParts &parts, SnapshotRules rules);

  std::string name() const override { return "the git repository"; }
  std::vector<HttpRoute> routes() const override;
  void handle(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override;

private:
  using Exchange = std::shared_ptr<HttpExchange>;
  enum class Protocol : std::uint8_t { Version0, Version1, Version2 };
  // A request for a pack while it is answered.
  struct Transfer {
    Exchange exchange;
    Fetch fetch;
    bool isVersion2 = false;
    std::string head{}; // of the answer, before the pack
    std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
  };
  using TransferPointer = std::shared_ptr<Transfer>;

  static Protocol protocolOf(const HttpRequest &request);
  void admit(const Exchange &exchange, std::function<void(const PrincipalPointer &)> onAdmitted);
  View viewOf(const PrincipalPointer &caller) const;
  void sendCapabilities(const Exchange &exchange, const PrincipalPointer &caller);
  void answerBody(const Exchange &exchange, const PrincipalPointer &caller);
  // Makes the snapshot that the caller sees. If a skill has changed since the catalogue was made,
  // it waits for the next catalogue and tries again, `tries` times in all.
  using OnSnapshot = std::function<void(const Result<SnapshotPointer> &)>;
  void makeSnapshot(const PrincipalPointer &caller, OnSnapshot onMade, int tries);
  void answerListRefs(const Exchange &exchange, const ListRefs &list,
                      const PrincipalPointer &caller);
  void answerFetch(const TransferPointer &transfer, const PrincipalPointer &caller);
  void answerFetchOf(const TransferPointer &transfer, const SnapshotPointer &snapshot,
                     const std::string &mark);
  // Writes what both sides have in common. Returns false if no pack follows yet.
  static bool agree(Transfer &transfer, const std::vector<ObjectId> &common);
  void sendPack(const TransferPointer &transfer, const SnapshotPointer &snapshot,
                std::vector<SnapshotPointer> haves);
  void refuse(const Exchange &exchange, const Failure &why);

  Library &library_;
  const Access &access_;
  McpEndpoint &mcp_;
  const std::shared_ptr<Turns> snapshotTurns_, packTurns_;
  const std::shared_ptr<RestlessSkills> restless_ = std::make_shared<RestlessSkills>();
  const std::shared_ptr<Snapshots> snapshots_;
  const std::shared_ptr<Packs> packs_;
};

} // namespace skillhost::git
