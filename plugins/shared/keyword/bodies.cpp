// SPDX-License-Identifier: Apache-2.0
#include "bodies.hpp"

#include <zstd.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <stdexcept>

namespace skillhost::keyword {

void BodyPacker::Delete::operator()(ZSTD_CCtx_s *context) const noexcept { ZSTD_freeCCtx(context); }

BodyPacker::BodyPacker() : context_(ZSTD_createCCtx()) {
  constexpr int fast = 1;
  if (!context_) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, fast);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

std::string_view BodyPacker::pack(std::string_view text) {
  if (text.empty()) return {};
  packed_.resize(std::max(packed_.size(), ZSTD_compressBound(text.size())));
  const std::size_t size =
      ZSTD_compress2(context_.get(), packed_.data(), packed_.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  return std::string_view(packed_).substr(0, size);
}

std::string Bodies::packed(std::uint32_t entry) const {
  const BodyPlace &place = places_[entry];
  if (!file_) return memory_.substr(static_cast<std::size_t>(place.offset), place.packed);
  std::string bytes(place.packed, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(file_.number(), bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(place.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string Bodies::text(std::uint32_t entry) const {
  const std::string bytes = packed(entry);
  if (bytes.empty()) return {};
  std::string text(places_[entry].bytes, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  return ZSTD_isError(size) == 0 && size == text.size() ? text : std::string();
}

} // namespace skillhost::keyword
