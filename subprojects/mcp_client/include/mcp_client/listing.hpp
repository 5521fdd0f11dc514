// SPDX-License-Identifier: Apache-2.0
// Reads a list of a server page by page, as far as it is valid.
#pragma once

#include "mcp_client/conversation.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost {

struct ListingRequest {
  std::string method, member; // such as "tools/list" and "tools"
  std::string key;            // key of an entry: name, uri or uriTemplate
  Json params;                // for every page
  // 0: more than 10,000 entries or 1,000 pages are a fault. Otherwise reading ends after that many
  // entries, and `isCut` says whether there are more; as many pages may come, but at least 1,000.
  std::size_t mostEntries = 0;
};
struct Listing {
  std::vector<Json> entries; // sorted by their keys, which are unique and not empty
  std::vector<std::string> remarks;
  std::vector<Json> metas; // the _meta of each page that has one
  bool isCut = false;      // the server has more entries
};

// If the server does not know the method, the list is empty, with a remark. Fails for any other
// error, for too many entries or pages (see mostEntries), and for a page that leads back to an
// earlier one.
Result<Listing> readListing(Conversation &conversation, const ListingRequest &request,
                            Deadline deadline);

} // namespace skillhost
