// SPDX-License-Identifier: Apache-2.0
// The address of a page of a repository, as a browser shows it.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::app {

// https://github.com/org/repo/tree/branch/folder. Of any other address the URL alone.
struct RepositoryPage {
  std::string url, ref, folder; // the last two may be empty
};
RepositoryPage repositoryPage(std::string_view url);

} // namespace skillhost::app
