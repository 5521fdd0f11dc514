// SPDX-License-Identifier: Apache-2.0
// Where a skill comes from, in the forms that programs for bills of materials know.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost::app {

// The package URL (purl) of the skill by what its source states of it (facts.h); empty where there
// is no place in the world that it could name, such as a folder of this machine.
std::string packageUrl(const std::string &name, const Json &facts);

// Who publishes the place that it comes from: "github.com/owner"; empty where that is nobody.
std::string supplierOf(const Json &facts);

// An address that fits where an IRI has to be: "git@host:path" is written as ssh://.
std::string asUri(const std::string &address);

// The text of a fact; empty when there is none.
std::string factText(const Json &facts, const char *name);

} // namespace skillhost::app
