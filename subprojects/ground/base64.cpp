// SPDX-License-Identifier: Apache-2.0
#include "ground/base64.hpp"

#include <array>
#include <cstdint>

namespace skillhost {
namespace {

constexpr std::string_view plainAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view urlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t noLetter = 255; // has a bit that no value has

using Values = std::array<std::uint8_t, 256>;

constexpr Values valuesOf(std::string_view alphabet) {
  Values values{};
  values.fill(noLetter);
  for (std::size_t value = 0; value < alphabet.size(); ++value)
    values[static_cast<unsigned char>(alphabet[value])] = static_cast<std::uint8_t>(value);
  return values;
}

constexpr Values plainValues = valuesOf(plainAlphabet), urlValues = valuesOf(urlAlphabet);

// Encodes without padding.
void append(std::string &out, std::string_view bytes, std::string_view alphabet) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : std::uint32_t{0};
  };
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t group = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
    out += alphabet[group >> 18U];
    out += alphabet[group >> 12U & 63U];
    if (at + 1 < bytes.size()) out += alphabet[group >> 6U & 63U];
    if (at + 2 < bytes.size()) out += alphabet[group & 63U];
  }
}

// Decodes a text without padding.
std::optional<std::size_t> decode(std::string_view text, char *out, const Values &values) noexcept {
  const std::size_t rest = text.size() % 4, whole = text.size() - rest;
  if (rest == 1) return std::nullopt;
  std::size_t written = 0;
  std::uint32_t wrong = 0;
  const auto valueAt = [&](std::size_t at) -> std::uint32_t {
    return values[static_cast<unsigned char>(text[at])];
  };
  const auto put = [&](std::uint32_t value) { out[written++] = static_cast<char>(value & 255U); };
  for (std::size_t at = 0; at < whole; at += 4) {
    const std::uint32_t a = valueAt(at), b = valueAt(at + 1);
    const std::uint32_t c = valueAt(at + 2), d = valueAt(at + 3);
    wrong |= a | b | c | d;
    put(a << 2U | b >> 4U);
    put(b << 4U | c >> 2U);
    put(c << 6U | d);
  }
  if (rest != 0) {
    const std::uint32_t a = valueAt(whole), b = valueAt(whole + 1);
    const std::uint32_t c = rest == 3 ? valueAt(whole + 2) : 0;
    // In the only valid spelling, left-over bits are zero.
    if ((rest == 2 ? b & 15U : c & 3U) != 0) return std::nullopt;
    wrong |= a | b | c;
    put(a << 2U | b >> 4U);
    if (rest == 3) put(b << 4U | c >> 2U);
  }
  if ((wrong & 128U) != 0) return std::nullopt;
  return written;
}

} // namespace

void appendBase64(std::string &out, std::string_view bytes) {
  out.reserve(out.size() + base64Size(bytes.size()));
  append(out, bytes, plainAlphabet);
  if (const std::size_t rest = bytes.size() % 3; rest != 0) out.append(3 - rest, '=');
}

std::string encodeBase64(std::string_view bytes) {
  std::string text;
  appendBase64(text, bytes);
  return text;
}

std::optional<std::size_t> decodeBase64(std::string_view text, char *out) noexcept {
  if (text.size() % 4 != 0) return std::nullopt;
  text.remove_suffix(text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
  return decode(text, out, plainValues);
}

std::optional<std::string> decodeBase64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const std::optional<std::size_t> size = decodeBase64(text, bytes.data());
  if (!size) return std::nullopt;
  bytes.resize(*size);
  return bytes;
}

std::string encodeBase64Url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  append(text, bytes, urlAlphabet);
  return text;
}

std::optional<std::string> decodeBase64Url(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + text.size() % 4, '\0');
  const std::optional<std::size_t> size = decode(text, bytes.data(), urlValues);
  if (!size) return std::nullopt;
  bytes.resize(*size);
  return bytes;
}

} // namespace skillhost
