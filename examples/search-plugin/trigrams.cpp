// SPDX-License-Identifier: Apache-2.0
#include "trigrams.hpp"

#include <algorithm>
#include <string>

namespace {

bool isLetter(unsigned char byte) {
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

char lowered(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

void addWord(const std::string &word, std::vector<Trigram> &to) {
  if (word.empty()) return;
  const std::string padded = "  " + word + " ";
  const auto byte = [&padded](std::size_t at) {
    return Trigram{static_cast<unsigned char>(padded[at])};
  };
  for (std::size_t at = 0; at + 2 < padded.size(); ++at)
    to.push_back(byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2));
}

} // namespace

std::vector<Trigram> trigramsOf(std::string_view text) {
  std::vector<Trigram> all;
  std::string word;
  for (const char letter : text) {
    if (isLetter(static_cast<unsigned char>(letter))) {
      word += lowered(letter);
      continue;
    }
    addWord(word, all);
    word.clear();
  }
  addWord(word, all);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::size_t inCommon(const std::vector<Trigram> &left, const std::vector<Trigram> &right) noexcept {
  std::size_t count = 0;
  for (auto l = left.begin(), r = right.begin(); l != left.end() && r != right.end();) {
    if (*l < *r) {
      ++l;
    } else if (*r < *l) {
      ++r;
    } else {
      ++count, ++l, ++r;
    }
  }
  return count;
}
