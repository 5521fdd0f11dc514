// SPDX-License-Identifier: Apache-2.0
// Which of a cluster's 16,384 slots a key is in, and which node has a slot.
#pragma once

#include "address.hpp"
#include "protocol/reply.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace skillhost::valkey {

constexpr std::size_t slotCount = 16'384;

// CRC16 (XMODEM) of the key, or of what is between its first "{" and the next "}" where that is not
// empty, so that keys with the same tag are in one place.
std::uint16_t slotOf(std::string_view key) noexcept;

struct SlotMap {
  static constexpr std::size_t mostNodes = 1'000;
  static constexpr std::uint16_t nobody = 0xffff;

  std::vector<Address> nodes;                    // those that have slots, each once
  std::array<std::uint16_t, slotCount> owners{}; // by index in `nodes`, or nobody
};

// The answer to CLUSTER SLOTS. A node without an address is the one that was asked. Nothing when it
// is no such answer.
std::optional<SlotMap> readSlots(const Reply &reply, const Address &asked);

// "MOVED 3999 host:port", "ASK 3999 host:port". An empty host is that of `asked`.
struct Redirection {
  std::uint16_t slot;
  Address to;
};
std::optional<Redirection> readRedirection(std::string_view error, const Address &asked);

} // namespace skillhost::valkey
