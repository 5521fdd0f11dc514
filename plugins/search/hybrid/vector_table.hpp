// SPDX-License-Identifier: Apache-2.0
// Stores vectors of 8-bit numbers by the id of their entry. A change costs little: readers see
// immutable pieces, and a writer copies only the pieces to which it writes.
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

// A vector of length one: the numbers multiplied by the scale.
struct QuantisedVector {
  float scale = 0;
  std::vector<std::int8_t> numbers;
};

QuantisedVector quantised(const std::vector<float> &vector);

struct Place {
  std::uint32_t piece = 0, row = 0;
};

// The state published at one time. Immutable, so any thread may use it.
class VectorView {
public:
  struct Near {
    Place place;
    float cosine;
  };

  const std::string &id(Place place) const { return pieces_[place.piece]->ids[place.row]; }
  // True if the entry with this id was at that place.
  bool holds(Place place, std::string_view id) const;
  float cosine(Place place, const QuantisedVector &vector, const embedding::Kernels &kernels) const;
  // Returns the `limit` nearest vectors, the nearest first, equal ones by id. Skips entries that
  // `accepts` refuses.
  std::vector<Near> nearest(const QuantisedVector &vector, const embedding::Kernels &kernels,
                            std::size_t limit,
                            const std::function<bool(const std::string &id)> &accepts) const;

private:
  friend class VectorTable;
  struct Piece {
    std::vector<std::string> ids; // an empty id marks a free place
    std::vector<float> scales;
    std::vector<std::int8_t> numbers;
  };
  std::vector<std::shared_ptr<const Piece>> pieces_;
};

// Any thread may call any function.
class VectorTable {
public:
  explicit VectorTable(std::size_t width);

  // The next publish() makes the change visible.
  void put(const std::string &id, const QuantisedVector &vector);
  void remove(std::string_view id);
  void publish();

  std::shared_ptr<const VectorView> view() const;
  // Returns the place in the newest view. An older view may have another entry there.
  std::optional<Place> find(const std::string &id) const;
  std::optional<QuantisedVector> vector(const std::string &id) const; // also before publish()
  std::size_t size() const;

private:
  VectorView::Piece &writable(std::uint32_t piece);

  const std::size_t width_;
  mutable std::mutex mutex_;
  std::shared_ptr<const VectorView> view_;
  std::vector<std::shared_ptr<VectorView::Piece>> pieces_;
  std::vector<bool> isPublished_; // by piece: true if a reader may hold it
  std::unordered_map<std::string, Place> places_;
  std::vector<Place> free_;
};

} // namespace skillhost::hybrid
