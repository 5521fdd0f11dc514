// SPDX-License-Identifier: Apache-2.0
// What a server of this software says in the legacy handshake, and how to use it: for the server,
// and for who has to say it in a server's place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost {

// Of a client: whether the server remembers what it has loaded, or its results have a digest to
// tell that by.
enum class Reader : std::uint8_t { Remembered, WithDigests, Other };

// What stands in `instructions` when the configuration says nothing.
std::string usualInstructions(Reader reader);

// The members of the result of `initialize`: the version agreed on when a client asks for
// `requested`, the capabilities, and `instructionsJson`, a JSON string.
std::string handshakeMembers(std::string_view requested, std::string_view version,
                             std::string_view instructionsJson);

// The same as a JSON object, with the usual instructions for a client that is remembered.
std::string handshakeResult(std::string_view requested, std::string_view version);

} // namespace skillhost
