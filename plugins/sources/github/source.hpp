// SPDX-License-Identifier: Apache-2.0
// One instance of the plugin: a branch, a tag or a commit of one repository as a source.
#pragma once

#include "followed_mirror.hpp"

#include "remote/followed_source.hpp"

namespace skillhost::github {

class GithubSource final : public remote::FollowedSource<Snapshot> {
public:
  // Throws skh::Error(SKH_INVALID) for a configuration it cannot use. Asks nobody: a thread of
  // its own begins with that.
  GithubSource(skh::Host host, const skh::Call &call);

  // From the object database: never from the network.
  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override;

private:
  remote::Follower &follower() noexcept override { return follower_; }
  void tellAll(const skh::Call &call, const Snapshot &snapshot, const skh::Documents &out) override;
  void tellChanges(const skh::Call &call, const Snapshot &before, const Snapshot &now,
                   const skh::Documents &out) override;
  // Of which repository and commit each skill is.
  std::string factsAbout(const Snapshot &snapshot) const override { return factsOf(snapshot); }

  static skh::Document describe(const Snapshot &snapshot, const StoredSkill &skill,
                                const StoredDocument &document, std::string &location);

  Settings settings_;
  Mirror mirror_;
  FollowedMirror followed_;
  remote::Follower follower_; // last: its thread uses all of the above
};

} // namespace skillhost::github
