// SPDX-License-Identifier: Apache-2.0
#include "four_bits.hpp"

#include "ground/utf8.hpp"
#include "sentence_piece_file.hpp"
#include "weights_file.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace skillhost::model {
namespace {

constexpr std::uint32_t maxVocabulary = 1'000'000, maxWidth = 16384, maxOther = 8192;
constexpr std::uint32_t maxTensors = 4096;
// A block of weights is a scale in 16 bits, and 4 bits for each weight.
constexpr std::size_t blockWeights = 32, blockBytes = 18;
constexpr std::size_t rowsAtOnce = 1024;
// The vocabulary begins with <s>, <pad>, </s> and <unk>, and ends with <mask>.
constexpr std::size_t specialsBefore = 4, specialsAfter = 1;

[[noreturn]] void refuseFourBits(const std::string &why) {
  throw std::runtime_error("the file of weights in 4 bits " + why);
}

class Cursor {
public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) refuseFourBits("is cut off, or damaged");
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Numbers are little endian, like all supported machines.
  template <class Number> Number number() {
    Number number{};
    const std::string_view bytes = take(sizeof number);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(&number));
    return number;
  }
  std::uint32_t size(const char *what, std::uint32_t most) {
    const auto size = number<std::uint32_t>();
    if (size == 0 || size > most)
      refuseFourBits("is damaged: it has " + std::string(what) + " " + std::to_string(size));
    return size;
  }

private:
  std::string_view rest_;
};

template <class Number> std::vector<Number> numbersOf(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  const std::string_view whole = bytes.substr(0, numbers.size() * sizeof(Number));
  std::copy(whole.begin(), whole.end(), reinterpret_cast<char *>(numbers.data()));
  return numbers;
}

float fromHalf(std::uint16_t half) {
  constexpr unsigned exponentBits = 5, fractionBits = 10, bias = 15;
  const unsigned exponent = half >> fractionBits & ((1U << exponentBits) - 1);
  const auto fraction = static_cast<float>(half & ((1U << fractionBits) - 1));
  constexpr auto one = static_cast<float>(1U << fractionBits);
  if (exponent == (1U << exponentBits) - 1) refuseFourBits("has a scale that is not finite");
  const float value =
      exponent == 0
          ? std::ldexp(fraction / one, 1 - static_cast<int>(bias))
          : std::ldexp(1 + fraction / one, static_cast<int>(exponent) - static_cast<int>(bias));
  return (half & 0x8000U) != 0 ? -value : value;
}

void decodeRow(std::string_view bytes, std::vector<float> &row) {
  constexpr int middle = 8;
  Cursor from(bytes);
  for (std::size_t begin = 0; begin < row.size(); begin += blockWeights) {
    const float scale = fromHalf(from.number<std::uint16_t>());
    const std::string_view pairs = from.take(blockBytes - sizeof(std::uint16_t));
    for (std::size_t at = 0; at < pairs.size(); ++at) {
      const auto pair = static_cast<unsigned char>(pairs[at]);
      const int low = pair % 16, high = pair / 16;
      row[begin + at] = static_cast<float>(low - middle) * scale;
      row[begin + at + pairs.size()] = static_cast<float>(high - middle) * scale;
    }
  }
}

struct PackedTensor {
  bool isFourBits = false;
  std::uint32_t count = 0; // of weights
  std::uint64_t begin = 0; // in the file
};

class FourBitsFile {
public:
  FourBitsFile(std::string_view bytes, const std::function<void()> &checkpoint)
      : bytes_(bytes), checkpoint_(checkpoint) {
    constexpr std::string_view magic{"E5S1\1\0\0\0", 8};
    Cursor from(bytes);
    if (from.take(magic.size()) != magic) refuseFourBits("has another format");
    sizes_.width = from.size("the width", maxWidth);
    sizes_.layers = from.size("the layers", maxOther);
    heads_ = from.size("the heads", maxOther);
    sizes_.innerWidth = from.size("the inner width", maxWidth);
    sizes_.vocabulary = from.size("the vocabulary", maxVocabulary);
    sizes_.positions = from.size("the positions", maxOther);
    sizes_.types = from.size("the types", maxOther);
    from.take(sizeof(float)); // added to variances; all models of this form have the same
    if (from.number<std::uint32_t>() != blockWeights) refuseFourBits("has blocks of another size");
    readVocabulary(from);
    readReplacements(from);
    readDirectory(from);
  }

  const ModelSizes &sizes() const { return sizes_; }
  std::uint64_t heads() const { return heads_; }
  std::string vocabulary() const {
    return sentencePieceFile(pieces_, withComposed(replacements_), checkpoint_);
  }
  std::string weights() const {
    WeightsFile file;
    const std::uint64_t width = sizes_.width, inner = sizes_.innerWidth;
    const std::string words = "embeddings.";
    addFloats(file, words + "position_embeddings.weight", "emb.pos", {sizes_.positions, width});
    addFloats(file, words + "token_type_embeddings.weight", "emb.type", {sizes_.types, width});
    addNorm(file, words + "LayerNorm", "emb.ln");
    for (std::uint64_t layer = 0; layer < sizes_.layers; ++layer) {
      const std::string to = "encoder.layer." + std::to_string(layer) + ".",
                        from = "l" + std::to_string(layer) + ".";
      for (const auto &[name, letter] : {std::pair("query", "q"), {"key", "k"}, {"value", "v"}})
        addMatrix(file, to + "attention.self." + name, from + letter, width, width);
      addMatrix(file, to + "attention.output.dense", from + "ao", width, width);
      addNorm(file, to + "attention.output.LayerNorm", from + "aln");
      addMatrix(file, to + "intermediate.dense", from + "fi", inner, width);
      addMatrix(file, to + "output.dense", from + "fo", width, inner);
      addNorm(file, to + "output.LayerNorm", from + "oln");
    }
    addRows(file, words + "word_embeddings.weight", "emb.word", {sizes_.vocabulary, width});
    return file.bytes();
  }

private:
  void readVocabulary(Cursor &from) {
    const std::uint32_t count = from.size("the pieces", maxVocabulary);
    constexpr std::array<std::uint32_t, 4> specials{0, 2, 1, 3}; // <s>, </s>, <pad>, <unk>
    for (const std::uint32_t special : specials)
      if (from.number<std::uint32_t>() != special) refuseFourBits("numbers its tokens otherwise");
    const auto length = from.number<std::uint64_t>();
    const auto begins =
        numbersOf<std::uint32_t>(from.take((std::uint64_t{count} + 1) * sizeof(std::uint32_t)));
    const auto scores = numbersOf<float>(from.take(std::uint64_t{count} * sizeof(float)));
    const std::string_view texts = from.take(length);
    for (std::size_t each = specialsBefore; each + specialsAfter < count; ++each) {
      if (begins[each] > begins[each + 1] || begins[each + 1] > texts.size())
        refuseFourBits("is damaged: a piece lies outside");
      pieces_.push_back(
          {texts.substr(begins[each], begins[each + 1] - begins[each]), scores[each]});
    }
  }
  void readReplacements(Cursor &from) {
    const auto count = from.number<std::uint32_t>();
    Cursor rest(from.take(from.number<std::uint32_t>()));
    for (std::uint32_t each = 0; each < count; ++each) {
      const std::string character = characterOf(rest);
      std::string to;
      for (auto left = rest.number<std::uint8_t>(); left > 0; --left) to += characterOf(rest);
      replacements_[character] = to;
    }
  }
  static std::string characterOf(Cursor &from) {
    const auto character = static_cast<utf8proc_int32_t>(from.number<std::uint32_t>());
    if (character == 0 || !utf8proc_codepoint_valid(character))
      refuseFourBits("is damaged: it replaces what is no character");
    std::string text;
    appendUtf8(text, static_cast<char32_t>(character));
    return text;
  }
  void readDirectory(Cursor &from) {
    const std::uint32_t count = from.size("the tensors", maxTensors);
    for (std::uint32_t each = 0; each < count; ++each) {
      PackedTensor &tensor = tensors_[std::string(from.take(from.number<std::uint16_t>()))];
      tensor.isFourBits = from.number<std::uint8_t>() == 1;
      tensor.count = from.number<std::uint32_t>();
      tensor.begin = from.number<std::uint64_t>();
      from.take(sizeof(std::uint64_t)); // its length, which follows from the count
    }
  }
  // Returns the bytes of a tensor of this shape.
  std::string_view bytesOf(const std::string &name, const WeightsFile::Shape &shape,
                           bool isFourBits) const {
    std::uint64_t count = 1;
    for (const std::uint64_t each : shape) count *= each; // of sizes that are limited
    const auto tensor = tensors_.find(name);
    if (tensor == tensors_.end() || tensor->second.isFourBits != isFourBits ||
        tensor->second.count != count || (isFourBits && shape.back() % blockWeights != 0))
      refuseFourBits("has no " + name + ", or one of another shape");
    Cursor from(bytes_);
    from.take(tensor->second.begin);
    return from.take(isFourBits ? count / blockWeights * blockBytes : count * sizeof(float));
  }
  void addFloats(WeightsFile &file, const std::string &name, const std::string &called,
                 const WeightsFile::Shape &shape) const {
    file.add(name, shape, numbersOf<float>(bytesOf(called, shape, false)));
  }
  void addNorm(WeightsFile &file, const std::string &name, const std::string &called) const {
    addFloats(file, name + ".weight", called + ".w", {sizes_.width});
    addFloats(file, name + ".bias", called + ".b", {sizes_.width});
  }
  void addMatrix(WeightsFile &file, const std::string &name, const std::string &called,
                 std::uint64_t outputs, std::uint64_t inputs) const {
    addFloats(file, name + ".bias", called + ".b", {outputs});
    addRows(file, name + ".weight", called + ".w", {outputs, inputs});
  }
  void addRows(WeightsFile &file, const std::string &name, const std::string &called,
               const WeightsFile::Shape &shape) const {
    Cursor from(bytesOf(called, shape, true));
    const auto rows = static_cast<std::size_t>(shape[0]),
               width = static_cast<std::size_t>(shape[1]);
    embedding::QuantisedRows to{std::vector<std::int8_t>(rows * width), std::vector<float>(rows)};
    std::vector<float> row(width);
    for (std::size_t each = 0; each < rows; ++each) {
      if (each % rowsAtOnce == 0) checkpoint_();
      decodeRow(from.take(width / blockWeights * blockBytes), row);
      to.scales[each] = embedding::quantiseRow(row.data(), width, to.values.data() + each * width);
    }
    file.add(name, shape, std::move(to));
  }

  std::string_view bytes_;
  const std::function<void()> &checkpoint_;
  ModelSizes sizes_;
  std::uint64_t heads_ = 0;
  std::vector<ScoredPiece> pieces_;
  Replacements replacements_;
  std::map<std::string, PackedTensor> tensors_;
};

} // namespace

std::vector<ConvertedFile> convertFromFourBits(std::string_view bytes, const ConversionFacts &facts,
                                               const std::function<void()> &checkpoint) {
  const FourBitsFile file(bytes, checkpoint);
  ConversionFacts all = facts;
  all.heads = file.heads();
  std::vector<ConvertedFile> files = configurationFiles(file.sizes(), all);
  files.push_back(
      {"tokenizer_config.json", "{\n  \"tokenizer_class\": \"XLMRobertaTokenizer\"\n}\n"});
  files.push_back({"model.safetensors", file.weights()});
  files.push_back({"sentencepiece.bpe.model", file.vocabulary()});
  return files;
}

} // namespace skillhost::model
