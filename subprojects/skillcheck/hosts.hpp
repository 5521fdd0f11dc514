// SPDX-License-Identifier: Apache-2.0
// The trust in the host of a download.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost {

enum class Standing : std::uint8_t {
  None,        // no address, or a variable
  WellKnown,   // an installer that its vendor documents
  Placeholder, // localhost, a private address, or a reserved name
  Forge,       // anybody's repository at a well-known host, over https
  Unknown,
  Suspicious, // a numeric address, a paste site, a link shortener, a tunnel, or no TLS
};

// Returns the worst standing among the addresses in the first 4,096 bytes of `text`.
Standing standingOf(std::string_view text);

} // namespace skillhost
