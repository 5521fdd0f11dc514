// SPDX-License-Identifier: Apache-2.0
// Checks a resolved network address.
#pragma once

#include <string>

struct sockaddr;

namespace skillhost::web {

// Returns true if isPublicAddress() is false, and for anything but IPv4 and IPv6.
bool isPrivateAddress(const sockaddr &address) noexcept;

// Returns "192.0.2.7" or "2001:db8::7", for messages.
std::string addressText(const sockaddr &address);

// Returns true for an IPv4 address in four decimal parts, an IPv6 address in brackets, or
// "localhost".
bool namesAddress(const std::string &host);

} // namespace skillhost::web
