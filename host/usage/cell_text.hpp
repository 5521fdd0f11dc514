// SPDX-License-Identifier: Apache-2.0
// Cells as bytes: events of one subject, day and text that was asked for, added up. Two files that
// hold different events come to the same cells as one file that holds all of them.
#pragma once

#include "usage/use.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// What events have in common. Its digest is left out, for no report tells it.
struct UsageSubject {
  UseKind kind = UseKind::Load;
  std::string skill, source, path, principal, client, outcome;
};

struct UsageCell {
  std::int64_t day = 0;             // since 1970
  std::optional<std::string> asked; // that was asked for and not found
  // The newest in Unix milliseconds; the time spent in microseconds.
  std::int64_t count = 0, newest = 0, spent = 0;
};

// Takes each subject, and after it the cells that it has.
struct CellSink {
  std::function<void(const UsageSubject &)> subject;
  std::function<void(const UsageCell &)> cell;
};

// One thread.
class CellWriter {
public:
  explicit CellWriter(std::size_t mostBytes) : mostBytes_(mostBytes) {}

  CellSink sink();
  bool isTooLarge() const noexcept { return text_.size() > mostBytes_; }
  // Once. What has no cell is empty.
  std::string finish() &&;

private:
  void number(std::int64_t number);
  void text(std::string_view text);

  const std::size_t mostBytes_;
  std::string text_;
  std::int64_t cells_ = 0;
};

// False when the bytes are not whole, or of another version; then `sink` has had a part of it.
bool readCells(std::string_view bytes, const CellSink &sink);
// Reads it for nothing.
bool areWholeCells(std::string_view bytes);

} // namespace skillhost
