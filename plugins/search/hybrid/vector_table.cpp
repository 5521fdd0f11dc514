// SPDX-License-Identifier: Apache-2.0
#include "vector_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace skillhost::hybrid {
namespace {

// Each batch copies the pieces to which it writes, about 100 kB each.
constexpr std::size_t rowsOfPiece = 256;

} // namespace

QuantisedVector quantised(const std::vector<float> &vector) {
  constexpr float most = 127;
  float largest = 1e-9F;
  for (const float each : vector) largest = std::max(largest, std::fabs(each));
  QuantisedVector result{largest / most, std::vector<std::int8_t>(vector.size())};
  for (std::size_t at = 0; at < vector.size(); ++at)
    result.numbers[at] = static_cast<std::int8_t>(std::lround(vector[at] * (most / largest)));
  return result;
}

bool VectorView::holds(Place place, std::string_view id) const {
  return place.piece < pieces_.size() && place.row < pieces_[place.piece]->ids.size() &&
         pieces_[place.piece]->ids[place.row] == id;
}

float VectorView::cosine(Place place, const QuantisedVector &vector,
                         const embedding::Kernels &kernels) const {
  const Piece &piece = *pieces_[place.piece];
  const std::size_t width = vector.numbers.size();
  std::int32_t product = 0;
  kernels.dot(piece.numbers.data() + place.row * width, 1, width, vector.numbers.data(), &product);
  return static_cast<float>(product) * (vector.scale * piece.scales[place.row]);
}

std::vector<VectorView::Near>
VectorView::nearest(const QuantisedVector &vector, const embedding::Kernels &kernels,
                    std::size_t limit,
                    const std::function<bool(const std::string &id)> &accepts) const {
  const auto nearer = [this](const Near &left, const Near &right) {
    return left.cosine != right.cosine ? left.cosine > right.cosine
                                       : id(left.place) < id(right.place);
  };
  std::vector<Near> best; // heap with the farthest on top
  if (limit == 0) return best;
  std::array<std::int32_t, rowsOfPiece> products{};
  for (std::uint32_t number = 0; number < pieces_.size(); ++number) {
    const Piece &piece = *pieces_[number];
    kernels.dot(piece.numbers.data(), piece.ids.size(), vector.numbers.size(),
                vector.numbers.data(), products.data());
    for (std::uint32_t row = 0; row < piece.ids.size(); ++row) {
      const Near here{{number, row},
                      static_cast<float>(products[row]) * (vector.scale * piece.scales[row])};
      if (piece.ids[row].empty() || (best.size() == limit && !nearer(here, best.front()))) continue;
      if (!accepts(piece.ids[row])) continue;
      if (best.size() == limit) {
        std::pop_heap(best.begin(), best.end(), nearer);
        best.pop_back();
      }
      best.push_back(here);
      std::push_heap(best.begin(), best.end(), nearer);
    }
  }
  std::sort_heap(best.begin(), best.end(), nearer);
  return best;
}

VectorTable::VectorTable(std::size_t width)
    : width_(width), view_(std::make_shared<const VectorView>()) {}

// Copies a piece first if a reader may hold it.
VectorView::Piece &VectorTable::writable(std::uint32_t piece) {
  if (isPublished_[piece]) {
    pieces_[piece] = std::make_shared<VectorView::Piece>(*pieces_[piece]);
    isPublished_[piece] = false;
  }
  return *pieces_[piece];
}

void VectorTable::put(const std::string &id, const QuantisedVector &vector) {
  const std::scoped_lock lock(mutex_);
  Place place;
  if (const auto found = places_.find(id); found != places_.end()) {
    place = found->second;
  } else if (!free_.empty()) {
    place = free_.back();
    free_.pop_back();
  } else {
    if (pieces_.empty() || pieces_.back()->ids.size() == rowsOfPiece) {
      pieces_.push_back(std::make_shared<VectorView::Piece>());
      isPublished_.push_back(false);
    }
    const auto last = static_cast<std::uint32_t>(pieces_.size() - 1);
    VectorView::Piece &piece = writable(last);
    place = {last, static_cast<std::uint32_t>(piece.ids.size())};
    piece.ids.emplace_back();
    piece.scales.push_back(0);
    piece.numbers.resize(piece.ids.size() * width_);
  }
  VectorView::Piece &piece = writable(place.piece);
  piece.ids[place.row] = id;
  piece.scales[place.row] = vector.scale;
  std::copy(vector.numbers.begin(), vector.numbers.end(),
            piece.numbers.begin() + static_cast<std::ptrdiff_t>(place.row * width_));
  places_[id] = place;
}

void VectorTable::remove(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(std::string(id));
  if (found == places_.end()) return;
  writable(found->second.piece).ids[found->second.row].clear();
  free_.push_back(found->second);
  places_.erase(found);
}

void VectorTable::publish() {
  const std::scoped_lock lock(mutex_);
  auto next = std::make_shared<VectorView>();
  next->pieces_.assign(pieces_.begin(), pieces_.end());
  isPublished_.assign(pieces_.size(), true);
  view_ = std::move(next);
}

std::shared_ptr<const VectorView> VectorTable::view() const {
  const std::scoped_lock lock(mutex_);
  return view_;
}

std::optional<Place> VectorTable::find(const std::string &id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(id);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

std::optional<QuantisedVector> VectorTable::vector(const std::string &id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(id);
  if (found == places_.end()) return std::nullopt;
  const VectorView::Piece &piece = *pieces_[found->second.piece];
  const auto first =
      piece.numbers.begin() + static_cast<std::ptrdiff_t>(found->second.row * width_);
  return QuantisedVector{piece.scales[found->second.row],
                         {first, first + static_cast<std::ptrdiff_t>(width_)}};
}

std::size_t VectorTable::size() const {
  const std::scoped_lock lock(mutex_);
  return places_.size();
}

} // namespace skillhost::hybrid
