// SPDX-License-Identifier: Apache-2.0
// The vectors of RFC 4231, and all kinds of texts that are no signature.
#include "catch2.hpp"
#include "ground/hmac.hpp"

#include <string>

using skillhost::HmacSha256;

namespace {

bool signedWithHmacSha256(std::string_view bytes, std::string_view key,
                          std::string_view signature) {
  HmacSha256 whole(key), inPieces(key);
  whole.add(bytes);
  for (const char &byte : bytes) inPieces.add({&byte, 1});
  inPieces.add({});
  const bool is = whole.matches(signature);
  CHECK(inPieces.matches(signature) == is);
  return is;
}

} // namespace

TEST_CASE("the signatures of RFC 4231 are right") {
  CHECK(signedWithHmacSha256("Hi There", std::string(20, '\x0b'),
                             "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
  CHECK(signedWithHmacSha256("what do ya want for nothing?", "Jefe",
                             "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
  CHECK(signedWithHmacSha256("Test Using Larger Than Block-Size Key - Hash Key First",
                             std::string(131, '\xaa'),
                             "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54"));
}

TEST_CASE("no other signature is right") {
  const std::string right = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const auto says = [](const std::string &signature) {
    return signedWithHmacSha256("what do ya want for nothing?", "Jefe", signature);
  };
  REQUIRE(says(right));
  CHECK(HmacSha256::isSignature(right));
  CHECK_FALSE(HmacSha256::isSignature(""));
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = wrong[i] == '0' ? '1' : '0';
    CHECK(!says(wrong));
    wrong[i] = 'g';
    CHECK(!says(wrong));
    CHECK_FALSE(HmacSha256::isSignature(wrong));
    CHECK(!says(right.substr(0, i)));
  }
  CHECK(!says(right + "0"));
  CHECK(!signedWithHmacSha256("what do ya want for nothing", "Jefe", right));
  CHECK(!signedWithHmacSha256("what do ya want for nothing?", "jefe", right));
}
