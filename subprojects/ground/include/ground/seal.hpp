// SPDX-License-Identifier: Apache-2.0
// Texts that only the holder of a key can read or make, for places that are not trusted: an engine
// that replicas share, or a client. An authentication code of the text comes first and is the start
// of the cipher's counter, as in SIV (RFC 5297). So sealing the same text at the same place always
// results in the same bytes.
#pragma once

#include "ground/blake3.hpp"
#include "ground/stream_cipher.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread. Throws std::runtime_error if OpenSSL offers no AES.
class Seal {
public:
  explicit Seal(const Blake3Key &key);

  // `use` and `place` separate texts: a text that was sealed for one of them cannot be opened for
  // another.
  std::string seal(std::string_view use, std::string_view place, std::string_view text) const;
  // Returns nothing if the text was not sealed with this key for this use and place.
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
