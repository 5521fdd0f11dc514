// SPDX-License-Identifier: Apache-2.0
// Finds many words in one pass over a text (Aho and Corasick), ignoring the case of ASCII.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class LiteralSearch {
public:
  using State = std::uint16_t;
  // A word in lower case, and the number of its owner, which a match reports. All words together
  // have fewer than 65,536 bytes.
  using Word = std::pair<std::string_view, std::uint16_t>;
  explicit LiteralSearch(const std::vector<Word> &words);

  static constexpr State start = 0;
  State next(State state, char c) const noexcept {
    return next_[state * classes_ + class_[static_cast<unsigned char>(c)]];
  }
  // Returns the owners of the words that end in this state.
  std::span<const std::uint16_t> owners(State state) const noexcept {
    return std::span(owners_).subspan(first_[state], first_[state + 1U] - first_[state]);
  }

private:
  std::array<std::uint8_t, 256> class_{}; // 0: in no word
  std::size_t classes_ = 1;
  std::vector<State> next_; // by state and class
  std::vector<std::uint32_t> first_;
  std::vector<std::uint16_t> owners_;
};

} // namespace skillhost
