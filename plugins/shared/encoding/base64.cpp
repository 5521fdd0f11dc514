// SPDX-License-Identifier: Apache-2.0
#include "base64.hpp"

#include <array>
#include <cstdint>

namespace skillhost::encoding {
namespace {

constexpr std::string_view base64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t notBase64 = 255; // has bits that no value has

constexpr std::array<std::uint8_t, 256> base64Table() {
  std::array<std::uint8_t, 256> table{};
  table.fill(notBase64);
  for (std::size_t value = 0; value < base64Alphabet.size(); ++value)
    table[static_cast<unsigned char>(base64Alphabet[value])] = static_cast<std::uint8_t>(value);
  return table;
}

constexpr std::array<std::uint8_t, 256> base64Values = base64Table();

std::uint32_t valueAt(std::string_view text, std::size_t at) {
  return base64Values[static_cast<unsigned char>(text[at])];
}

} // namespace

void appendBase64(std::string &out, std::string_view bytes) {
  std::size_t at = 0;
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : std::uint32_t{0};
  };
  out.reserve(out.size() + base64Size(bytes.size()));
  for (; at < bytes.size(); at += 3) {
    const std::uint32_t group = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
    out += base64Alphabet[group >> 18U];
    out += base64Alphabet[group >> 12U & 63U];
    out += at + 1 < bytes.size() ? base64Alphabet[group >> 6U & 63U] : '=';
    out += at + 2 < bytes.size() ? base64Alphabet[group & 63U] : '=';
  }
}

std::optional<std::size_t> decodeBase64(std::string_view text, char *out) noexcept {
  if (text.size() % 4 != 0) return std::nullopt;
  if (text.empty()) return 0;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t whole = text.size() - (padding == 0 ? 0 : 4);
  std::size_t written = 0;
  std::uint32_t wrong = 0;
  const auto put = [&](std::uint32_t value) { out[written++] = static_cast<char>(value & 255U); };
  for (std::size_t at = 0; at < whole; at += 4) {
    const std::uint32_t a = valueAt(text, at), b = valueAt(text, at + 1);
    const std::uint32_t c = valueAt(text, at + 2), d = valueAt(text, at + 3);
    wrong |= a | b | c | d;
    put(a << 2U | b >> 4U);
    put(b << 4U | c >> 2U);
    put(c << 6U | d);
  }
  if (padding != 0) {
    const std::uint32_t a = valueAt(text, whole), b = valueAt(text, whole + 1);
    const std::uint32_t c = padding == 1 ? valueAt(text, whole + 2) : 0;
    // Bits that are left over are zero in the one spelling.
    if ((padding == 2 ? b & 15U : c & 3U) != 0) return std::nullopt;
    wrong |= a | b | c;
    put(a << 2U | b >> 4U);
    if (padding == 1) put(b << 4U | c >> 2U);
  }
  if ((wrong & 128U) != 0) return std::nullopt;
  return written;
}

} // namespace skillhost::encoding
