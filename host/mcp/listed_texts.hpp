// SPDX-License-Identifier: Apache-2.0
// What depends on the skills in the lists of the protocol, as it stands there.
#pragma once

#include "skills/catalogue.hpp"

#include <memory>
#include <string>

namespace skillhost {

struct Services;

// Of list_skills, the one tool of the host's own that tells of the skills. Made once for each
// catalogue.
std::shared_ptr<const std::string>
listingDescription(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
std::string describePrompt(const CatalogueEntry &entry);
std::string describeResource(const CatalogueEntry &entry);

} // namespace skillhost
