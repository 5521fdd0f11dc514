// SPDX-License-Identifier: Apache-2.0
#include "ground/stream_cipher.hpp"

#include "catch2.hpp"
#include "ground/hexadecimal.hpp"

#include <cstddef>
#include <string>

using namespace skillhost;

namespace {

template <class Bytes> Bytes bytesOf(std::string_view digits, Bytes bytes) {
  REQUIRE(readHexadecimal(digits, {reinterpret_cast<unsigned char *>(bytes.data()), bytes.size()}));
  return bytes;
}

} // namespace

TEST_CASE("the example of NIST SP 800-38A, F.5.5") {
  const CipherKey key =
      bytesOf("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", CipherKey{});
  const CipherStart start = bytesOf("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", CipherStart{});
  const std::string plain = bytesOf(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", std::string(32, ' '));
  const std::string hidden = bytesOf(
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5", std::string(32, ' '));
  CHECK(aes256Counter(key, start, plain) == hidden);
  CHECK(aes256Counter(key, start, hidden) == plain);
  CHECK(aes256Counter(key, start, plain.substr(0, 17)) == hidden.substr(0, 17));
  CHECK(aes256Counter(key, start, "").empty());
}
