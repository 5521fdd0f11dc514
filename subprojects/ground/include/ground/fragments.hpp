// SPDX-License-Identifier: Apache-2.0
// Bytes to send, made of owned pieces and of shared ones that are never copied.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class Fragments {
public:
  using Shared = std::shared_ptr<const std::string>;

  Fragments() = default;
  explicit Fragments(std::string_view text) { append(text); }
  explicit Fragments(const char *text) : Fragments(std::string_view(text)) {}
  explicit Fragments(std::string &&text) : size_(text.size()) {
    pieces_.emplace_back().own = std::move(text);
  }

  Fragments &append(std::string_view text) {
    size_ += text.size();
    own().append(text);
    return *this;
  }
  Fragments &append(const Shared &text) {
    // Copying a short piece is cheaper than keeping it separate.
    if (text->size() <= copied) return append(std::string_view(*text));
    size_ += text->size();
    add().shared = text;
    return *this;
  }
  Fragments &append(const Fragments &other) {
    for (const Piece &piece : other.pieces_)
      if (piece.shared)
        append(piece.shared);
      else
        append(std::string_view(piece.own));
    return *this;
  }

  // Leaves `other` empty.
  Fragments &append(Fragments &&other) {
    for (Piece &piece : other.pieces_)
      if (!piece.shared && !pieces_.empty() && !pieces_.back().shared)
        pieces_.back().own += piece.own;
      else
        add() = std::move(piece);
    size_ += std::exchange(other.size_, 0);
    other.pieces_.clear();
    return *this;
  }

  std::size_t size() const noexcept { return size_; }
  std::string text() const {
    std::string all;
    all.reserve(size_);
    each([&](std::string_view piece) { all += piece; });
    return all;
  }
  template <class Visitor> void each(Visitor &&visit) const {
    for (const Piece &piece : pieces_)
      visit(piece.shared ? std::string_view(*piece.shared) : std::string_view(piece.own));
  }

private:
  static constexpr std::size_t copied = 4096;
  struct Piece {
    std::string own;
    Shared shared;
  };
  std::string &own() {
    return pieces_.empty() || pieces_.back().shared ? add().own : pieces_.back().own;
  }
  // A single piece is stored without spare room. A second piece is usually followed by more.
  Piece &add() {
    constexpr std::size_t usual = 8;
    if (pieces_.size() == 1) pieces_.reserve(usual);
    return pieces_.emplace_back();
  }

  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
};

} // namespace skillhost
