// SPDX-License-Identifier: Apache-2.0
// Board: memory that a check's process shares with the one that started it. What is written here
// survives the writer, and no descriptor that a plugin closes can cut it off.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace skillhost::check {

// Zero-terminated texts, so that a reader can do with whatever a dead writer has left.
struct BoardData {
  std::uint32_t reported, verdict, blocks, configured;
  std::array<char, 300> step;   // what is being done, for the case that it never ends
  std::array<char, 2000> found; // UTF-8, cut
  std::array<char, 1000> advice;
  std::array<char, 300> cacheDirectory;
  std::array<char, 1 << 20> configuration;
};

class Board {
public:
  Board();                        // the parent's side; throws std::system_error
  explicit Board(int descriptor); // the child's side; closes the descriptor. Throws likewise
  ~Board();
  Board(const Board &) = delete;
  Board &operator=(const Board &) = delete;

  int descriptor() const noexcept { return descriptor_; } // -1 on the child's side
  BoardData &data() noexcept { return *data_; }

private:
  int descriptor_ = -1;
  BoardData *data_ = nullptr;
};

// Writes `text` into a field, cut between two characters where it is too long.
void put(std::span<char> field, std::string_view text) noexcept;

} // namespace skillhost::check
