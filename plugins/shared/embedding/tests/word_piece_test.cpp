// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/word_piece.hpp"

#include <skillhost/plugin.hpp>

using skillhost::embedding::WordPiece;
using Tokens = std::vector<std::uint32_t>;

namespace {

// Tokens are numbered from 0.
constexpr const char *vocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n##b\ncat\n##s\ndog\n!\n的\nnew\nzoë\n";

Tokens encode(std::string_view text, WordPiece::Options options = {}, std::size_t most = 64) {
  Tokens tokens = WordPiece(vocabulary, "vocab.txt", options).encode(text, most);
  REQUIRE(tokens.size() >= 2);
  REQUIRE(tokens.front() == 2);
  REQUIRE(tokens.back() == 3);
  return {tokens.begin() + 1, tokens.end() - 1};
}

} // namespace

TEST_CASE("words are cut into the longest pieces that are known") {
  CHECK(encode("").empty());
  CHECK(encode("cats") == Tokens{7, 8});
  CHECK(encode("CATS, dog!") == Tokens{7, 8, 1, 9, 10});
  CHECK(encode("ab") == Tokens{4, 6});
  CHECK(encode("abc") == Tokens{1}); // unknown as a whole, because a part is unknown
  CHECK(encode("new\tdog\r\n cat\xc2\xa0"
               "a") == Tokens{12, 9, 7, 4});
  CHECK(encode(std::string(100, 'a')) == Tokens{1});
  CHECK(encode("a" + std::string(99, 'b'), {}, 256).size() == 100);
  CHECK(encode("a" + std::string(100, 'b'), {}, 256) == Tokens{1}); // longer than 100 characters
}

TEST_CASE("characters are folded as the model was trained") {
  CHECK(encode("c\xc3\xa1t") == Tokens{7}); // the accent is removed
  CHECK(encode("的a的") == Tokens{11, 4, 11});
  CHECK(encode("ca\xe2\x80\x8bt") == Tokens{7}); // zero width space
  // Invalid UTF-8, and the replacement character.
  CHECK(encode("ca\xff\xfet\xef\xbf\xbd") == Tokens{7});
  CHECK(encode(std::string("c\0at", 4)) == Tokens{7});
  WordPiece::Options cased;
  cased.lowerCase = false;
  CHECK(encode("zo\xc3\xab Cat cat", cased) == Tokens{13, 1, 7});
}

TEST_CASE("no more tokens than are asked for") {
  const std::string many(100'000, '!');
  CHECK(encode(many, {}, 16) == Tokens(14, 10));
  CHECK(encode("cats cats", {}, 5) == Tokens{7, 8, 7});
  CHECK(encode("cats", {}, 0).empty());
}

TEST_CASE("a vocabulary must have what every text needs, once") {
  CHECK_THROWS_WITH(WordPiece("[CLS]\n[SEP]\n", "vocab.txt", {}), "vocab.txt: has no token [UNK]");
  CHECK_THROWS_WITH(WordPiece("", "vocab.txt", {}), "vocab.txt: has no token [UNK]");
  CHECK_THROWS_WITH(WordPiece("a\nb\na\n", "vocab.txt", {}),
                    "vocab.txt:3: the token is there twice");
}
