// SPDX-License-Identifier: Apache-2.0
#include "json_output.hpp"

#include "ground/shown.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace skillhost::app {

void printJson(const Json &json) {
  printJsonText(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace));
}

} // namespace skillhost::app
