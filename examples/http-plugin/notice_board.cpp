// SPDX-License-Identifier: Apache-2.0
#include "notice_board.hpp"

namespace {

// A notice is one line.
std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

} // namespace

void NoticeBoard::add(const std::string &author, const std::string &text) {
  const std::scoped_lock lock(mutex_);
  lines_.push_front((author.empty() ? "somebody" : author) + ": " + oneLine(text) + '\n');
  if (lines_.size() > maxNotices_) lines_.pop_back();
}

std::string NoticeBoard::text() const {
  const std::scoped_lock lock(mutex_);
  std::string all;
  for (const std::string &line : lines_) all += line;
  return all;
}
