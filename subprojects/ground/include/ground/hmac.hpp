// SPDX-License-Identifier: Apache-2.0
// HMAC with SHA-256 (RFC 2104, FIPS 198-1) by OpenSSL: who knows the key has sent these bytes.
#pragma once

#include <memory>
#include <string_view>

namespace skillhost {

// Computes the signature of bytes that come in pieces. One thread at a time. The constructor and
// add() throw std::runtime_error when OpenSSL offers no SHA-256 or has no memory.
class HmacSha256 {
public:
  explicit HmacSha256(std::string_view key);
  ~HmacSha256();
  HmacSha256(const HmacSha256 &) = delete;
  HmacSha256 &operator=(const HmacSha256 &) = delete;

  void add(std::string_view bytes);
  // Returns whether `signature` is that of all the bytes. Takes the same time wherever a wrong one
  // differs. Ends the computation: to be called once.
  bool matches(std::string_view signature);

  // Returns whether the text has the form of a signature: 64 hexadecimal digits in either case.
  static bool isSignature(std::string_view text);

private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

} // namespace skillhost
