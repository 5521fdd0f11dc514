// SPDX-License-Identifier: Apache-2.0
// Tells public addresses from those of this machine, its network or nobody. Plugins' requests and
// the host's limits for them share this list.
#pragma once

#include <array>
#include <cstdint>

namespace skillhost {

// An IPv6 address, or an IPv4 address mapped into IPv6: ::ffff:192.0.2.1.
using AddressBytes = std::array<std::uint8_t, 16>;

bool isMappedAddress(const AddressBytes &address) noexcept; // true for an IPv4 address
AddressBytes mappedAddress(const std::uint8_t *four) noexcept;

// Returns true if the address is globally assigned. It is false for loopback, private, shared,
// link-local (where clouds keep their metadata), multicast and reserved ranges of IPv4 and IPv6,
// including IPv4 ranges within IPv6.
bool isPublicAddress(const AddressBytes &address) noexcept;

} // namespace skillhost
