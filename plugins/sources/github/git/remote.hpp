// SPDX-License-Identifier: Apache-2.0
// Connects libgit2 to a remote, to list its references and to fetch objects. Only one thread may
// use it.
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
  // Connects and lists the references. `conversation` is null for a repository on this machine.
  // Throws skh::Error, and RemoteError if the repository cannot be reached.
  Remote(ObjectStore &store, const std::string &url, Conversation *conversation,
         remote::Operation &operation);

  const std::vector<RemoteReference> &references() const noexcept { return references_; }
  // Fetches the objects named by `wanted`, such as "refs/heads/main", "refs/heads/*" or an id, with
  // everything they need. It changes no reference of ours. Throws as the constructor does.
  void download(const std::vector<std::string> &wanted);

private:
  void readReferences();

  Passage passage_;
  RepositoryHandle repository_;
  Handle<git_remote, git_remote_free> remote_; // declared last, because it uses the members above
  std::vector<RemoteReference> references_;
};

} // namespace skillhost::github
