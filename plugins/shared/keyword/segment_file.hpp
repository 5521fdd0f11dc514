// SPDX-License-Identifier: Apache-2.0
// The file of a segment holds the bodies, then all the rest (the image), then the start of the
// image and its BLAKE3 digest. Processes on one machine map the image, so that they share its
// memory.
#pragma once

#include "segment_builder.hpp"

#include <string>

namespace skillhost::keyword {

// The disk refuses to write. The message names the file and the cause.
struct DiskRefuses : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::uint64_t maxSegmentNumber = std::uint64_t{1} << 53U; // the smallest number is 1
// Returns the name of the file in the folder of the index.
std::string segmentName(std::uint64_t number);
// Returns 0 if no segment has that name.
std::uint64_t numberOfSegment(std::string_view name);

// How a segment uses the image in its file.
enum class Images : std::uint8_t {
  Mapped, // copied nevertheless if the file system is of another machine, or cannot map
  Copied
};

// Writes the file once. It is ignored until a manifest names it.
class SegmentFile final : public BodySink {
public:
  // `file` is new and empty, in `folder`. The destructor removes it unless finish() returned.
  // `folder` must stay open. `path` is for messages.
  SegmentFile(int folder, std::string path, std::uint64_t number, Descriptor file, Images images);
  SegmentFile(const SegmentFile &) = delete;
  SegmentFile &operator=(const SegmentFile &) = delete;
  ~SegmentFile() override;
  // Completes the segment with the added bodies. Throws DiskRefuses, as add() does.
  std::shared_ptr<const Segment> finish(Segment segment);

private:
  std::uint64_t write(std::string_view packed) override;
  void append(std::string_view bytes);
  void flush();

  const int folder_;
  const std::string path_, name_;
  const std::uint64_t number_;
  Descriptor file_;
  const Images images_;
  std::string waiting_;
  std::uint64_t written_ = 0;
  bool isFinished_ = false;
};

// Throws Damaged if the file cannot be opened. Its content then stays readable, even if another
// process removes the file.
Descriptor openSegment(int folder, std::uint64_t number);
// Throws Damaged unless the file has that digest and is consistent, so later readers need no
// checks. No body is longer than `bodyBytes`.
std::shared_ptr<const Segment> readSegment(Descriptor file, std::uint64_t number,
                                           const Blake3::Digest &digest, std::size_t bodyBytes,
                                           Images images);

// The part of readSegment() that follows the check of the digest, for the fuzzer. The image must
// stay as long as the segment, and begin at a multiple of eight bytes.
Segment parseSegment(std::string_view image, std::uint64_t bodiesEnd, std::size_t bodyBytes,
                     std::vector<BodyPlace> &places);

Blake3::Digest digestOf(std::string_view bytes);

} // namespace skillhost::keyword
