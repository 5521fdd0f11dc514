// SPDX-License-Identifier: Apache-2.0
#include "commands/json_output.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace skillhost::app {

void printJson(const Json &json) {
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

} // namespace skillhost::app
