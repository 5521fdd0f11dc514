// SPDX-License-Identifier: Apache-2.0
// Which addresses belong to the world, and which to this machine, its network or nobody: one list
// for what plugins ask and for what the host lets them ask.
#pragma once

#include <array>
#include <cstdint>

namespace skillhost {

// IPv4 as IPv6: ::ffff:192.0.2.1.
using AddressBytes = std::array<std::uint8_t, 16>;

bool isMappedAddress(const AddressBytes &address) noexcept; // an IPv4 address
AddressBytes mappedAddress(const std::uint8_t *four) noexcept;

// Whether it is given out to the world. Not so are loopback, private, shared, link-local (where
// clouds keep their metadata), multicast and reserved ranges of IPv4 and IPv6, those of IPv4 within
// IPv6 included.
bool isPublicAddress(const AddressBytes &address) noexcept;

} // namespace skillhost
