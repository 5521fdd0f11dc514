// SPDX-License-Identifier: Apache-2.0
#include "ground/seal.hpp"

#include "ground/constant_time.hpp"

#include <algorithm>
#include <array>

namespace skillhost {

Seal::Seal(const Blake3Key &key)
    : key_(key), cipherKey_(key.digest(std::array<std::string_view, 1>{"cipher"})) {}

std::string Seal::code(std::string_view use, std::string_view place, std::string_view text) const {
  const auto digest = key_.digest(std::array<std::string_view, 3>{use, place, text});
  return {reinterpret_cast<const char *>(digest.data()), overhead};
}

// Encrypts a text; applied to the encrypted text it decrypts it.
std::string Seal::crypted(std::string_view code, std::string_view text) const {
  CipherStart start{};
  std::copy_n(code.begin(), start.size(), start.begin());
  return aes256Counter(cipherKey_, start, text);
}

std::string Seal::seal(std::string_view use, std::string_view place, std::string_view text) const {
  std::string sealed = code(use, place, text);
  sealed += crypted(sealed, text);
  return sealed;
}

std::optional<std::string> Seal::open(std::string_view use, std::string_view place,
                                      std::string_view sealed) const {
  if (sealed.size() < overhead) return std::nullopt;
  std::string text = crypted(sealed.substr(0, overhead), sealed.substr(overhead));
  if (!equalInConstantTime(sealed.substr(0, overhead), code(use, place, text))) return std::nullopt;
  return text;
}

} // namespace skillhost
