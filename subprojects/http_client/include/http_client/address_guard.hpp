// SPDX-License-Identifier: Apache-2.0
// Which network addresses a name may lead to, looked at after the name was resolved.
#pragma once

#include <string>

struct sockaddr;

namespace skillhost::web {

// What isPublicAddress() says no to, and what is neither IPv4 nor IPv6.
bool isPrivateAddress(const sockaddr &address) noexcept;

// "192.0.2.7" or "2001:db8::7", for messages.
std::string addressText(const sockaddr &address);

// An IPv4 address in four decimal parts, an IPv6 address in brackets, or "localhost".
bool namesAddress(const std::string &host);

} // namespace skillhost::web
