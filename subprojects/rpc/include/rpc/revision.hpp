// SPDX-License-Identifier: Apache-2.0
// The revisions of MCP this server speaks, and all that differs between their two families.
#pragma once

#include "ground/fragments.hpp"
#include "ground/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// Legacy: a handshake, state in the session. Modern: every request carries all there is to know.
enum class ProtocolFamily : std::uint8_t { Legacy, Modern };

inline constexpr std::array<std::string_view, 4> legacyVersions{"2025-11-25", "2025-06-18",
                                                                "2025-03-26", "2024-11-05"};
inline constexpr std::array<std::string_view, 1> modernVersions{"2026-07-28"};

bool isModernVersion(std::string_view version) noexcept;
// The version the handshake agrees on: the one asked for, or our newest legacy one.
std::string_view negotiate(std::string_view requested) noexcept;

// JSON-RPC error codes that MCP adds.
inline constexpr int headerMismatch = -32020, missingCapability = -32021,
                     unsupportedVersion = -32022;
// For a resource that does not exist, before 2026-07-28 and since.
int resourceNotFound(ProtocolFamily family) noexcept;

// Whether, and for how long, a client may keep a result (modern only).
struct Caching {
  int ttlMilliseconds = -1; // -1: the result is not of the kind that says so
  bool shared = true;       // false: for this caller alone
};
inline constexpr Caching notCached{};
inline constexpr Caching cachedAsLongAsProgram{3'600'000};
inline constexpr Caching cachedBriefly{5'000}; // list_changed tells earlier

// A whole answer: `members` are those of the result object, without its braces; `meta` are members
// for its _meta, which like its type only the modern family has.
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
