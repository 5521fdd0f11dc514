// SPDX-License-Identifier: Apache-2.0
#include "session_ids.hpp"

#include "ground/base64.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/random.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

// The plain text of an id: version, name, time, lifetime, owner, capabilities, then the client's
// name. Replicas of different versions read each other's ids.
constexpr char idVersion = 1;
constexpr std::size_t codeBytes = 16, codeDigits = 2 * codeBytes, timeBytes = 8, flagBytes = 2;
constexpr std::size_t minPlainBytes = 1 + codeDigits + 2 * timeBytes + codeDigits + flagBytes;
constexpr std::size_t longestClient = 200; // bytes

void appendLittleEndian(std::string &out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    out += static_cast<char>(number & 0xffU);
    number >>= 8U;
  }
}

std::uint64_t littleEndianIn(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    number = number << 8U | static_cast<unsigned char>(bytes[i - 1]);
  return number;
}

} // namespace

SessionIds::SessionIds(const Blake3Key &key, std::chrono::seconds maxAge)
    : key_(key), seal_(key), maxAge_(maxAge) {}

std::string SessionIds::newName() { return randomHex(codeBytes); }

std::string SessionIds::code(std::string_view kind, std::string_view of,
                             std::string_view name) const {
  const auto digest = key_.digest(std::array<std::string_view, 4>{"code", kind, of, name});
  return hexadecimal(digest).substr(0, codeDigits);
}

std::string SessionIds::seal(const SessionIdentity &identity, std::string_view owner) const {
  std::string plain(1, idVersion);
  plain += identity.name;
  appendLittleEndian(plain, static_cast<std::uint64_t>(identity.issuedAt), timeBytes);
  appendLittleEndian(plain, static_cast<std::uint64_t>(maxAge_.count()), timeBytes);
  plain += code("owner", owner, {});
  appendLittleEndian(plain, identity.capabilities, flagBytes);
  plain += cutUtf8(identity.client, longestClient);
  return encodeBase64Url(seal_.seal("session", {}, plain));
}

std::optional<SessionIdentity> SessionIds::open(std::string_view id, std::string_view owner,
                                                std::int64_t now) const {
  if (id.size() > longest) return std::nullopt;
  // Only one spelling of the bytes decodes, so a session has only one id.
  const auto sealed = decodeBase64Url(id);
  if (!sealed) return std::nullopt;
  const auto plain = seal_.open("session", {}, *sealed);
  if (!plain || plain->size() < minPlainBytes || plain->front() != idVersion) return std::nullopt;
  std::string_view rest = std::string_view(*plain).substr(1);
  const auto take = [&rest](std::size_t bytes) {
    const std::string_view taken = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return taken;
  };
  SessionIdentity identity;
  identity.name = take(codeDigits);
  identity.issuedAt = static_cast<std::int64_t>(littleEndianIn(take(timeBytes)));
  identity.lifetime = static_cast<std::int64_t>(littleEndianIn(take(timeBytes)));
  if (take(codeDigits) != code("owner", owner, {})) return std::nullopt;
  identity.capabilities = static_cast<CapabilityFlags>(littleEndianIn(take(flagBytes)));
  identity.client = rest;
  if (identity.issuedAt > now + clockSkew || now >= endOf(identity)) return std::nullopt;
  return identity;
}

std::int64_t SessionIds::endOf(const SessionIdentity &identity) const noexcept {
  return identity.issuedAt + std::min(identity.lifetime, maxAge_.count());
}

} // namespace skillhost
