// SPDX-License-Identifier: Apache-2.0
// HMAC with SHA-256 (RFC 2104, FIPS 198-1) by OpenSSL: proves that a holder of the key has sent
// some bytes.
#pragma once

#include <memory>
#include <string_view>

namespace skillhost {

// Computes the signature of bytes that arrive in pieces. Used by one thread at a time. The
// constructor and add() throw std::runtime_error if OpenSSL offers no SHA-256 or has no memory.
class HmacSha256 {
public:
  explicit HmacSha256(std::string_view key);
  ~HmacSha256();
  HmacSha256(const HmacSha256 &) = delete;
  HmacSha256 &operator=(const HmacSha256 &) = delete;

  void add(std::string_view bytes);
  // Returns true if `signature` is that of all the bytes. Takes the same time wherever a wrong one
  // differs. Ends the computation, so call it once.
  bool matches(std::string_view signature);

  // Returns true if the text has the form of a signature: 64 hexadecimal digits in either case.
  static bool isSignature(std::string_view text);

private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

} // namespace skillhost
