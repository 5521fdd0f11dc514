// SPDX-License-Identifier: Apache-2.0
// The bodies of a segment's entries, compressed: in its file, or in memory where there is none.
#pragma once

#include "ground/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;

namespace skillhost::keyword {

// Compresses bodies, one thread at a time.
class BodyPacker {
public:
  BodyPacker();
  // One frame, with a checksum of its own, valid until the next call. Empty text is no bytes.
  std::string_view pack(std::string_view text);

private:
  struct Delete {
    void operator()(ZSTD_CCtx_s *context) const noexcept;
  };
  std::unique_ptr<ZSTD_CCtx_s, Delete> context_;
  std::string packed_;
};

struct BodyPlace {
  std::uint64_t offset = 0;
  std::uint32_t packed = 0, bytes = 0; // how many, compressed and not
};

// Immutable once made: any thread may read.
class Bodies {
public:
  Bodies() = default;
  Bodies(std::vector<BodyPlace> places, std::string packed)
      : places_(std::move(places)), memory_(std::move(packed)) {}
  Bodies(std::vector<BodyPlace> places, Descriptor file)
      : places_(std::move(places)), file_(std::move(file)) {}

  const std::vector<BodyPlace> &places() const noexcept { return places_; }
  // Empty too when the file has been damaged since: then a snippet shows the description.
  std::string text(std::uint32_t entry) const;
  std::string packed(std::uint32_t entry) const; // as BodyPacker made it
  // Of the segment's file; -1: in memory.
  int file() const noexcept { return file_.number(); }

private:
  std::vector<BodyPlace> places_; // of each entry
  std::string memory_;
  Descriptor file_;
};

} // namespace skillhost::keyword
