// SPDX-License-Identifier: Apache-2.0
// Makes the server's answer to `initialize`, with the instructions for models. The server sends it,
// and so do programs that answer in its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// The ways to avoid sending a client a skill that it has already. Remembered: the server remembers
// what the client has loaded. WithDigests: the client compares the digests in results. Other: none.
enum class Reader : std::uint8_t { Remembered, WithDigests, Other };

// The text of `instructions` if the configuration sets none.
std::string usualInstructions(Reader reader);

// Returns the members of the result of `initialize`: the version agreed on for a client that asks
// for `requested`, the capabilities, and `instructionsJson`, a JSON string.
std::string handshakeMembers(std::string_view requested, std::string_view version,
                             std::string_view instructionsJson);

// Returns the same as a JSON object, with the usual instructions for a client that the server
// remembers.
std::string handshakeResult(std::string_view requested, std::string_view version);

} // namespace skillhost
