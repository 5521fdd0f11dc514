// SPDX-License-Identifier: Apache-2.0
// A segment as a file: the bodies, then all the rest, then where that begins and its BLAKE3 digest.
#pragma once

#include "segment_builder.hpp"

#include <string>

namespace skillhost::keyword {

// The disk refuses; names the file and says why.
struct DiskRefuses : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::uint64_t mostSegmentNumber = std::uint64_t{1} << 53U; // the least is 1
// Of the file, in the folder of the index.
std::string segmentName(std::uint64_t number);
// 0: no segment has that name.
std::uint64_t numberOfSegment(std::string_view name);

// Written once. Nothing of it counts before a manifest names it.
class SegmentFile final : public BodySink {
public:
  // `file`: made for it in `folder`, and empty; it is removed again unless finish() returns.
  // `folder` must stay open; `path` is for messages.
  SegmentFile(int folder, std::string path, std::uint64_t number, Descriptor file);
  SegmentFile(const SegmentFile &) = delete;
  SegmentFile &operator=(const SegmentFile &) = delete;
  ~SegmentFile() override;
  // The bodies are those that were added. Throws DiskRefuses, as does adding them.
  std::shared_ptr<const Segment> finish(Segment segment);

private:
  std::uint64_t write(std::string_view packed) override;
  void append(std::string_view bytes);
  void flush();

  const int folder_;
  const std::string path_, name_;
  const std::uint64_t number_;
  Descriptor file_;
  std::string waiting_;
  std::uint64_t written_ = 0;
  bool isFinished_ = false;
};

// Throws Damaged unless it is the file of that digest and all of it keeps the rules: nothing of
// what a reader does later needs to be afraid of it. No body has more than `bodyBytes`.
std::shared_ptr<const Segment> readSegment(int folder, std::uint64_t number,
                                           const Blake3::Digest &digest, std::size_t bodyBytes);

// For the fuzzer: what readSegment() does once the digest is right.
Segment parseSegment(std::string_view image, std::uint64_t bodiesEnd, std::size_t bodyBytes,
                     std::vector<BodyPlace> &places);

Blake3::Digest digestOf(std::string_view bytes);

} // namespace skillhost::keyword
