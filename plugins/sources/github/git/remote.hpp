// SPDX-License-Identifier: Apache-2.0
// One connection of libgit2 to the other side: what it has, and what we take of it. One thread.
#pragma once

#include "object_store.hpp"
#include "subtransport.hpp"

namespace skillhost::github {

struct RemoteReference {
  std::string name; // "HEAD", "refs/heads/main", "refs/tags/v1^{}"
  std::string id;
};

class Remote {
public:
  // Connects and asks what there is. `conversation` is null for a repository on this machine.
  // Throws skh::Error, RemoteError when it cannot be had.
  Remote(ObjectStore &store, const std::string &url, Conversation *conversation,
         remote::Operation &operation);

  const std::vector<RemoteReference> &references() const noexcept { return references_; }
  // Fetches what the left sides name, "refs/heads/main", "refs/heads/*" or an id, with all that it
  // needs. No reference of ours is touched. Throws like the constructor.
  void download(const std::vector<std::string> &wanted);

private:
  void readReferences();

  Passage passage_;
  RepositoryHandle repository_;
  Handle<git_remote, git_remote_free> remote_; // before what it uses is gone
  std::vector<RemoteReference> references_;
};

} // namespace skillhost::github
