// SPDX-License-Identifier: Apache-2.0
// Names a skill's origin in the forms of bills of materials.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost::app {

// Returns the package URL (purl) of the skill from its source's facts (facts.h); empty if the
// origin has no public address, such as a local folder.
std::string packageUrl(const std::string &name, const Json &facts);

// Returns the publisher of the origin: "github.com/owner"; empty: nobody.
std::string supplierOf(const Json &facts);

// Returns an address that is a valid IRI: "git@host:path" becomes ssh://.
std::string asUri(const std::string &address);

// Returns the text of a fact; empty: none.
std::string factText(const Json &facts, const char *name);

} // namespace skillhost::app
