// SPDX-License-Identifier: Apache-2.0
// What the host of an address says about a download.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost {

enum class Standing : std::uint8_t {
  None,        // no address, or a variable
  WellKnown,   // an installer that its vendor documents
  Placeholder, // localhost, a private address, or a name that nobody can own
  Forge,       // anybody's repository at a well-known host, over https
  Unknown,
  Suspicious, // a number, a paste site, a link shortener, a tunnel, or no TLS
};

// The worst of the addresses in `text`; only its first 4,096 bytes are read.
Standing standingOf(std::string_view text);

} // namespace skillhost
