// SPDX-License-Identifier: Apache-2.0
#include "content_hash.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace skillhost::filesystem {
namespace {

constexpr std::uint64_t firstFactor = 0x87C37B91114253D5U;
constexpr std::uint64_t secondFactor = 0x4CF5AD432745937FU;

std::uint64_t scatterFirst(std::uint64_t word) noexcept {
  return std::rotl(word * firstFactor, 31) * secondFactor;
}

std::uint64_t scatterSecond(std::uint64_t word) noexcept {
  return std::rotl(word * secondFactor, 33) * firstFactor;
}

std::uint64_t avalanche(std::uint64_t word) noexcept {
  word = (word ^ (word >> 33)) * 0xFF51AFD7ED558CCDU;
  word = (word ^ (word >> 33)) * 0xC4CEB9FE1A85EC53U;
  return word ^ (word >> 33);
}

} // namespace

std::array<char, 32> hexadecimal(const Digest &digest) noexcept {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<char, 32> text{};
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t shift = 60 - 4 * i;
    text[i] = digits[(digest.high >> shift) & 15U];
    text[i + 16] = digits[(digest.low >> shift) & 15U];
  }
  return text;
}

void ContentHash::block(std::string_view sixteen) noexcept {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::memcpy(&left, sixteen.data(), 8);
  std::memcpy(&right, sixteen.data() + 8, 8);
  first_ = (std::rotl(first_ ^ scatterFirst(left), 27) + second_) * 5 + 0x52DCE729;
  second_ = (std::rotl(second_ ^ scatterSecond(right), 31) + first_) * 5 + 0x38495AB5;
}

void ContentHash::add(std::string_view bytes) noexcept {
  length_ += bytes.size();
  if (pendingSize_ > 0) {
    const std::size_t filled = std::min(bytes.size(), pending_.size() - pendingSize_);
    bytes.copy(pending_.data() + pendingSize_, filled);
    pendingSize_ += filled;
    bytes.remove_prefix(filled);
    if (pendingSize_ < pending_.size()) return;
    block({pending_.data(), pending_.size()});
    pendingSize_ = 0;
  }
  while (bytes.size() >= pending_.size()) {
    block(bytes.substr(0, pending_.size()));
    bytes.remove_prefix(pending_.size());
  }
  pendingSize_ = bytes.copy(pending_.data(), bytes.size());
}

void ContentHash::add(std::uint64_t number) noexcept {
  const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
  add(std::string_view(bytes.data(), bytes.size()));
}

Digest ContentHash::finish() noexcept {
  std::fill(pending_.begin() + static_cast<std::ptrdiff_t>(pendingSize_), pending_.end(), '\0');
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::memcpy(&left, pending_.data(), 8);
  std::memcpy(&right, pending_.data() + 8, 8);
  first_ = (first_ ^ scatterFirst(left)) ^ length_;
  second_ = (second_ ^ scatterSecond(right)) ^ length_;
  first_ += second_;
  second_ += first_;
  first_ = avalanche(first_);
  second_ = avalanche(second_);
  first_ += second_;
  second_ += first_;
  return {first_, second_};
}

} // namespace skillhost::filesystem
