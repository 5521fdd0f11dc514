// SPDX-License-Identifier: Apache-2.0
// A list of a server, page by page, as far as it makes sense.
#pragma once

#include "conversation.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct ListingRequest {
  std::string method, member; // tools/list, tools
  std::string key;            // of an entry: name, or uri, or uriTemplate
  Json params;                // of every page
};
struct Listing {
  std::vector<Json> entries; // sorted by their keys, which are texts, not empty, and differ
  std::vector<std::string> remarks;
};

// A method that the server does not know is an empty list, with a remark. Fails for any other
// error, for more than 10,000 entries or 1,000 pages, and for a page that leads back to one before.
Result<Listing> readListing(Conversation &conversation, const ListingRequest &request,
                            Deadline deadline);

} // namespace skillhost
