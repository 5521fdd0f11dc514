// SPDX-License-Identifier: Apache-2.0
#include "rpc/repeated_fields.hpp"

#include "ground/base64.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {

const char *memberRepeated(std::string_view method) noexcept {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : nullptr;
}

std::string encodedField(std::string_view value) {
  // Space within the value is fine, but a receiver would take space around it for padding.
  const bool plain =
      std::all_of(value.begin(), value.end(), [](char byte) { return byte >= ' ' && byte <= '~'; });
  if (plain && !value.starts_with(' ') && !value.ends_with(' ') && !value.starts_with("=?"))
    return std::string(value);
  return "=?base64?" + encodeBase64(value) + "?=";
}

HttpFields repeatedFields(std::string_view version, std::string_view method, const Json &params) {
  HttpFields fields{{"MCP-Protocol-Version", encodedField(version)},
                    {"Mcp-Method", encodedField(method)}};
  const char *const member = memberRepeated(method);
  if (member == nullptr || !params.is_object()) return fields;
  const auto found = params.find(member);
  if (found != params.end() && found->is_string())
    fields.emplace_back("Mcp-Name", encodedField(found->get_ref<const std::string &>()));
  return fields;
}

} // namespace skillhost
