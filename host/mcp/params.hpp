// SPDX-License-Identifier: Apache-2.0
// Reading the params of a method: wrong ones are answered with -32602.
#pragma once

#include "mcp/call.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace skillhost {

// A required string; when it is missing or none, the call has failed.
inline std::optional<std::string> requiredText(const CallPointer &call, const char *name) {
  const auto found = call->params().find(name);
  if (found != call->params().end() && found->is_string()) return found->get<std::string>();
  call->fail({Fault::InvalidParams,
              std::string("params.") + name +
                  (found == call->params().end() ? " is missing" : " must be a string")});
  return std::nullopt;
}

// The cursor of a list, "" for the first page; nothing when it is no string and the call has
// failed.
inline std::optional<std::string> cursorOf(const CallPointer &call) {
  const auto found = call->params().find("cursor");
  if (found == call->params().end() || found->is_null()) return std::string();
  if (found->is_string() && !found->get_ref<const std::string &>().empty())
    return found->get<std::string>();
  call->fail({Fault::InvalidParams, "Invalid cursor"});
  return std::nullopt;
}

} // namespace skillhost
