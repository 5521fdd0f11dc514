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

// Written once. Nothing of it counts before a manifest names it.
class SegmentFile final : public BodySink {
public:
  // `file`: made for it and empty; it is removed again unless finish() returns.
  SegmentFile(std::string path, std::uint64_t number, beneath::FileDescriptor file);
  SegmentFile(const SegmentFile &) = delete;
  SegmentFile &operator=(const SegmentFile &) = delete;
  ~SegmentFile();
  // The bodies are those that were added. Throws DiskRefuses, as does adding them.
  std::shared_ptr<const Segment> finish(Segment segment);

private:
  std::uint64_t write(std::string_view packed) override;
  void append(std::string_view bytes);
  void flush();

  const std::string path_;
  const std::uint64_t number_;
  beneath::FileDescriptor file_;
  std::string waiting_;
  std::uint64_t written_ = 0;
  bool isFinished_ = false;
};

// Throws Damaged unless it is the file of that digest and all of it keeps the rules: nothing of
// what a reader does later needs to be afraid of it. No body has more than `bodyBytes`.
std::shared_ptr<const Segment> readSegment(const std::string &path, std::uint64_t number,
                                           const digest::Digest &digest, std::size_t bodyBytes);

// For the fuzzer: what readSegment() does once the digest is right.
Segment parseSegment(std::string_view image, std::uint64_t bodiesEnd, std::size_t bodyBytes,
                     std::vector<BodyPlace> &places);

digest::Digest digestOf(std::string_view bytes);

} // namespace skillhost::keyword
