// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/encoder.hpp"
#include "embedding/unigram.hpp"
#include "four_bits.hpp"
#include "sentence_piece_file.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

using namespace skillhost;
using model::ConvertedFile;

namespace {

template <class Number> std::string bytesOf(Number number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

// The names in the file, by those of sentence-transformers.
std::string shortName(std::string name) {
  const auto replace = [&name](const std::string &from, const std::string &to) {
    if (const std::size_t at = name.find(from); at != std::string::npos)
      name.replace(at, from.size(), to);
  };
  replace("embeddings.word_embeddings.weight", "emb.word");
  replace("embeddings.position_embeddings.weight", "emb.pos");
  replace("embeddings.token_type_embeddings.weight", "emb.type");
  replace("embeddings.LayerNorm", "emb.ln");
  replace("encoder.layer.", "l");
  replace("attention.self.query", "q");
  replace("attention.self.key", "k");
  replace("attention.self.value", "v");
  replace("attention.output.dense", "ao");
  replace("attention.output.LayerNorm", "aln");
  replace("intermediate.dense", "fi");
  replace("output.dense", "fo");
  replace("output.LayerNorm", "oln");
  replace(".weight", ".w");
  replace(".bias", ".b");
  return name;
}

// A model whose matrices have weights that 4 bits have exactly.
struct FourBitsModel : SmallModel {
  std::vector<std::pair<std::string, float>> pieces{
      {"<s>", 0},   {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0},           {"\xe2\x96\x81", -3},
      {"c", -5},    {"at", -4},   {"é", -5},   {"\xe2\x96\x81가", -5}, {"ガ", -5},
      {"각", -5.5}, {"e", -6},    {"a", -6},   {"<mask>", 0}};
  std::map<std::uint32_t, std::vector<std::uint32_t>> replacements{
      {9, {' '}},         {7, {}},           {0xff43, {'c'}}, {0xff45, {'e'}},
      {0xff76, {0x30ab}}, {0xff9e, {0x3099}}};

  FourBitsModel() {
    for (auto &[name, values] : tensors) {
      if (!isFourBits(name)) continue;
      for (std::size_t at = 0; at < values.size(); ++at) {
        const int quarter = static_cast<int>(std::lround(values[at] / scaleOf(at)));
        values[at] = static_cast<float>(std::clamp(quarter, -8, 7)) * scaleOf(at);
      }
    }
  }
  static bool isFourBits(const std::string &name) {
    return name.ends_with("word_embeddings.weight") ||
           (name.starts_with("encoder.") && name.ends_with(".weight") &&
            name.find("LayerNorm") == std::string::npos);
  }
  // Blocks have three scales in turn: 1/16, 1/8 and a number that is too small to be normal.
  static std::uint16_t halfOf(std::size_t at) {
    constexpr std::array<std::uint16_t, 3> halves{0x2c00, 0x3000, 0x0200};
    return halves.at(at / 32 % 3);
  }
  static float scaleOf(std::size_t at) {
    constexpr std::array<float, 3> scales{0.0625F, 0.125F, 0.000030517578125F};
    return scales.at(at / 32 % 3);
  }

  std::string file() const {
    std::string bytes = "E5S1" + bytesOf(1U);
    for (const std::size_t each :
         {width, layers, heads, inner, vocabulary.size(), positions, types})
      bytes += bytesOf(static_cast<std::uint32_t>(each));
    bytes += bytesOf(1e-12F) + bytesOf(32U);
    bytes += bytesOf(static_cast<std::uint32_t>(pieces.size()));
    for (const std::uint32_t each : {0U, 2U, 1U, 3U}) bytes += bytesOf(each);
    std::string begins = bytesOf(0U), scores, texts;
    for (const auto &[text, score] : pieces) {
      texts += text;
      begins += bytesOf(static_cast<std::uint32_t>(texts.size()));
      scores += bytesOf(score);
    }
    bytes += bytesOf(std::uint64_t{texts.size()}) + begins + scores + texts;
    std::string map;
    for (const auto &[from, to] : replacements) {
      map += bytesOf(from) + static_cast<char>(to.size());
      for (const std::uint32_t each : to) map += bytesOf(each);
    }
    bytes += bytesOf(static_cast<std::uint32_t>(replacements.size())) +
             bytesOf(static_cast<std::uint32_t>(map.size())) + map;
    return bytes + directory(bytes.size());
  }

private:
  std::string directory(std::size_t before) const {
    std::size_t begin = before + sizeof(std::uint32_t);
    for (const auto &each : tensors)
      begin += sizeof(std::uint16_t) + shortName(each.first).size() + 21;
    std::string entries = bytesOf(static_cast<std::uint32_t>(tensors.size())), data;
    for (const auto &[name, values] : tensors) {
      const std::string called = shortName(name);
      const std::string packed = isFourBits(name) ? packedOf(values) : floatsOf(values);
      entries += bytesOf(static_cast<std::uint16_t>(called.size())) + called;
      entries += static_cast<char>(isFourBits(name));
      entries += bytesOf(static_cast<std::uint32_t>(values.size()));
      entries +=
          bytesOf(std::uint64_t{begin + data.size()}) + bytesOf(std::uint64_t{packed.size()});
      data += packed;
    }
    return entries + data;
  }
  static std::string floatsOf(const std::vector<float> &values) {
    return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float)};
  }
  static std::string packedOf(const std::vector<float> &values) {
    std::string bytes;
    for (std::size_t begin = 0; begin < values.size(); begin += 32) {
      bytes += bytesOf(halfOf(begin));
      const auto bitsOf = [&](std::size_t at) {
        return static_cast<unsigned>(std::lround(values[begin + at] / scaleOf(begin)) + 8);
      };
      for (std::size_t at = 0; at < 16; ++at)
        bytes += static_cast<char>(bitsOf(at) | bitsOf(at + 16) << 4U);
    }
    return bytes;
  }
};

std::vector<ConvertedFile> converted(std::string_view file) {
  return model::convertFromFourBits(file, {0, true, "query: ", "passage: "}, [] {});
}

std::string contentOf(const std::vector<ConvertedFile> &files, std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const ConvertedFile &file) { return file.path == path; });
  REQUIRE(found != files.end());
  return found->bytes;
}

std::string refusal(const FourBitsModel &model) {
  try {
    converted(model.file());
  } catch (const std::runtime_error &why) {
    return why.what();
  }
  return "taken";
}

} // namespace

TEST_CASE("a model in 4 bits gives the vectors of its weights") {
  const FourBitsModel original;
  const TemporaryFolder expected, made;
  original.write(expected.path());
  std::filesystem::create_directories(made.path() + "/1_Pooling");
  const auto files = converted(original.file());
  CHECK(files.size() == 7);
  for (const ConvertedFile &file : files)
    std::ofstream(made.path() + "/" + file.path, std::ios::binary) << file.bytes;
  const embedding::Encoder left(expected.path(), embedding::portableKernels),
      right(made.path(), embedding::portableKernels);
  embedding::Encoder::Workspace workspace;
  for (const std::vector<std::uint32_t> &tokens :
       {std::vector<std::uint32_t>{0, 4, 5, 6, 2}, {1}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}})
    CHECK(left.embed(tokens, workspace) == right.embed(tokens, workspace));
  CHECK(left.embed({0, 4, 2}, workspace) != right.embed({0, 5, 2}, workspace));
  CHECK(right.embed("cat", workspace) == left.embed({0, 4, 5, 6, 2}, workspace));
  const embedding::ModelDescription &model = right.description();
  CHECK((model.queryPrefix == "query: " && model.passagePrefix == "passage: "));
  CHECK((model.heads == SmallModel::heads && model.maxTokens == SmallModel::positions));
  const auto again = converted(original.file());
  for (std::size_t each = 0; each < files.size(); ++each) {
    CHECK(files[each].path == again[each].path);
    CHECK(files[each].bytes == again[each].bytes);
  }
}

TEST_CASE("the vocabulary of a model in 4 bits replaces and composes characters") {
  const embedding::Unigram pieces(
      contentOf(converted(FourBitsModel().file()), "sentencepiece.bpe.model"), "made");
  const auto tokens = [&pieces](std::string_view text) {
    std::vector<std::uint32_t> numbers = pieces.encode(text, 100);
    return std::vector<std::uint32_t>(numbers.begin() + 1, numbers.end() - 1);
  };
  using Tokens = std::vector<std::uint32_t>;
  CHECK(tokens("cat") == Tokens{4, 5, 6});
  CHECK(tokens("c\tc\a") == Tokens{4, 5, 4, 5});
  CHECK(tokens("ｃat") == Tokens{4, 5, 6});
  CHECK(tokens("é") == Tokens{4, 7});
  CHECK(tokens("e\xcc\x81") == Tokens{4, 7});
  CHECK(tokens("ｅ\xcc\x81") == Tokens{4, 7});
  CHECK(tokens("ガ") == Tokens{4, 9});
  CHECK(tokens("ｶﾞ") == Tokens{4, 9});
  CHECK(tokens("가") == Tokens{8});
  CHECK(tokens("\xe1\x84\x80\xe1\x85\xa1") == Tokens{8});                 // letters of 가
  CHECK(tokens("\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8") == Tokens{4, 10}); // letters of 각
  CHECK(tokens("<mask>") == Tokens{4, 3, 12, 3});
}

TEST_CASE("sequences are composed to what Unicode composes them to") {
  const model::Replacements all = model::withComposed({{"ϓ", "Ύ"}, {"Ａ", "A"}, {"x", "y"}});
  CHECK(all.at("x") == "y");
  CHECK(all.at("A\xcc\x8a") == "Å");
  CHECK(all.at("Ａ\xcc\x8a") == "Å");
  CHECK(all.at("A\xcc\x82\xcc\x81") == "Ấ");
  CHECK(!all.contains("Â\xcc\x81")); // SentencePiece's rule has only whole sequences either
  CHECK(all.at("\xcf\x92\xcc\x81") == "Ύ");
  // Hangul alone has 11,172 syllables.
  CHECK(all.size() > 12'000);
}

TEST_CASE("a file of weights in 4 bits that is wrong is refused by its reason") {
  CHECK(refusal(FourBitsModel()) == "taken");
  FourBitsModel model;
  model.tensors.erase("encoder.layer.1.attention.self.key.weight");
  CHECK(refusal(model) == "the file of weights in 4 bits has no l1.k.w, or one of another shape");
  model = FourBitsModel();
  model.tensors["embeddings.LayerNorm.bias"].pop_back();
  CHECK(refusal(model) == "the file of weights in 4 bits has no emb.ln.b, or one of another shape");
  model = FourBitsModel();
  model.replacements[0xd800] = {'x'};
  CHECK_THAT(refusal(model), Catch::Contains("replaces what is no character"));
  const std::string good = FourBitsModel().file();
  const auto changed = [&good](std::size_t at, const std::string &bytes) {
    std::string other = good;
    other.replace(at, bytes.size(), bytes);
    try {
      converted(other);
    } catch (const std::runtime_error &why) {
      return std::string(why.what());
    }
    return std::string("taken");
  };
  CHECK(changed(0, "GGUF") == "the file of weights in 4 bits has another format");
  CHECK_THAT(changed(8, bytesOf(0U)), Catch::Contains("it has the width 0"));
  CHECK_THAT(changed(24, bytesOf(~0U)), Catch::Contains("it has the vocabulary 4294967295"));
  CHECK_THAT(changed(40, bytesOf(16U)), Catch::Contains("blocks of another size"));
  CHECK_THAT(changed(48, bytesOf(1U)), Catch::Contains("numbers its tokens otherwise"));
  CHECK_THAT(changed(64, bytesOf(std::uint64_t{1} << 62U)), Catch::Contains("cut off, or damaged"));
  CHECK_THAT(changed(72 + 4 * 6, bytesOf(1000U)), Catch::Contains("a piece lies outside"));
}

TEST_CASE("a damaged file of weights in 4 bits is refused, or read within its bounds") {
  const std::string good = FourBitsModel().file();
  constexpr std::size_t head = 900; // sizes, vocabulary and the begin of the directory
  for (std::size_t length = 0; length < good.size(); length += length < head ? 1 : 499)
    CHECK_THROWS_AS(converted(std::string_view(good).substr(0, length)), std::runtime_error);
  // Without its last byte no file is whole, so each of them is refused, but not before it is read.
  for (std::size_t at = 0; at < head; ++at)
    for (const int change : {1, 4, 0x80, 0xff}) {
      std::string other = good.substr(0, good.size() - 1);
      other[at] = static_cast<char>(other[at] ^ change);
      CHECK_THROWS_AS(converted(other), std::runtime_error);
    }
}
