// SPDX-License-Identifier: Apache-2.0
// Computes which of a cluster's 16,384 slots a key is in, and reads which node has a slot.
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

// CRC16 (XMODEM) of the key, or of the text between its first "{" and the next "}" if that is not
// empty, so that keys with the same tag are in one slot.
std::uint16_t slotOf(std::string_view key) noexcept;

struct SlotMap {
  static constexpr std::size_t maxNodes = 1'000;
  static constexpr std::uint16_t nobody = 0xffff;

  std::vector<Address> nodes;                    // nodes with slots, each once
  std::array<std::uint16_t, slotCount> owners{}; // index in `nodes`, or nobody
};

// Reads the answer to CLUSTER SLOTS. A node without an address is the node that was asked. Returns
// nothing if the answer is invalid.
std::optional<SlotMap> readSlots(const Reply &reply, const Address &asked);

// An error "MOVED 3999 host:port" or "ASK 3999 host:port". An empty host is that of `asked`.
struct Redirection {
  std::uint16_t slot;
  Address to;
};
std::optional<Redirection> readRedirection(std::string_view error, const Address &asked);

} // namespace skillhost::valkey
