// SPDX-License-Identifier: Apache-2.0
// A made-up machine on which a command asks what a server would serve.
#pragma once

#include "catalogue_description.hpp"
#include "catalogue_invocation.hpp"
#include "made_up.hpp"

#include <string>
#include <vector>

namespace made_up {

struct AskedMachine : Machine {
  Result<CatalogueInvocation> run(const std::vector<std::string> &arguments) const {
    const Result<ParsedArguments> given = parseArguments(catalogueDescription(), arguments);
    if (!given) return given.failure();
    return catalogueInvocation(*given, surroundings);
  }
};

} // namespace made_up
