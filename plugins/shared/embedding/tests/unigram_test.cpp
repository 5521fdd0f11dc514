// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/encoder.hpp"
#include "embedding/unigram.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <skillhost/plugin.hpp>

#include <fstream>
#include <sstream>

using namespace skillhost::embedding;
using Tokens = std::vector<std::uint32_t>;

namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

const std::string &smallModel() {
  static const std::string content = contentOf(UNIGRAM_FOLDER "/small.model");
  return content;
}

// Fields of Protocol Buffers.
std::string numberField(unsigned field, unsigned value) {
  return {static_cast<char>(field << 3U), static_cast<char>(value)};
}
std::string bytesField(unsigned field, const std::string &bytes) {
  REQUIRE(bytes.size() < 0x4000);
  return std::string{static_cast<char>(field << 3U | 2U),
                     static_cast<char>(bytes.size() % 128 | 128U),
                     static_cast<char>(bytes.size() / 128)} +
         bytes;
}
std::string pieceField(const std::string &text, float score, unsigned type = 1) {
  const std::string bytes(reinterpret_cast<const char *>(&score), sizeof score);
  return bytesField(1, bytesField(1, text) + "\x15" + bytes + numberField(3, type));
}
std::string specials() {
  return pieceField("<unk>", 0, 2) + pieceField("<s>", 0, 3) + pieceField("</s>", 0, 3);
}

std::string refusalOfModel(const std::string &model) {
  try {
    const Unigram pieces(model, "the.model");
  } catch (const skh::Error &why) {
    CHECK(why.status() == SKH_INVALID);
    return why.what();
  }
  return "taken";
}

} // namespace

TEST_CASE("a unigram model gives the tokens of SentencePiece") {
  const Unigram pieces(smallModel(), "small.model");
  std::ifstream expected(UNIGRAM_FOLDER "/tokens.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(expected, line); ++count) {
    const auto read = nlohmann::json::parse(line);
    CAPTURE(line);
    CHECK(pieces.encode(read[0].get<std::string>(), 1000) == read[1].get<Tokens>());
  }
  CHECK(count > 500);
}

TEST_CASE("bytes that are not UTF-8 are unknown characters") {
  const Unigram pieces(smallModel(), "small.model");
  const Tokens unknown = pieces.encode("a\xef\xbf\xbd", 100);
  // SentencePiece gives the same for these bytes.
  for (const std::string bytes :
       {"a\xff", "a\xc0\x80", "a\xed\xa0\x80", "a\xf4\x90\x80\x80", "a\xe2\x96"})
    CHECK(pieces.encode(bytes, 100) == unknown);
  CHECK(pieces.encode("a\xe2\x96x", 100) == pieces.encode("a\xef\xbf\xbd\xef\xbf\xbdx", 100));
}

TEST_CASE("of a long text no more tokens are made than are asked for") {
  const Unigram pieces(smallModel(), "small.model");
  const Tokens whole = pieces.encode("Fill in the fields of a PDF form", 100);
  for (std::size_t most = 0; most < whole.size() + 2; ++most) {
    Tokens expected = whole;
    expected.resize(std::min(whole.size(), std::max<std::size_t>(most, 2)));
    expected.back() = whole.back();
    CHECK(pieces.encode("Fill in the fields of a PDF form", most) == expected);
  }
  std::string repeated;
  for (int each = 0; each < 100'000; ++each) repeated += "document ";
  const Tokens many = pieces.encode(repeated, 16);
  CHECK(many.size() == 16);
  CHECK(many == pieces.encode(repeated.substr(0, 4000), 16));
  // An unknown word of any length is one token.
  CHECK(pieces.encode(std::string(1'000'000, 'x'), 16) == pieces.encode("x", 16));
}

TEST_CASE("a model that is not of this form is refused by its reason") {
  const std::string good = specials() + pieceField("a", -1) + pieceField("b", -2);
  REQUIRE(refusalOfModel(good) == "taken");
  CHECK(Unigram(good, "").encode("ab", 9) == Tokens{0, 3, 4, 5, 2}); // there is no mark of words
  CHECK(refusalOfModel("") == "the.model: has no pieces");
  CHECK(refusalOfModel(specials()) == "the.model: has no pieces");
  CHECK(refusalOfModel("x") == "the.model: is cut off, or damaged");
  CHECK(refusalOfModel(good.substr(0, good.size() - 1)) == "the.model: is cut off, or damaged");
  CHECK(refusalOfModel(good + pieceField("a", -3)) == "the.model: piece 5 is there twice");
  const std::string type = " has another type than in XLM-RoBERTa";
  CHECK(refusalOfModel(pieceField("a", -1) + good) == "the.model: piece 0" + type);
  CHECK(refusalOfModel(good + pieceField("<0x41>", 0, 6)) == "the.model: piece 5" + type);
  CHECK(refusalOfModel(good + pieceField("c", 0, 4)) == "the.model: piece 5" + type);
  CHECK(refusalOfModel(good + pieceField("", 0)) ==
        "the.model: piece 5 has no text, one that is too long, or no score");
  CHECK_THAT(refusalOfModel(good + pieceField(std::string(129, 'c'), 0)),
             Catch::Contains("piece 5 has"));
  CHECK_THAT(refusalOfModel(good + pieceField("c", std::nanf(""))),
             Catch::Contains("piece 5 has no"));
  CHECK_THAT(refusalOfModel(good + bytesField(1, numberField(2, 1))),
             Catch::Contains("wrong kind"));
  CHECK(refusalOfModel(good + bytesField(2, numberField(3, 1))) == "taken");
  CHECK(refusalOfModel(good + bytesField(2, numberField(3, 2))) ==
        "the.model: is not a unigram model");
  for (const std::string &spaces :
       {bytesField(3, numberField(3, 0)), bytesField(3, numberField(4, 0)),
        bytesField(3, numberField(5, 0)), bytesField(2, std::string("\xc0\x01\x01"))})
    CHECK_THAT(refusalOfModel(good + spaces), Catch::Contains("treats spaces in a way"));
  // A piece that is not used keeps its number.
  CHECK(Unigram(specials() + pieceField("c", 0, 5) + pieceField("a", -1), "").encode("ca", 9) ==
        Tokens{0, 3, 5, 2});
}

TEST_CASE("a damaged map of characters is refused, or read within its bounds") {
  const auto withMap = [](const std::string &map) {
    return specials() + pieceField("a", -1) + bytesField(3, bytesField(2, map));
  };
  const std::string four("\4\0\0\0", 4);
  REQUIRE(refusalOfModel(withMap(four + std::string(4, '\0'))) == "taken");
  CHECK_THAT(refusalOfModel(withMap("abc")), Catch::Contains("precompiled_charsmap is cut off"));
  CHECK_THAT(refusalOfModel(withMap(four + "abc")), Catch::Contains("trie of the wrong size"));
  CHECK_THAT(refusalOfModel(withMap(std::string("\3\0\0\0abc", 7))), Catch::Contains("wrong size"));
  CHECK_THAT(refusalOfModel(withMap(std::string(8, '\0'))), Catch::Contains("wrong size"));
  CHECK_THAT(refusalOfModel(withMap(four + std::string(4, '\0') + "x")),
             Catch::Contains("is cut off"));
  CHECK_THAT(refusalOfModel(withMap(four + std::string(4, '\0') + std::string(257, 'x') + '\0')),
             Catch::Contains("too long"));
  CHECK_THAT(refusalOfModel(withMap(four + std::string("\2\0\0\x80", 4))),
             Catch::Contains("a replacement that is not there"));
  const std::string &model = smallModel();
  std::size_t refused = 0, taken = 0;
  for (std::size_t at = 0; at < model.size(); at += 3)
    for (const unsigned change : {1U, 4U, 0x80U, 0xffU}) {
      std::string other = model;
      other[at] = static_cast<char>(static_cast<unsigned char>(other[at]) ^ change);
      try {
        const Unigram pieces(other, "other");
        for (const std::uint32_t token : pieces.encode("Ｆｏｒｍ cafe\xcc\x81 ｶﾞ 각 ﷺ\xff a", 64))
          CHECK(token < pieces.size());
        ++taken;
      } catch (const skh::Error &) {
        ++refused;
      }
    }
  CHECK(refused > 100);
  CHECK(taken > 100);
}

TEST_CASE("a folder with a unigram model needs no vocab.txt") {
  const TemporaryFolder folder;
  SmallModel model;
  model.vocabulary.resize(400);
  model.config["vocab_size"] = 400;
  model.add("embeddings.word_embeddings.weight", {400, SmallModel::width}, 0);
  model.write(folder.path());
  std::filesystem::remove(folder.path() + "/vocab.txt");
  const std::string path = folder.path() + "/sentencepiece.bpe.model";
  std::ofstream(path, std::ios::binary) << smallModel();
  const auto tokenizer = [&folder](const std::string &content) {
    std::ofstream(folder.path() + "/tokenizer_config.json") << content;
  };
  tokenizer(R"({"tokenizer_class": "XLMRobertaTokenizer"})");
  {
    const Encoder encoder(folder.path(), portableKernels);
    Encoder::Workspace workspace;
    const Unigram pieces(smallModel(), path);
    CHECK(encoder.embed("Review a document", workspace) ==
          encoder.embed(pieces.encode("Review a document", 40), workspace));
  }
  const auto refusalOf = [&folder]() -> std::string {
    try {
      const Encoder encoder(folder.path(), portableKernels);
    } catch (const skh::Error &why) {
      return why.what();
    }
    return "taken";
  };
  tokenizer(R"({"tokenizer_class": "T5Tokenizer"})");
  CHECK(refusalOf() == folder.path() +
                           "/tokenizer_config.json: tokenizer_class is \"T5Tokenizer\"; with "
                           "sentencepiece.bpe.model only XLMRobertaTokenizer is known");
  tokenizer("{}");
  CHECK(refusalOf() == "taken");
  std::ofstream(folder.path() + "/config.json")
      << (model.config.update({{"vocab_size", 300}}), model.config);
  CHECK_THAT(refusalOf(), Catch::Contains(path + ": has 361 tokens, but vocab_size"));
  std::filesystem::resize_file(path, 100);
  CHECK_THAT(refusalOf(), Catch::Contains(path + ": "));
  std::filesystem::resize_file(path, 0);
  CHECK(refusalOf() == path + ": empty, unreadable or too large");
}
