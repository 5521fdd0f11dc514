// SPDX-License-Identifier: Apache-2.0
// An instance of the plugin serves a branch, tag or commit of a repository as a source.
#pragma once

#include "followed_mirror.hpp"

#include "remote/followed_source.hpp"

namespace skillhost::github {

class GithubSource final : public remote::FollowedSource<Snapshot> {
public:
  // Throws skh::Error(SKH_INVALID) if the configuration is invalid. Does not contact the remote; a
  // background thread does.
  GithubSource(skh::Host host, const skh::Call &call);

  // Reads from the object database, never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;

private:
  remote::Follower &follower() noexcept override { return follower_; }
  void listAll(const skh::Call &call, const Snapshot &snapshot, const skh::Documents &out) override;
  void listChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                   const skh::Documents &out) override;
  // States the repository and commit of each skill.
  std::string factsAbout(const Snapshot &snapshot) const override { return factsOf(snapshot); }

  static skh::Document describe(const Snapshot &snapshot, const StoredSkill &skill,
                                const StoredDocument &document, std::string &location);

  Settings settings_;
  Mirror mirror_;
  FollowedMirror followed_;
  remote::Follower follower_; // last, because its thread uses all members above
};

} // namespace skillhost::github
