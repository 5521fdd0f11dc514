// SPDX-License-Identifier: Apache-2.0
// Fetches the trees of a commit into the store and verifies each by its id. Only one thread may use
// it.
#pragma once

#include "client.hpp"
#include "listing.hpp"

#include "git/object_writer.hpp"

#include <unordered_map>

namespace skillhost::github {

struct FetchedTrees {
  std::string root; // id of the commit's tree
  // Sizes of the listed blobs in bytes, as the API reports them.
  std::unordered_map<std::string, std::uint64_t> sizes{};
  std::uint64_t bytes = 0; // sum of all listed blobs, counted as often as they appear
  bool isWhole = true;     // the listing is complete
};

// Writes the trees above and below `subpath` with `writer`. This takes one request, unless the API
// cuts the listing short; then it takes one for each folder above, and several for those below.
// `maxFiles` limits the entries below. Throws skh::Error: SKH_NOT_FOUND if there is no folder
// `subpath`, SKH_TOO_LARGE; RemoteError if the API does not know the commit or its listing does not
// match the tree.
FetchedTrees fetchTrees(ApiClient &client, ObjectWriter &writer, const std::string &commit,
                        const std::string &subpath, std::size_t maxFiles);

} // namespace skillhost::github
