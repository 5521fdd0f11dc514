// SPDX-License-Identifier: Apache-2.0
// Makes the pages about resources and prompts.
#pragma once

#include "generate/server_description.hpp"

#include <string>

namespace skillhost {

std::string resourcesPage(const ServerDescription &server);
std::string promptsPage(const ServerDescription &server);

} // namespace skillhost
