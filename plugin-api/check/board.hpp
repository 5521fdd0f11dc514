// SPDX-License-Identifier: Apache-2.0
// A board is memory that the process of a check shares with its parent: the process writes its
// results there. They survive the process, and a plugin that closes descriptors cannot prevent
// that.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skillhost::check {

// Texts end with zero. A plugin can write anything here, so the parent must not trust the content.
struct BoardData {
  std::uint32_t reported, verdict, blocks, configured;
  std::uint32_t sockets;         // a plugin in the file declares that it needs sockets
  std::uint32_t needsOfflineRun; // an auth plugin uses the network: also check it without one
  std::array<char, 300> step;    // what the check does now; reported if it never ends
  std::array<char, 2000> found;  // UTF-8, cut if it is too long
  std::array<char, 1000> advice;
  std::array<char, 300> cacheDirectory;
  std::array<char, 1 << 20> configuration;
};

class Board {
public:
  Board();                        // parent's side; throws std::system_error
  explicit Board(int descriptor); // child's side; closes the descriptor; throws the same
  ~Board();
  Board(const Board &) = delete;
  Board &operator=(const Board &) = delete;

  int descriptor() const noexcept { return descriptor_; } // -1 on the child's side
  BoardData &data() noexcept { return *data_; }

private:
  int descriptor_ = -1;
  BoardData *data_ = nullptr;
};

// Returns the text of a field, even if it does not end with zero.
std::string textOf(std::span<const char> field);
// Writes `text` into a field and cuts it between two characters if it is too long.
void put(std::span<char> field, std::string_view text) noexcept;

} // namespace skillhost::check
