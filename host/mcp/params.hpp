// SPDX-License-Identifier: Apache-2.0
// Reads the params of a method. Wrong ones are answered with -32602.
#pragma once

#include "ground/json_member.hpp"
#include "mcp/call.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost {

// A client asks by this member of _meta for more entries in one answer of a list than are usual.
inline constexpr const char *wishedPageSize = "org.skillhost/pageSize";

// Returns a required string. If it is missing or no string, it fails the call and returns nothing.
inline std::optional<std::string> requiredText(const CallPointer &call, const char *name) {
  const Json &found = memberOf(call->params(), name);
  if (found.is_string()) return found.get<std::string>();
  call->fail({Fault::InvalidParams,
              std::string("params.") + name +
                  (call->params().contains(name) ? " must be a string" : " is missing")});
  return std::nullopt;
}

// Returns the cursor of a list, "" for the first page. If it is empty or no string, it fails the
// call and returns nothing.
inline std::optional<std::string> cursorOf(const CallPointer &call) {
  const auto found = call->params().find("cursor");
  if (found == call->params().end() || found->is_null()) return std::string();
  if (found->is_string() && !found->get_ref<const std::string &>().empty())
    return found->get<std::string>();
  call->fail({Fault::InvalidParams, "Invalid cursor"});
  return std::nullopt;
}

// Returns the entries of a page: `usual`, or the client's wish if that is higher, up to `most`. If
// the wish is no number above 0, it fails the call and returns nothing.
inline std::optional<std::size_t> pageSizeOf(const CallPointer &call, std::size_t usual,
                                             std::size_t most) {
  const auto meta = call->params().find("_meta");
  if (meta == call->params().end() || !meta->is_object()) return usual;
  const auto wish = meta->find(wishedPageSize);
  if (wish == meta->end()) return usual;
  if (wish->is_number_unsigned() && wish->get<std::uint64_t>() > 0)
    return std::clamp<std::uint64_t>(wish->get<std::uint64_t>(), usual, std::max(usual, most));
  call->fail({Fault::InvalidParams,
              std::string("params._meta[\"") + wishedPageSize + "\"] must be an integer above 0"});
  return std::nullopt;
}

} // namespace skillhost
