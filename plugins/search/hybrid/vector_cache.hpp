// SPDX-License-Identifier: Apache-2.0
// Vectors kept from one start to the next: a file to which records are appended, each with the
// digest of the text that it stands for. A damaged tail is cut off; a file of another model,
// another version of the arithmetic or another layout is begun anew.
#pragma once

#include "ground/blake3.hpp"
#include "vector_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost::hybrid {

// One thread at a time.
class VectorCache {
public:
  // Reads, and mends, what is at `path`; an empty path keeps nothing. `model` tells one model and
  // arithmetic from all others. Does not throw but std::bad_alloc: a cache that cannot be used is
  // one that keeps nothing, and problem() says why.
  VectorCache(std::string path, const Blake3::Digest &model, std::size_t width);
  VectorCache(const VectorCache &) = delete;
  VectorCache &operator=(const VectorCache &) = delete;
  ~VectorCache();

  std::optional<QuantisedVector> find(const Blake3::Digest &text) const;
  // All or nothing. When the disk refuses, nothing more is kept.
  void append(const std::vector<std::pair<Blake3::Digest, QuantisedVector>> &vectors);
  // Whether most of the file would not be needed by this number of texts.
  bool isWasteful(std::size_t texts) const noexcept;
  // Leaves out what is not of these texts.
  void compact(const std::vector<Blake3::Digest> &texts);

  std::size_t size() const noexcept { return offsets_.size(); }
  const std::string &problem() const noexcept { return problem_; } // empty: none

private:
  struct Hash {
    std::size_t operator()(const Blake3::Digest &of) const noexcept;
  };
  std::string header() const;
  std::string record(const Blake3::Digest &text, const QuantisedVector &vector) const;
  std::size_t recordBytes() const noexcept;
  void open();
  void beginAnew();
  void readRecords(std::uint64_t fileBytes);
  bool write(const std::string &bytes, std::uint64_t at);
  void giveUp(const std::string &what);

  const std::string path_;
  const Blake3::Digest model_;
  const std::size_t width_;
  int file_ = -1;
  bool isWritable_ = false;
  std::uint64_t end_ = 0; // of what is whole
  std::unordered_map<Blake3::Digest, std::uint64_t, Hash> offsets_;
  std::string problem_;
};

} // namespace skillhost::hybrid
