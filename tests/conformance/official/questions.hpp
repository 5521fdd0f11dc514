// SPDX-License-Identifier: Apache-2.0
// The tools that ask the client, in both families, and their answers.
#pragma once

#include <skillhost/tools.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace fixture {

using Json = nlohmann::ordered_json;

Json text(const std::string &text); // a result of one text

// Each returns a result, or null for any other tool.
Json askWithin(const skh::Exchange &exchange, std::string_view name, const Json &arguments);
Json askBetween(const skh::Exchange &exchange, std::string_view name);
// prompts/get can ask too.
Json askForPrompt(const skh::Exchange &exchange);

} // namespace fixture
