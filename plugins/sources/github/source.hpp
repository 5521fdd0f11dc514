// SPDX-License-Identifier: Apache-2.0
// One instance of the plugin: a branch, a tag or a commit of one repository as a source.
#pragma once

#include "followed_mirror.hpp"

#include "remote/follower.hpp"

#include <skillhost/facts.hpp>

#include <atomic>

namespace skillhost::github {

class GithubSource final : public skh::Source, public skh::Facts {
public:
  // Throws skh::Error(SKH_INVALID) for a configuration it cannot use. Asks nobody: a thread of
  // its own begins with that.
  GithubSource(skh::Host host, const skh::Call &call);

  // What is known, at once; only when nothing is, it waits for the first fetch.
  void list(const skh::Call &call, const skh::Documents &out) override;
  // From the object database: never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;
  // The difference of two commits. Asks nobody.
  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override;
  // Of which repository and commit each skill is.
  std::string facts(const skh::Call &call, std::string_view snapshot) override;

private:
  static skh::Document describe(const Snapshot &snapshot, const StoredSkill &skill,
                                const StoredDocument &document, std::string &location);

  skh::Host host_;
  Settings settings_;
  std::atomic<bool> hasListed_{false};
  History history_;
  Mirror mirror_;
  FollowedMirror followed_;
  remote::Follower follower_; // last: its thread uses all of the above
};

} // namespace skillhost::github
