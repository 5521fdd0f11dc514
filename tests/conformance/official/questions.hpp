// SPDX-License-Identifier: Apache-2.0
// The tools that ask the client, in both families, and what they answer.
#pragma once

#include <skillhost/tools.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace fixture {

using Json = nlohmann::ordered_json;

Json text(const std::string &text); // a result of one text

// A result; null when it is no tool of these.
Json askWithin(const skh::Exchange &exchange, std::string_view name, const Json &arguments);
Json askBetween(const skh::Exchange &exchange, std::string_view name);
// prompts/get asks too.
Json askForPrompt(const skh::Exchange &exchange);

} // namespace fixture
