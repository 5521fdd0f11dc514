// SPDX-License-Identifier: Apache-2.0
// Which family a request is of, by what its _meta says.
#pragma once

#include "rpc/message.hpp"
#include "rpc/revision.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace skillhost {

inline constexpr const char *clientInfoKey = "io.modelcontextprotocol/clientInfo"; // in _meta
inline constexpr const char *logLevelKey = "io.modelcontextprotocol/logLevel";     // the same

// How the conversation began: what a request without the members of _meta is taken for.
enum class Opening : std::uint8_t { None, Legacy, Modern };

struct FamilyRefusal {
  int code; // of the JSON-RPC error
  std::string words, data;
};

std::variant<ProtocolFamily, FamilyRefusal> familyOf(const Message &request, Opening opening);

// The version that _meta names; empty when it names none.
std::string_view versionNamed(const Message &request);

// The `data` of an error that refuses a version.
std::string versionData(std::string_view requested);

} // namespace skillhost
