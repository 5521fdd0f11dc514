// SPDX-License-Identifier: Apache-2.0
// Reads a list of a server page by page, as far as it is valid.
#pragma once

#include "conversation/conversation.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct ListingRequest {
  std::string method, member; // such as "tools/list" and "tools"
  std::string key;            // key of an entry: name, uri or uriTemplate
  Json params;                // for every page
};
struct Listing {
  std::vector<Json> entries; // sorted by their keys, which are unique and not empty
  std::vector<std::string> remarks;
  std::vector<Json> metas; // the _meta of each page that has one
};

// If the server does not know the method, the list is empty, with a remark. Fails for any other
// error, for more than 10,000 entries or 1,000 pages, and for a page that leads back to an earlier
// one.
Result<Listing> readListing(Conversation &conversation, const ListingRequest &request,
                            Deadline deadline);

} // namespace skillhost
