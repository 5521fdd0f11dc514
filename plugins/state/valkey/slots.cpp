// SPDX-License-Identifier: Apache-2.0
#include "slots.hpp"

#include <algorithm>
#include <charconv>

namespace skillhost::valkey {
namespace {

constexpr std::array<std::uint16_t, 256> crcTable = [] {
  constexpr unsigned polynomial = 0x1021;
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    unsigned crc = byte << 8U;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ polynomial : crc << 1U;
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

std::string_view hashed(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  if (open == key.npos) return key;
  const std::size_t close = key.find('}', open + 1);
  if (close == key.npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

template <class Number> std::optional<Number> numberIn(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Reads [host, port, …] as in CLUSTER SLOTS.
std::optional<Address> nodeIn(const Reply &reply, const Address &asked) {
  if (reply.kind != Reply::Kind::List || reply.elements.size() < 2) return std::nullopt;
  const Reply &host = reply.elements[0], &port = reply.elements[1];
  if (port.kind != Reply::Kind::Integer || port.integer < 1 || port.integer > 0xffff)
    return std::nullopt;
  const auto number = static_cast<std::uint16_t>(port.integer);
  if (host.kind == Reply::Kind::Nil || host.text.empty()) return Address{asked.host, number};
  if (host.text == "?") return std::nullopt; // the cluster does not know it either
  const bool isVersion6 = host.text.find(':') != host.text.npos;
  const auto read = readAddress(isVersion6 ? "[" + host.text + "]" : host.text, number);
  if (!read || read->isPath()) return std::nullopt;
  return Address{read->host, number};
}

std::optional<std::uint16_t> indexOf(SlotMap &map, const Address &node) {
  const auto found = std::ranges::find(map.nodes, node);
  if (found != map.nodes.end()) return static_cast<std::uint16_t>(found - map.nodes.begin());
  if (map.nodes.size() >= SlotMap::maxNodes) return std::nullopt;
  map.nodes.push_back(node);
  return static_cast<std::uint16_t>(map.nodes.size() - 1);
}

bool addRange(SlotMap &map, const Reply &range, const Address &asked) {
  if (range.kind != Reply::Kind::List || range.elements.size() < 3) return false;
  const Reply &first = range.elements[0], &last = range.elements[1];
  constexpr auto end = static_cast<std::int64_t>(slotCount);
  if (first.kind != Reply::Kind::Integer || last.kind != Reply::Kind::Integer ||
      first.integer < 0 || last.integer < first.integer || last.integer >= end)
    return false;
  const auto node = nodeIn(range.elements[2], asked);
  if (!node) return true; // those slots have no owner at present
  const auto index = indexOf(map, *node);
  if (!index) return false;
  std::fill(map.owners.begin() + first.integer, map.owners.begin() + last.integer + 1, *index);
  return true;
}

} // namespace

std::uint16_t slotOf(std::string_view key) noexcept {
  unsigned crc = 0;
  for (const char c : hashed(key))
    crc = ((crc << 8U) & 0xffffU) ^ crcTable[(crc >> 8U) ^ static_cast<unsigned char>(c)];
  return static_cast<std::uint16_t>(crc % slotCount);
}

std::optional<SlotMap> readSlots(const Reply &reply, const Address &asked) {
  if (reply.kind != Reply::Kind::List) return std::nullopt;
  SlotMap map;
  map.owners.fill(SlotMap::nobody);
  for (const Reply &range : reply.elements)
    if (!addRange(map, range, asked)) return std::nullopt;
  if (map.nodes.empty()) return std::nullopt;
  return map;
}

std::optional<Redirection> readRedirection(std::string_view error, const Address &asked) {
  const std::size_t first = error.find(' ');
  const std::size_t second = first == error.npos ? first : error.find(' ', first + 1);
  if (second == error.npos) return std::nullopt;
  const auto slot = numberIn<std::uint16_t>(error.substr(first + 1, second - first - 1));
  const std::string_view where = error.substr(second + 1);
  const std::size_t colon = where.rfind(':');
  if (!slot || *slot >= slotCount || colon == where.npos) return std::nullopt;
  const auto port = numberIn<std::uint16_t>(where.substr(colon + 1));
  if (!port || *port == 0) return std::nullopt;
  std::string host(where.substr(0, colon));
  if (host.empty()) return Redirection{*slot, {asked.host, *port}};
  if (host.find(':') != host.npos && host.front() != '[') host = "[" + host + "]";
  const auto to = readAddress(host, *port);
  if (!to || to->isPath()) return std::nullopt;
  return Redirection{*slot, {to->host, *port}};
}

} // namespace skillhost::valkey
