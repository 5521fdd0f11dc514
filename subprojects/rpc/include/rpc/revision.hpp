// SPDX-License-Identifier: Apache-2.0
// The revisions of MCP that this server speaks, and everything that differs between their two
// families.
#pragma once

#include "ground/fragments.hpp"
#include "ground/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// The legacy family has a handshake and keeps state in a session. In the modern family every
// request carries everything that the server needs.
enum class ProtocolFamily : std::uint8_t { Legacy, Modern };

inline constexpr std::array<std::string_view, 4> legacyVersions{"2025-11-25", "2025-06-18",
                                                                "2025-03-26", "2024-11-05"};
inline constexpr std::array<std::string_view, 1> modernVersions{"2026-07-28"};

bool isModernVersion(std::string_view version) noexcept;
// Returns the version that the handshake agrees on: the requested one, or our newest legacy one.
std::string_view negotiate(std::string_view requested) noexcept;

// JSON-RPC error codes that MCP adds.
inline constexpr int headerMismatch = -32020, missingCapability = -32021,
                     unsupportedVersion = -32022;
// Returns the error code for a resource that does not exist; it differs before 2026-07-28 and
// since.
int resourceNotFound(ProtocolFamily family) noexcept;

// Says if, and for how long, a client may keep a result (modern family only).
struct Caching {
  int ttlMilliseconds = -1; // -1: this kind of result says nothing about it
  bool shared = true;       // false: only this caller may keep it
};
inline constexpr Caching notCached{};
inline constexpr Caching cachedAsLongAsProgram{3'600'000};
inline constexpr Caching cachedBriefly{5'000}; // list_changed reports changes earlier

// Builds a whole answer. `members` are the members of the result object, without its braces; `meta`
// are members for its _meta. Only the modern family has _meta and `type`.
Fragments resultMessage(ProtocolFamily family, std::string_view id, Fragments members,
                        Caching caching, std::string_view version, std::string_view meta = {},
                        std::string_view type = "complete");
// `id` is JSON text, `params` a JSON object or empty.
Fragments requestMessage(std::string_view id, std::string_view method, std::string_view params);
Fragments errorMessage(std::string_view id, int code, std::string_view message,
                       std::string_view data);
// `params` is a JSON object.
Fragments notificationMessage(std::string_view method, std::string_view params);

} // namespace skillhost
