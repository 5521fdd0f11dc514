// SPDX-License-Identifier: Apache-2.0
// Brings the trees of a commit into the store, each one proved by its id. One thread.
#pragma once

#include "client.hpp"
#include "listing.hpp"

#include "git/object_writer.hpp"

#include <unordered_map>

namespace skillhost::github {

struct FetchedTrees {
  std::string root; // id of the commit's tree
  // Bytes of the blobs that were listed, as the API says.
  std::unordered_map<std::string, std::uint64_t> sizes{};
  std::uint64_t bytes = 0; // of all of them, as often as they appear
  bool isWhole = true;     // they are all there are
};

// Writes the trees above and below `subpath` with `writer`. One request, unless the API cuts the
// listing short: then one for each folder above, and for as many below as it takes. `maxFiles` is
// of those below. Throws skh::Error: SKH_NOT_FOUND when there is no folder `subpath`,
// SKH_TOO_LARGE; RemoteError when the API does not know the commit, or lists what is not the tree.
FetchedTrees fetchTrees(ApiClient &client, ObjectWriter &writer, const std::string &commit,
                        const std::string &subpath, std::size_t maxFiles);

} // namespace skillhost::github
