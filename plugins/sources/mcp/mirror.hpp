// SPDX-License-Identifier: Apache-2.0
// Holds the skills of a server in memory and in the cache directory. Only the follower's thread
// (remote/follower.hpp) may call it, except for read() and isServing().
#pragma once

#include "http_upstream.hpp"
#include "program_upstream.hpp"
#include "snapshot.hpp"
#include "state_file.hpp"

#include "mcp_client/listed_skill.hpp"
#include "objects/object_folder.hpp"
#include "remote/findings_log.hpp"
#include "remote/snapshot_mirror.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace skillhost::mcp_source {

class Mirror final : public remote::SnapshotMirror<Snapshot> {
public:
  Mirror(skh::Host host, const Settings &settings, History &history);

  void load() override;
  // Reads the list, and then only files with digests that are not in the cache. A skill that cannot
  // be fetched stays as it was. The other skills are ready to be published before this throws.
  void refresh(remote::Operation &operation, const std::function<void()> &publishNow) override;
  // Removes files from the cache that are no longer used.
  void tidy(const remote::Checkpoint &checkpoint) override;
  std::string serving() const override;
  std::int64_t checked() const override { return state_.checked; }

  // The token of all requests to a server over HTTP.
  Credential &credential() noexcept { return credential_; }
  // The program that is the server; null: the server is reached over HTTP.
  ProgramUpstream *program() noexcept { return program_; }
  // Returns the bytes of the document, whose name in messages is `name`. Throws
  // skh::Error(SKH_UNAVAILABLE) if they are missing or damaged in the cache; the next refresh then
  // fetches them again. Any thread may call it.
  std::string read(const StoredDocument &document, const std::string &name);

private:
  struct RefreshState; // state of one pass

  using Reasons = std::map<std::string, std::string>; // why skills failed, by id

  bool refreshOnce(remote::Operation &operation, bool isLast, Reasons &failed);
  void readList(RefreshState &state);
  void keepUnlisted(RefreshState &state, const MissingSkills &missing);
  bool plan(RefreshState &state);
  void fetch(RefreshState &state);
  void fetchBatch(RefreshState &state, std::size_t begin, std::size_t end);
  void accept(RefreshState &state, std::size_t which, const Result<std::string> &content);
  void finish(RefreshState &state);
  void finishAfterFailure(RefreshState &state);
  bool isComplete(const StoredSkill &skill) const;

  const Settings &settings_;
  const std::string agent_;
  Credential credential_;
  objects::ObjectFolder folder_;
  std::unique_ptr<Upstream> upstream_;
  ProgramUpstream *program_ = nullptr; // the same, if it is one
  State state_;
  std::set<std::string> failedBefore_; // ids of skills that are fetched last, because they failed
  bool needsTidy_ = false;             // a refresh has ended since the last tidy()
  remote::FindingsLog findings_;
};

} // namespace skillhost::mcp_source
