// SPDX-License-Identifier: Apache-2.0
// Makes the texts in the protocol's lists that depend on the skills.
#pragma once

#include "skills/catalogue.hpp"

#include <memory>
#include <string>

namespace skillhost {

struct Services;

// Returns the description of list_skills, the only tool of the host's own that describes the
// skills. It is made once for each catalogue.
std::shared_ptr<const std::string>
listingDescription(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
std::string describePrompt(const CatalogueEntry &entry);
std::string describeResource(const CatalogueEntry &entry);

} // namespace skillhost
