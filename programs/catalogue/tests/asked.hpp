// SPDX-License-Identifier: Apache-2.0
// A made-up machine on which a command asks what a server would serve.
#pragma once

#include "catalogue_command.hpp"
#include "known_configuration.hpp"
#include "made_up.hpp"

#include <string>
#include <vector>

namespace made_up {

struct AskedMachine : Machine {
  // Parses the arguments of the program. Throws the failure.
  static ParsedArguments given(const std::vector<std::string> &arguments) {
    const Result<ParsedArguments> parsed = parseArguments(catalogueDescription(), arguments);
    if (!parsed) throw std::runtime_error(parsed.failure().message);
    return *parsed;
  }
  Result<KnownConfiguration> known(const std::vector<std::string> &arguments,
                                   const ConfigurationNeeds &needs = {}) const {
    return knownConfiguration(given(arguments), surroundings, needs);
  }
};

} // namespace made_up
