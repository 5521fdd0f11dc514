// SPDX-License-Identifier: Apache-2.0
#include "commandline/progress_line.hpp"

#include "ground/shown.hpp"
#include "ground/utf8.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t barWidth = 20, usualColumns = 80;

std::size_t columnsOfTerminal() {
  winsize size{};
  const bool isKnown = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return isKnown ? size.ws_col : usualColumns;
}

// A blocked terminal must not delay the source: text that cannot be written is dropped.
void show(const std::string &text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);
}

constexpr const char *wiped = "\r\x1b[K";

} // namespace

std::string progressText(std::uint64_t done, std::uint64_t total, std::string_view what,
                         std::size_t columns) {
  std::string text;
  if (total != 0) {
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(part * barWidth);
    std::string percent = std::to_string(static_cast<int>(part * 100));
    percent.insert(0, 3 - std::min<std::size_t>(3, percent.size()), ' ');
    text = '[' + std::string(filled, '#') + std::string(barWidth - filled, '-') + "] " + percent +
           " %  ";
  }
  text += shownLine(what);
  return std::string(cutUtf8(text, columns));
}

// The observer shares it, because it may be running when the line is destroyed.
struct ProgressLine::Line {
  std::mutex mutex;
  bool isOver = false, isShown = false;
};

ProgressLine::ProgressLine(ListingProgress &progress) {
  if (::isatty(STDERR_FILENO) == 0) return;
  line_ = std::make_shared<Line>();
  observer_ = progress.observe(
      [line = line_](std::uint64_t done, std::uint64_t total, std::string_view what) {
        const std::scoped_lock lock(line->mutex);
        if (line->isOver) return;
        line->isShown = true;
        show(wiped + progressText(done, total, what, columnsOfTerminal() - 1));
      });
}

ProgressLine::~ProgressLine() {
  if (!line_) return;
  const std::scoped_lock lock(line_->mutex);
  line_->isOver = true;
  if (line_->isShown) show(wiped);
}

} // namespace skillhost
