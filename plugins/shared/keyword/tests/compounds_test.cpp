// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/compounds.hpp"

using namespace skillhost::keyword;
using Words = std::vector<std::string>;

TEST_CASE("a run-together word is split into the words in use") {
  Vocabulary vocabulary;
  for (const char *word : {"air", "quality", "qual", "forecast", "health", "care"})
    vocabulary.add(word);
  CHECK(vocabulary.split("airqualityforecast") == Words{"air", "quality", "forecast"});
  CHECK(vocabulary.split("healthcare") == Words{"health", "care"});
  // The known words cover enough of it.
  CHECK(vocabulary.split("airqualityforeast") == Words{"air", "quality"});
  // A single word is no compound.
  CHECK(vocabulary.split("forecast").empty());
  CHECK(vocabulary.split("understanding").empty());
  CHECK(vocabulary.split("aircare") == Words{"air", "care"});
  CHECK(vocabulary.split("airs").empty());
  CHECK(vocabulary.split(std::string(1000, 'a')).empty());
}

TEST_CASE("a word is known as long as somebody uses it") {
  Vocabulary vocabulary;
  CHECK(vocabulary.add("health"));
  CHECK(vocabulary.add("care"));
  CHECK_FALSE(vocabulary.add("care"));
  CHECK_FALSE(vocabulary.remove("care"));
  CHECK(vocabulary.split("healthcare").size() == 2);
  CHECK(vocabulary.remove("care"));
  CHECK(vocabulary.split("healthcare").size() < 2);
  CHECK_FALSE(vocabulary.remove("never"));
}

TEST_CASE("words that come and go leave those in use alone") {
  Vocabulary vocabulary;
  vocabulary.add("health");
  vocabulary.add("health");
  vocabulary.add("care");
  for (int i = 0; i < 5000; ++i) {
    const std::string word = "passing" + std::to_string(i);
    vocabulary.add(word);
    vocabulary.remove(word);
  }
  vocabulary.remove("health");
  CHECK(vocabulary.split("healthcare") == Words{"health", "care"});
  CHECK(vocabulary.split("healthpassing1").empty());
  vocabulary.remove("health");
  CHECK(vocabulary.split("healthcare").empty());
}
