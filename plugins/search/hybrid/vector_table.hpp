// SPDX-License-Identifier: Apache-2.0
// Vectors in 8 bits, each under the id of an entry. A change costs only itself: readers see pieces
// that never change, and a writer copies the pieces that it writes to.
#pragma once

#include "embedding/kernels/kernels.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace skillhost::hybrid {

// A vector of length one: its numbers times the scale.
struct QuantisedVector {
  float scale = 0;
  std::vector<std::int8_t> numbers;
};

QuantisedVector quantised(const std::vector<float> &vector);

struct Place {
  std::uint32_t piece = 0, row = 0;
};

// What was published at one time. Immutable: any thread.
class VectorView {
public:
  struct Near {
    Place place;
    float cosine;
  };

  const std::string &id(Place place) const { return pieces_[place.piece]->ids[place.row]; }
  // Whether the entry of this id was there at that time.
  bool holds(Place place, std::string_view id) const;
  float cosine(Place place, const QuantisedVector &vector, const embedding::Kernels &kernels) const;
  // The `limit` vectors that are nearest, nearest first; equal ones by id. Of the entries that
  // `accepts` refuses, none.
  std::vector<Near> nearest(const QuantisedVector &vector, const embedding::Kernels &kernels,
                            std::size_t limit,
                            const std::function<bool(const std::string &id)> &accepts) const;

private:
  friend class VectorTable;
  struct Piece {
    std::vector<std::string> ids; // empty: none is there
    std::vector<float> scales;
    std::vector<std::int8_t> numbers;
  };
  std::vector<std::shared_ptr<const Piece>> pieces_;
};

// Any thread may call anything.
class VectorTable {
public:
  explicit VectorTable(std::size_t width);

  // Seen with the next publish().
  void put(const std::string &id, const QuantisedVector &vector);
  void remove(std::string_view id);
  void publish();

  std::shared_ptr<const VectorView> view() const;
  // Where the newest view has it; an older one may have another there.
  std::optional<Place> find(const std::string &id) const;
  std::size_t size() const;

private:
  VectorView::Piece &writable(std::uint32_t piece);

  const std::size_t width_;
  mutable std::mutex mutex_;
  std::shared_ptr<const VectorView> view_;
  std::vector<std::shared_ptr<VectorView::Piece>> pieces_;
  std::vector<bool> isPublished_; // by piece: a reader may hold it
  std::unordered_map<std::string, Place> places_;
  std::vector<Place> free_;
};

} // namespace skillhost::hybrid
