// SPDX-License-Identifier: Apache-2.0
// Board: memory that a check's process shares with the one that started it. What is written here
// survives the writer, and no descriptor that a plugin closes can cut it off.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skillhost::check {

// Zero-terminated texts. A plugin can write anything here, so that the parent believes nothing of
// it.
struct BoardData {
  std::uint32_t reported, verdict, blocks, configured;
  std::uint32_t sockets;        // a plugin in the file says that it needs them
  std::uint32_t reachesOthers;  // one of auth does, so that it is to be checked without a network
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

// What stands in a field, be it terminated or not.
std::string textOf(std::span<const char> field);
// Writes `text` into a field, cut between two characters where it is too long.
void put(std::span<char> field, std::string_view text) noexcept;

} // namespace skillhost::check
