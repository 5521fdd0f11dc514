// SPDX-License-Identifier: Apache-2.0
// Compresses objects of packs (RFC 1950), and unpacks the bodies that git compresses (RFC 1952). It
// uses Boost's copy of zlib, so that the server loads no further library.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost::git {

// Keeps its memory between two contents. One thread at a time.
class Deflater {
public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater &) = delete;
  Deflater &operator=(const Deflater &) = delete;

  // Returns the content in zlib's format, until the next call.
  std::string_view deflate(std::string_view content);

private:
  struct Stream;
  const std::unique_ptr<Stream> stream_;
  std::string out_;
};

// Fails with TooLarge beyond `maxBytes`, and with InvalidInput for other bytes than a whole gzip
// file with one member.
Result<std::string> gunzip(std::string_view packed, std::size_t maxBytes);

} // namespace skillhost::git
