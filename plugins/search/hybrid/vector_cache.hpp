// SPDX-License-Identifier: Apache-2.0
// Keeps vectors from one start to the next in a file of records, each with the digest of its text.
// A damaged end is cut off. A file of another model, version of the arithmetic or layout is
// replaced. Several processes may use the file: the one that has its lock appends, and the others
// follow it.
#pragma once

#include "ground/blake3.hpp"
#include "ground/descriptor.hpp"
#include "vector_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace skillhost::hybrid {

// Only one thread at a time may use it.
class VectorCache {
public:
  // Reads and repairs the file at `path`; with an empty path nothing is kept. `model` identifies
  // model and arithmetic. Only throws std::bad_alloc: a cache that cannot be used keeps nothing,
  // and problem() says why.
  VectorCache(std::string path, const Blake3::Digest &model, std::size_t width);
  VectorCache(const VectorCache &) = delete;
  VectorCache &operator=(const VectorCache &) = delete;
  ~VectorCache() = default;

  std::optional<QuantisedVector> find(const Blake3::Digest &text) const;
  // True if this process only reads the file, because another one may append to it.
  bool isFollowing() const noexcept { return role_ == Role::Follower; }
  // True if the file has vectors of this model. A follower of another model's file gets none.
  bool isOfThisModel() const noexcept { return end_ != 0; }
  bool isReadOnly() const noexcept { return isReadOnly_; } // it never becomes the one that appends
  // Lets a follower find what was appended since the last call, and append from now on if nobody
  // else does.
  void refresh();
  // Appends all vectors or none; a follower appends none. After the disk has refused, nothing more
  // is kept.
  void append(const std::vector<std::pair<Blake3::Digest, QuantisedVector>> &vectors);
  // True if this number of texts does not need most of the file.
  bool isWasteful(std::size_t texts) const noexcept;
  // Removes the vectors of all other texts. Followers go on with the file that they have open.
  void compact(const std::vector<Blake3::Digest> &texts);

  std::size_t size() const noexcept { return offsets_.size(); }
  const std::string &problem() const noexcept { return problem_; } // empty if there is none

private:
  struct Hash {
    std::size_t operator()(const Blake3::Digest &of) const noexcept;
  };
  enum class Role : std::uint8_t {
    Alone, // nothing is kept
    Follower,
    Writer
  };
  std::string header() const;
  std::string record(const Blake3::Digest &text, const QuantisedVector &vector) const;
  std::size_t recordBytes() const noexcept;
  void open();
  Role lock();
  bool isReplaced() const; // another file has its name now
  void read();
  void replaceFile(const std::string &records);
  void readRecords(std::uint64_t fileBytes); // those behind end_
  bool write(const std::string &bytes, std::uint64_t at);
  void giveUp(const std::string &what);

  const std::string path_;
  const Blake3::Digest model_;
  const std::size_t width_;
  Descriptor file_;
  bool isReadOnly_ = false;
  Role role_ = Role::Alone;
  std::uint64_t end_ = 0; // end of the intact records
  std::unordered_map<Blake3::Digest, std::uint64_t, Hash> offsets_;
  std::string problem_;
};

} // namespace skillhost::hybrid
