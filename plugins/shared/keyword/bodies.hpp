// SPDX-License-Identifier: Apache-2.0
// The bodies of a segment's entries are kept compressed: in the segment's file, or in memory if
// there is no file.
#pragma once

#include "ground/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;

namespace skillhost::keyword {

// Compresses bodies. Only one thread at a time may use it.
class BodyPacker {
public:
  BodyPacker();
  // Returns one frame with its own checksum, valid until the next call. Empty text gives no bytes.
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
  std::uint32_t packed = 0, bytes = 0; // size compressed and uncompressed, in bytes
};

// Immutable once built, so any thread may read it.
class Bodies {
public:
  Bodies() = default;
  Bodies(std::vector<BodyPlace> places, std::string packed)
      : places_(std::move(places)), memory_(std::move(packed)) {}
  Bodies(std::vector<BodyPlace> places, Descriptor file)
      : places_(std::move(places)), file_(std::move(file)) {}

  const std::vector<BodyPlace> &places() const noexcept { return places_; }
  // Returns empty text also if the file was damaged meanwhile. A snippet then shows the
  // description.
  std::string text(std::uint32_t entry) const;
  std::string packed(std::uint32_t entry) const; // as BodyPacker packed it
  // Descriptor of the segment's file; -1 if the bodies are in memory.
  int file() const noexcept { return file_.number(); }

private:
  std::vector<BodyPlace> places_; // place of each entry's body
  std::string memory_;
  Descriptor file_;
};

} // namespace skillhost::keyword
