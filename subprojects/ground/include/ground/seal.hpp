// SPDX-License-Identifier: Apache-2.0
// Texts that only the holder of a key can read or make, for places that are not trusted: an engine
// that replicas share, or a client. A code over the text comes first and begins the counter of the
// cipher, as SIV does it (RFC 5297): the same text at the same place is always sealed the same.
#pragma once

#include "ground/blake3.hpp"
#include "ground/stream_cipher.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread. Throws std::runtime_error when OpenSSL offers no AES.
class Seal {
public:
  explicit Seal(const Blake3Key &key);

  // `use` and `place` keep texts apart: what was sealed for one of them opens for no other.
  std::string seal(std::string_view use, std::string_view place, std::string_view text) const;
  // Returns nothing if the text was not sealed so, with this key.
  std::optional<std::string> open(std::string_view use, std::string_view place,
                                  std::string_view sealed) const;
  static constexpr std::size_t overhead = 16; // bytes that are added to a text

private:
  std::string code(std::string_view use, std::string_view place, std::string_view text) const;
  std::string crypted(std::string_view code, std::string_view text) const;

  const Blake3Key key_;
  const CipherKey cipherKey_;
};

} // namespace skillhost
