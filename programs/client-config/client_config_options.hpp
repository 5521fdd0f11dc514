// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost client-config`: their description and their values.
#pragma once

#include "app/surroundings.hpp"
#include "client.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <string>

namespace skillhost::app {

struct ClientInvocation {
  enum class Action : std::uint8_t { Print, Write, Remove };
  Action action = Action::Print;
  std::string client;
  std::string name = "skillhost"; // name of the entry
  std::string file;               // absolute
  ClientServer server;
};

CommandDescription clientConfigDescription();

Result<ClientInvocation> clientConfigInvocation(const ParsedArguments &arguments,
                                                const Surroundings &surroundings);

} // namespace skillhost::app
