// SPDX-License-Identifier: Apache-2.0
#include "proxy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

namespace skillhost::http {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view lineBegin = "PROXY ";
constexpr std::string_view blockBegin = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr std::size_t longestLine = 107, blockHead = 16, longestBlock = 4096;
constexpr std::size_t fourBytes = 12, sixBytes = 36; // two addresses and two ports

std::size_t byteAt(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

std::optional<std::uint16_t> portIn(std::string_view text) {
  std::uint16_t port = 0;
  const char *const begin = text.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const auto read = std::from_chars(begin, begin + text.size(), port);
  if (text.empty() || read.ec != std::errc{} || read.ptr != begin + text.size())
    return std::nullopt;
  return port;
}

bool begins(std::string_view whole, std::string_view text) {
  return text.substr(0, whole.size()) == whole.substr(0, text.size());
}

} // namespace

void ProxyHeader::wrong(std::string_view reason) {
  state_ = State::Wrong;
  reason_ = reason;
}

// Returns how many bytes must be there before they can be checked again.
std::size_t ProxyHeader::wanted() const {
  if (!text_.starts_with(blockBegin.substr(0, 1))) return text_.size() + 1;
  if (text_.size() < blockHead) return blockHead;
  return blockHead + byteAt(text_, 14) * 256 + byteAt(text_, 15);
}

std::size_t ProxyHeader::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (state_ == State::Incomplete && used < bytes.size()) {
    const std::size_t taken = std::min(wanted() - text_.size(), bytes.size() - used);
    text_ += bytes.substr(used, taken);
    used += taken;
    judge();
  }
  return used;
}

void ProxyHeader::judge() {
  if (!begins(lineBegin, text_) && !begins(blockBegin, text_))
    return wrong("it does not begin with a PROXY header");
  if (text_.starts_with(blockBegin.substr(0, 1))) {
    if (text_.size() < blockHead) return;
    if (wanted() > longestBlock) return wrong("the PROXY header is too long");
    if (text_.size() == wanted()) readBlock();
  } else if (text_.ends_with("\r\n")) {
    readLine();
  } else if (text_.size() >= longestLine) {
    wrong("the PROXY header is too long");
  }
}

void ProxyHeader::readLine() {
  std::vector<std::string_view> words;
  std::string_view rest = std::string_view(text_).substr(0, text_.size() - 2);
  for (std::size_t space = 0; space != std::string_view::npos;) {
    space = rest.find(' ');
    words.push_back(rest.substr(0, space));
    if (space != std::string_view::npos) rest.remove_prefix(space + 1);
  }
  state_ = State::Complete;
  if (words.size() > 1 && words[1] == "UNKNOWN") return;
  if (words.size() != 6) return wrong("the PROXY header is not well-formed");
  const auto from = IpAddress::of(words[2]), to = IpAddress::of(words[3]);
  const auto port = portIn(words[4]);
  const bool four = words[1] == "TCP4";
  if ((!four && words[1] != "TCP6") || !from || !to || !port || !portIn(words[5]) ||
      (four && !from->isFour()))
    return wrong("the PROXY header is not well-formed");
  client_ = SocketName{*from, *port};
}

void ProxyHeader::readBlock() {
  const std::size_t command = byteAt(text_, 12), family = byteAt(text_, 13) >> 4U;
  if (command != 0x20 && command != 0x21) return wrong("the PROXY header is of an unknown version");
  state_ = State::Complete;
  isOwn_ = command == 0x20; // LOCAL: the proxy's own check
  // The client may also have no IP address.
  if (isOwn_ || (family != 1 && family != 2)) return;
  const bool four = family == 1;
  const std::string_view block = std::string_view(text_).substr(blockHead);
  if (block.size() < (four ? fourBytes : sixBytes))
    return wrong("the PROXY header is not well-formed");
  SocketName client;
  std::array<std::uint8_t, 16> address{};
  std::copy_n(block.begin(), address.size() < block.size() ? address.size() : block.size(),
              address.begin());
  if (four)
    client.ip = IpAddress::ofFour(address.data());
  else
    client.ip.bytes = address;
  const std::size_t port = four ? 8 : 32;
  client.port = static_cast<std::uint16_t>(byteAt(block, port) * 256 + byteAt(block, port + 1));
  client_ = client;
}

} // namespace skillhost::http
