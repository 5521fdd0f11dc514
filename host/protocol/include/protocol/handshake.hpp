// SPDX-License-Identifier: Apache-2.0
// What a server says in the legacy handshake, for who has to say it in a server's place.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// The result of `initialize`, a JSON object: the version agreed on when a client asks for
// `requested`, and the capabilities of a server of this software.
std::string handshakeResult(std::string_view requested, std::string_view version);

} // namespace skillhost
