// SPDX-License-Identifier: Apache-2.0
#include "sentence_piece_file.hpp"

#include "ground/utf8.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace skillhost::model {
namespace {

using Character = std::int32_t;

// Numbers of the fields in sentencepiece_model.proto, and of the types of pieces.
constexpr unsigned pieceOfModel = 1, trainerOfModel = 2, normalizerOfModel = 3;
constexpr unsigned textOfPiece = 1, scoreOfPiece = 2, typeOfPiece = 3;
constexpr unsigned typeOfTrainer = 3, nameOfNormalizer = 1, mapOfNormalizer = 2;
constexpr std::uint64_t unknown = 2, control = 3, unigram = 1;

std::string asUtf8(Character character) {
  std::string text;
  appendUtf8(text, static_cast<char32_t>(character));
  return text;
}

std::vector<std::string> partsOf(Character character) {
  constexpr std::size_t most = 8; // the longest has four
  std::array<Character, most> parts{};
  int boundary = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(character, parts.data(), most, UTF8PROC_DECOMPOSE, &boundary);
  std::vector<std::string> texts;
  for (utf8proc_ssize_t each = 0; each < std::min<utf8proc_ssize_t>(count, most); ++each)
    texts.push_back(asUtf8(parts[static_cast<std::size_t>(each)]));
  return texts;
}

// A trie in the form of darts-clone: the children of a node are at its base, combined with their
// first byte by exclusive or.
class Trie {
public:
  // The value of each key.
  explicit Trie(const std::map<std::string, std::uint32_t> &values)
      : entries_(values.begin(), values.end()) {
    grow(0);
    isTaken_[0] = true;
    isBase_[0] = true; // SentencePiece takes a root that is its own base for damage
    units_[0] = 0;
    if (!entries_.empty()) place(0, 0, entries_.size(), 0);
  }
  std::string bytes() const {
    return {reinterpret_cast<const char *>(units_.data()), units_.size() * sizeof(std::uint32_t)};
  }

private:
  static constexpr std::size_t block = 256, searched = 16 * block;
  static constexpr std::uint32_t leaf = std::uint32_t{1} << 31U, hasLeaf = 1U << 8U;

  struct Child {
    unsigned char label = 0; // 0: the value of the node itself
    std::size_t first = 0, last = 0;
  };

  void grow(std::size_t unit) {
    const std::size_t size = (unit / block + 1) * block;
    if (size <= units_.size()) return;
    if (size > std::size_t{1} << 21U) throw std::runtime_error("the trie is too large");
    units_.resize(size, leaf); // which no byte is equal to
    isTaken_.resize(size);
    isBase_.resize(size);
  }
  std::size_t freeBase(const std::vector<Child> &children) {
    while (firstFree_ < isTaken_.size() && isTaken_[firstFree_]) ++firstFree_;
    std::size_t at =
        std::max(firstFree_, units_.size() - std::min<std::size_t>(units_.size(), searched));
    for (;; ++at) {
      grow(at);
      const std::size_t base = at ^ children.front().label;
      if (!isBase_[base] && std::none_of(children.begin(), children.end(), [&](const Child &each) {
            return isTaken_[base ^ each.label];
          }))
        return base;
    }
  }
  // Enters the children of the node at `unit`, whose keys share the first `depth` bytes.
  void place(std::size_t unit, std::size_t first, std::size_t last, std::size_t depth) {
    std::vector<Child> children;
    for (std::size_t each = first; each < last; ++each) {
      const std::string &key = entries_[each].first;
      const auto label = static_cast<unsigned char>(depth < key.size() ? key[depth] : 0);
      if (children.empty() || children.back().label != label)
        children.push_back({label, each, each});
      children.back().last = each + 1;
    }
    const std::size_t base = freeBase(children);
    isBase_[base] = true;
    units_[unit] |= static_cast<std::uint32_t>(unit ^ base) << 10U;
    for (const Child &child : children) {
      isTaken_[base ^ child.label] = true;
      units_[base ^ child.label] = child.label;
    }
    for (const Child &child : children) {
      if (child.label == 0) {
        units_[unit] |= hasLeaf;
        units_[base] = leaf | entries_[child.first].second;
      } else {
        place(base ^ child.label, child.first, child.last, depth + 1);
      }
    }
  }

  std::vector<std::pair<std::string, std::uint32_t>> entries_;
  std::vector<std::uint32_t> units_;
  std::vector<bool> isTaken_, isBase_;
  std::size_t firstFree_ = 0;
};

std::string charactersMap(const Replacements &replacements) {
  std::map<std::string, std::uint32_t> begins, values;
  std::string texts;
  for (const auto &[from, to] : replacements) {
    const auto [known, isNew] = begins.emplace(to, static_cast<std::uint32_t>(texts.size()));
    if (isNew) texts += to + '\0';
    values[from] = known->second;
  }
  const std::string trie = Trie(values).bytes();
  const auto size = static_cast<std::uint32_t>(trie.size());
  // Little endian, like all supported machines.
  return std::string(reinterpret_cast<const char *>(&size), sizeof size) + trie + texts;
}

// Fields of Protocol Buffers.
std::string asVarint(std::uint64_t value) {
  constexpr std::uint64_t more = 0x80;
  std::string bytes;
  for (; value >= more; value >>= 7U) bytes += static_cast<char>(value | more);
  return bytes + static_cast<char>(value);
}
std::string asField(unsigned field, std::uint64_t value) {
  return asVarint(field << 3U) + asVarint(value);
}
std::string asField(unsigned field, std::string_view bytes) {
  return asVarint(field << 3U | 2U) + asVarint(bytes.size()) + std::string(bytes);
}
std::string asField(unsigned field, float number) {
  return asVarint(field << 3U | 5U) +
         std::string(reinterpret_cast<const char *>(&number), sizeof number);
}

} // namespace

Replacements withComposed(const Replacements &single) {
  constexpr Character first = 0x80, last = 0xffff, firstSyllable = 0xac00, lastSyllable = 0xd7a3;
  std::map<std::string, std::vector<std::string>> equal; // characters by their replacement
  for (const auto &[from, to] : single)
    if (from.size() < 4) equal[to].push_back(from); // of the first plane
  Replacements all = single;
  for (Character each = first; each <= last; ++each) {
    if (!utf8proc_codepoint_valid(each)) continue;
    const std::vector<std::string> parts = partsOf(each);
    if (parts.size() < 2) continue;
    std::vector<std::string> sequences{""};
    const bool isHangul = each >= firstSyllable && each <= lastSyllable;
    for (const std::string &part : parts) {
      std::vector<std::string> longer;
      for (const std::string &sequence : sequences) {
        longer.push_back(sequence + part);
        // The many other forms of Korean letters are hardly ever mixed.
        if (const auto others = equal.find(part); others != equal.end() && !isHangul)
          for (const std::string &other : others->second) longer.push_back(sequence + other);
      }
      sequences = std::move(longer);
    }
    const std::string character = asUtf8(each);
    const auto replaced = single.find(character);
    const std::string &to = replaced == single.end() ? character : replaced->second;
    for (const std::string &sequence : sequences)
      if (sequence != to) all.emplace(sequence, to);
  }
  return all;
}

std::string sentencePieceFile(const std::vector<ScoredPiece> &pieces,
                              const Replacements &replacements,
                              const std::function<void()> &checkpoint) {
  constexpr std::size_t piecesAtOnce = 10'000;
  constexpr float noScore = 0;
  const auto special = [](std::string_view text, std::uint64_t type) {
    return asField(pieceOfModel, asField(textOfPiece, text) + asField(scoreOfPiece, noScore) +
                                     asField(typeOfPiece, type));
  };
  std::string file = special("<unk>", unknown) + special("<s>", control) + special("</s>", control);
  for (std::size_t each = 0; each < pieces.size(); ++each) {
    if (each % piecesAtOnce == 0) checkpoint();
    file += asField(pieceOfModel, asField(textOfPiece, pieces[each].text) +
                                      asField(scoreOfPiece, pieces[each].score));
  }
  return file + asField(trainerOfModel, asField(typeOfTrainer, unigram)) +
         asField(normalizerOfModel, asField(nameOfNormalizer, std::string_view("nmt_nfkc")) +
                                        asField(mapOfNormalizer, charactersMap(replacements)));
}

} // namespace skillhost::model
