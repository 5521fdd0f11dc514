// SPDX-License-Identifier: Apache-2.0
// Decides which family a request belongs to, from its _meta.
#pragma once

#include "rpc/message.hpp"
#include "rpc/revision.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace skillhost {

inline constexpr const char *clientInfoKey = "io.modelcontextprotocol/clientInfo"; // in _meta
inline constexpr const char *logLevelKey = "io.modelcontextprotocol/logLevel";     // the same

// The family of the first request of a session. It decides the family of a request whose _meta
// names no version.
enum class Opening : std::uint8_t { None, Legacy, Modern };

struct FamilyRefusal {
  int code; // the code of the JSON-RPC error
  std::string words, data;
};

std::variant<ProtocolFamily, FamilyRefusal> familyOf(const Message &request, Opening opening);

// Returns the version that _meta names, or an empty text if it names none.
std::string_view versionNamed(const Message &request);

// Returns the `data` of an error that refuses a version.
std::string versionData(std::string_view requested);

} // namespace skillhost
