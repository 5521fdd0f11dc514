// SPDX-License-Identifier: Apache-2.0
// What `skillhost client-config` was told.
#pragma once

#include "client.hpp"

#include <cstdint>
#include <string>

namespace skillhost::app {

struct ClientInvocation {
  enum class Action : std::uint8_t { Print, Write, Remove };
  Action action = Action::Print;
  std::string client;
  std::string name = "skillhost"; // of the entry
  std::string file;               // absolute
  ClientServer server;
};

} // namespace skillhost::app
