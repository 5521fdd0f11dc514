// SPDX-License-Identifier: Apache-2.0
// The address of a page of a repository, as a browser shows it.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// A page of GitHub, GitLab, Gitea, Forgejo or Bitbucket: a folder, a file or a commit, such as
// https://github.com/org/repo/tree/branch/folder. A file counts as the folder that holds it. Any
// other address is returned as `url`, without query, fragment and trailing slashes, and so is one
// that ends with .git. Where the page tells a branch from a tag, `ref` is the full reference.
struct RepositoryPage {
  std::string url, ref, folder; // the last two may be empty
  // The address does not say where the ref ends: `folder` may begin with the rest of it.
  bool mayRefContinue = false;
  // The reason why the address may mean something else than `url` says, with what to write; empty
  // if the address is clear.
  std::string problem{};
};
// A host that has nothing but git repositories and their pages.
bool isKnownGitHost(std::string_view host);

RepositoryPage repositoryPage(std::string_view address);

} // namespace skillhost
