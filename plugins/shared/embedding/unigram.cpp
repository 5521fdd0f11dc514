// SPDX-License-Identifier: Apache-2.0
#include "unigram.hpp"

#include "protocol_message.hpp"

#include <skillhost/plugin.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skillhost::embedding {
namespace {

// Numbers of the fields in sentencepiece_model.proto.
constexpr std::uint64_t pieceOfModel = 1, trainerOfModel = 2, normalizerOfModel = 3;
constexpr std::uint64_t textOfPiece = 1, scoreOfPiece = 2, typeOfPiece = 3;
constexpr std::uint64_t typeOfTrainer = 3, suffixOfTrainer = 24;
constexpr std::uint64_t mapOfNormalizer = 2, prefixOfNormalizer = 3, spacesOfNormalizer = 4,
                        marksOfNormalizer = 5;
constexpr std::uint64_t unigramType = 1;
constexpr std::uint64_t normal = 1, unknown = 2, control = 3, unused = 5; // types of pieces

constexpr std::size_t maxPieces = 1'000'000;
constexpr std::size_t maxPieceBytes = 128; // that of XLM-RoBERTa has 48
constexpr float unknownPenalty = 10;       // as in SentencePiece

// The first pieces of the file are <unk>, <s> and </s>. XLM-RoBERTa numbers them otherwise, and has
// a token for padding besides, so all others move up by one.
constexpr std::array<std::uint64_t, 3> typesOfFirst{unknown, control, control};
constexpr std::uint32_t beginNumber = 0, endNumber = 2, unknownNumber = 3;
constexpr std::uint32_t shift = 1;

CharacterMap readNormalizer(std::string_view bytes, const std::string &called) {
  std::string_view map;
  for (ProtocolMessage message(bytes, called); message.next();) {
    const std::uint64_t field = message.field();
    if (field == mapOfNormalizer)
      map = message.bytes();
    else if ((field == prefixOfNormalizer || field == spacesOfNormalizer ||
              field == marksOfNormalizer) &&
             message.value() == 0)
      throw skh::Error(SKH_INVALID, called + " treats spaces in a way that is not known");
  }
  return {map, called};
}

void requireUnigram(std::string_view trainer, const std::string &called) {
  for (ProtocolMessage message(trainer, called); message.next();) {
    if (message.field() == typeOfTrainer && message.value() != unigramType)
      throw skh::Error(SKH_INVALID, called + " is not a unigram model");
    if (message.field() == suffixOfTrainer && message.value() != 0)
      throw skh::Error(SKH_INVALID, called + " treats spaces in a way that is not known");
  }
}

std::size_t lengthOfCharacter(char first) {
  constexpr unsigned lead = 0x0c, three = 0x0e, four = 0x0f; // of the upper four bits
  const unsigned upper = static_cast<unsigned char>(first) >> 4U;
  return upper == four ? 4 : upper == three ? 3 : upper >= lead ? 2 : 1;
}

} // namespace

Unigram::Unigram(std::string_view model, const std::string &called) : characters_({}, called) {
  const std::string name = called + ":";
  std::size_t count = 0;
  float least = std::numeric_limits<float>::max();
  for (ProtocolMessage message(model, name); message.next();) {
    if (message.field() == trainerOfModel) requireUnigram(message.bytes(), name);
    if (message.field() == normalizerOfModel) characters_ = readNormalizer(message.bytes(), name);
    if (message.field() != pieceOfModel) continue;
    const std::string place = called + ": piece " + std::to_string(count);
    const auto refuse = [&place](const char *why) {
      throw skh::Error(SKH_INVALID, place + " " + why);
    };
    if (count == maxPieces) refuse("is one too many");
    std::string_view text;
    float score = 0;
    std::uint64_t type = normal;
    for (ProtocolMessage piece(message.bytes(), place); piece.next();) {
      if (piece.field() == textOfPiece) text = piece.bytes();
      if (piece.field() == scoreOfPiece) score = piece.number32();
      if (piece.field() == typeOfPiece) type = piece.value();
    }
    const auto number = static_cast<std::uint32_t>(count) + shift;
    const bool isFirst = count < typesOfFirst.size();
    if (isFirst ? type != typesOfFirst.at(count) : type != normal && type != unused)
      refuse("has another type than in XLM-RoBERTa");
    ++count;
    if (isFirst || type == unused) continue;
    if (text.empty() || text.size() > maxPieceBytes || !std::isfinite(score))
      refuse("has no text, one that is too long, or no score");
    pieces_.push_back({static_cast<std::uint32_t>(text_.size()), number, score,
                       static_cast<std::uint32_t>(text.size())});
    text_ += text;
    longest_ = std::max(longest_, text.size());
    least = std::min(least, score);
  }
  if (pieces_.empty()) throw skh::Error(SKH_INVALID, name + " has no pieces");
  size_ = count + shift;
  unknownScore_ = least - unknownPenalty;
  sort(called);
}

void Unigram::sort(const std::string &called) {
  std::sort(pieces_.begin(), pieces_.end(),
            [this](const Piece &one, const Piece &other) { return textOf(one) < textOf(other); });
  const auto twice = std::adjacent_find(
      pieces_.begin(), pieces_.end(),
      [this](const Piece &one, const Piece &other) { return textOf(one) == textOf(other); });
  if (twice != pieces_.end())
    throw skh::Error(SKH_INVALID, called + ": piece " +
                                      std::to_string(std::next(twice)->number - shift) +
                                      " is there twice");
}

// Calls `take` with each piece that the text begins with, the shortest first.
template <class Take> void Unigram::matches(std::string_view text, Take take) const {
  auto first = pieces_.begin(), last = pieces_.end(); // those that begin with the bytes so far
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto wanted = static_cast<unsigned char>(text[at]);
    // Returns -1 behind the end of a piece, which comes first in the order.
    const auto byteOf = [this, at](const Piece &piece) {
      return at < piece.length ? static_cast<unsigned char>(text_[piece.begin + at]) : -1;
    };
    first = std::partition_point(first, last,
                                 [&](const Piece &piece) { return byteOf(piece) < wanted; });
    last = std::partition_point(first, last,
                                [&](const Piece &piece) { return byteOf(piece) == wanted; });
    if (first == last) return;
    if (first->length == at + 1) take(*first);
  }
}

std::vector<std::uint32_t> Unigram::encode(std::string_view text, std::size_t maxTokens) const {
  maxTokens = std::max<std::size_t>(maxTokens, 2);
  const std::string normalised = characters_.normalise(text, maxTokens * longest_);
  struct Best {
    std::size_t begin = std::string::npos; // of the last piece; npos: there is none yet
    float score = 0;                       // of all pieces up to here
    std::uint32_t number = unknownNumber;
  };
  // The best pieces up to each byte.
  std::vector<Best> best(normalised.size() + 1);
  for (std::size_t begin = 0; begin < normalised.size();) {
    const float before = best[begin].score;
    const std::size_t character =
        std::min(lengthOfCharacter(normalised[begin]), normalised.size() - begin);
    // SentencePiece takes the piece that begins first if others are equally good.
    const auto offer = [&](std::size_t length, float sum, std::uint32_t number) {
      Best &there = best[begin + length];
      if (there.begin == std::string::npos || sum > there.score) there = {begin, sum, number};
    };
    bool isKnown = false;
    matches(std::string_view(normalised).substr(begin), [&](const Piece &piece) {
      offer(piece.length, piece.score + before, piece.number);
      isKnown = isKnown || piece.length == character;
    });
    if (!isKnown) offer(character, unknownScore_ + before, unknownNumber);
    begin += character;
  }
  std::vector<std::uint32_t> numbers;
  for (std::size_t end = normalised.size(); end > 0; end = best[end].begin)
    if (const std::uint32_t number = best[end].number;
        number != unknownNumber || numbers.empty() || numbers.back() != unknownNumber)
      numbers.push_back(number);
  numbers.push_back(beginNumber);
  std::reverse(numbers.begin(), numbers.end());
  numbers.resize(std::min(numbers.size(), maxTokens - 1));
  numbers.push_back(endNumber);
  return numbers;
}

} // namespace skillhost::embedding
