// SPDX-License-Identifier: Apache-2.0
#include "content_difference.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace skillhost {
namespace {

using Lines = std::vector<std::string_view>;
constexpr std::size_t around = 3;
constexpr int maxEdits = 1'500; // memory and time grow with its square

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// One line of the result: ' ' for a line of both texts, '-' for one of the old, '+' for one of the
// new.
struct Edit {
  char kind;
  std::string_view line;
};

// Finds the shortest edit script from one text to the other (Myers, "An O(ND) Difference
// Algorithm"). find() returns false if it has more than maxEdits steps.
class ShortestWay {
public:
  ShortestWay(const Lines &before, const Lines &now)
      : before_(before), now_(now), n_(static_cast<int>(before.size())),
        m_(static_cast<int>(now.size())) {}

  bool find(std::vector<Edit> &out) {
    const int maxBytes = std::min(maxEdits, n_ + m_);
    std::vector<int> furthest(2 * static_cast<std::size_t>(maxBytes) + 3, 0);
    const auto at = [&](int k) -> int & {
      const int place = k + maxBytes + 1;
      return furthest[static_cast<std::size_t>(place)];
    };
    for (int d = 0; d <= maxBytes; ++d) {
      trace_.emplace_back(furthest.begin() + (maxBytes + 1 - d),
                          furthest.begin() + (maxBytes + 2 + d));
      for (int k = -d; k <= d; k += 2) {
        int x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
        while (x < n_ && x - k < m_ && same(x, x - k)) ++x;
        at(k) = x;
        if (x >= n_ && x - k >= m_) {
          goBack(d, out);
          return true;
        }
      }
    }
    return false;
  }

private:
  bool same(int x, int y) const {
    return before_[static_cast<std::size_t>(x)] == now_[static_cast<std::size_t>(y)];
  }
  // trace_[d] holds the furthest points of the diagonals -d to d before step d.
  int traced(int d, int k) const {
    if (k < -d || k > d) return 0;
    const int place = k + d;
    return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(place)];
  }
  void goBack(int d, std::vector<Edit> &out) const {
    int x = n_, y = m_;
    for (; d >= 0; --d) {
      const int k = x - y;
      const bool down = k == -d || (k != d && traced(d, k - 1) < traced(d, k + 1));
      const int from = d == 0 ? 0 : down ? k + 1 : k - 1;
      const int fromX = d == 0 ? 0 : traced(d, from), fromY = d == 0 ? 0 : fromX - from;
      const int startX = d == 0 ? 0 : down ? fromX : fromX + 1;
      while (x > startX) {
        out.push_back({' ', before_[static_cast<std::size_t>(--x)]});
        --y;
      }
      if (d == 0) break;
      if (down)
        out.push_back({'+', now_[static_cast<std::size_t>(--y)]});
      else
        out.push_back({'-', before_[static_cast<std::size_t>(--x)]});
      x = fromX;
      y = fromY;
    }
    std::reverse(out.begin(), out.end());
  }

  const Lines &before_, &now_;
  const int n_, m_;
  std::vector<std::vector<int>> trace_;
};

// Returns for each edit whether it is a change or near one.
std::vector<bool> shownOf(const std::vector<Edit> &edits) {
  std::vector<bool> shown(edits.size(), false);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind == ' ') continue;
    const std::size_t first = i < around ? 0 : i - around;
    const std::size_t last = std::min(edits.size(), i + around + 1);
    std::fill(shown.begin() + static_cast<std::ptrdiff_t>(first),
              shown.begin() + static_cast<std::ptrdiff_t>(last), true);
  }
  return shown;
}

std::string rangeText(char sign, std::size_t first, std::size_t count) {
  return sign + std::to_string(count == 0 ? first : first + 1) +
         (count == 1 ? "" : "," + std::to_string(count));
}

std::string hunksOf(const std::vector<Edit> &edits, std::size_t maxBytes) {
  const std::vector<bool> shown = shownOf(edits);
  std::string out;
  std::size_t before = 0, now = 0; // lines passed
  for (std::size_t i = 0; i < edits.size();) {
    if (!shown[i]) {
      ++before, ++now, ++i; // only lines of both texts are hidden
      continue;
    }
    std::string body;
    std::size_t lost = 0, won = 0;
    for (; i < edits.size() && shown[i]; ++i) {
      ((body += edits[i].kind) += edits[i].line) += '\n';
      lost += edits[i].kind != '+' ? 1 : 0;
      won += edits[i].kind != '-' ? 1 : 0;
    }
    out += "@@ " + rangeText('-', before, lost) + ' ' + rangeText('+', now, won) + " @@\n" + body;
    before += lost;
    now += won;
    if (out.size() > maxBytes) return out.substr(0, maxBytes) + "\n… (the rest is left out)\n";
  }
  return out;
}

} // namespace

std::string differenceOf(std::string_view before, std::string_view now, std::size_t maxBytes) {
  if (before == now) return {};
  const Lines old = linesOf(before), other = linesOf(now);
  // The common beginning and end of the texts need no search.
  std::size_t first = 0, last = 0;
  while (first < std::min(old.size(), other.size()) && old[first] == other[first]) ++first;
  while (last < std::min(old.size(), other.size()) - first &&
         old[old.size() - 1 - last] == other[other.size() - 1 - last])
    ++last;
  const Lines oldPart(old.begin() + static_cast<std::ptrdiff_t>(first),
                      old.end() - static_cast<std::ptrdiff_t>(last));
  const Lines newPart(other.begin() + static_cast<std::ptrdiff_t>(first),
                      other.end() - static_cast<std::ptrdiff_t>(last));
  std::vector<Edit> middle;
  const bool isFound =
      !oldPart.empty() && !newPart.empty() && ShortestWay(oldPart, newPart).find(middle);
  // Without an edit script all lines of both texts are listed, because a reviewer has to answer for
  // the whole new text.
  if (!isFound) {
    for (const std::string_view line : oldPart) middle.push_back({'-', line});
    for (const std::string_view line : newPart) middle.push_back({'+', line});
  }
  std::vector<Edit> edits;
  edits.reserve(first + middle.size() + last);
  for (std::size_t i = 0; i < first; ++i) edits.push_back({' ', old[i]});
  edits.insert(edits.end(), middle.begin(), middle.end());
  for (std::size_t i = old.size() - last; i < old.size(); ++i) edits.push_back({' ', old[i]});
  std::string out = hunksOf(edits, maxBytes);
  // All lines are equal; only the line end at the end differs.
  return out.empty() ? "… (the line end at the end of the file differs)\n" : out;
}

void addWholeText(std::string_view text, const std::function<void(std::string_view)> &add) {
  if (text.empty()) return;
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  add("@@ -0,0 " + rangeText('+', 0, ends + (text.ends_with('\n') ? 0 : 1)) + " @@\n");
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    add("+");
    add(text.substr(0, end));
    add("\n");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

} // namespace skillhost
