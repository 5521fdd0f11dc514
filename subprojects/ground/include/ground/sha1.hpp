// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4) by OpenSSL, for formats that name their contents by it, such as git's. It
// protects nothing.
#pragma once

#include <array>
#include <memory>
#include <string_view>

struct evp_md_ctx_st;

namespace skillhost {

// Used by one thread at a time. All functions throw std::runtime_error if OpenSSL offers no SHA-1.
class Sha1 {
public:
  using Digest = std::array<unsigned char, 20>;
  Sha1();
  void add(std::string_view bytes);
  Digest finish(); // call it last

private:
  struct Delete {
    void operator()(evp_md_ctx_st *context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Delete> context_;
};

} // namespace skillhost
