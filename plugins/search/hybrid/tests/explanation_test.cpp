// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "hybrid/explanation.hpp"
#include "hybrid/passage.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <stdexcept>

using namespace skillhost;
using namespace skillhost::hybrid;

namespace {

const auto nothing = [] {};

void ignore(const MeaningProgress & /*now*/) {}

struct Both {
  explicit Both(const std::string &model)
      : meaning({.model = model, .instructions = "auto", .cacheFile = {}}, &ignore), words({}) {}
  void put(const char *id, const char *name, const char *description) {
    words.put({id, name, description, {}, {}});
    meaning.put(id, passageOf(name, description));
  }
  void commit() {
    words.commit("1");
    meaning.commit();
  }
  Meaning meaning;
  keyword::Index words;
};

} // namespace

TEST_CASE("settle comes back when everything has its vector") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Both both(folder.path());
  for (int round = 0; round < 3; ++round) {
    for (int each = 0; each < 50; ++each)
      both.put(("e" + std::to_string(round * 50 + each)).c_str(), "cat", "new york");
    both.commit();
    // settle() must wait for every committed entry, however soon it is called.
    CHECK(both.meaning.settle([](const MeaningProgress &) {}).empty());
    const MeaningProgress now = both.meaning.progress();
    CHECK(now.entries == static_cast<std::size_t>(round + 1) * 50);
    CHECK(now.embedded == now.entries);
  }
}

TEST_CASE("settle says why there is no meaning, and can be given up") {
  const TemporaryFolder folder;
  Both none(folder.path() + "/none");
  none.put("a", "cat", "new york");
  none.commit();
  CHECK(none.meaning.settle([](const MeaningProgress &) {}) ==
        folder.path() + "/none/config.json: not found");

  SmallModel().write(folder.path());
  Both slow(folder.path());
  for (int each = 0; each < 20'000; ++each)
    slow.put(("e" + std::to_string(each)).c_str(), "cat", "a dog in new york, and another cat");
  slow.commit();
  CHECK_THROWS_AS(
      slow.meaning.settle([](const MeaningProgress &) { throw std::runtime_error("given up"); }),
      std::runtime_error);
}

TEST_CASE("a hit is explained by its words, its cosines and how both come together") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Both both(folder.path());
  both.put("cats", "cat", "new york");
  both.put("dogs", "dog", "a dog, a b");
  both.commit();
  REQUIRE(both.meaning.settle([](const MeaningProgress &) {}).empty());
  const FusionOptions options;
  const std::string text = "The cat! And a dog?";
  const auto search = both.words.search(text, {}, nothing);
  const auto hits =
      fuse(search, *both.meaning.question(text, nothing), both.meaning, options, 10, nothing);
  REQUIRE(hits.size() == 2);
  for (const Fused &hit : hits) {
    const std::string id(search.entries().id(hit.entry));
    const auto why = explained(both.words, &both.meaning, options, text, id, nothing);
    REQUIRE(why);
    CAPTURE(why->dump());
    CHECK((*why)["score"].get<double>() == Approx(hit.fused));
    CHECK((*why)["calibrated"]["score"].get<double>() == Approx(hit.score));
    CHECK((*why)["calibrated"]["cosine"].get<double>() >= hit.cosine - 1e-9);
    CHECK((*why)["fusion"]["words"].get<double>() + (*why)["fusion"]["meaning"].get<double>() ==
          Approx(hit.fused));
    CHECK((*why)["fusion"]["words"].get<double>() == Approx(hit.ofWords));
    CHECK(hit.ofWords >= (1 - options.meaningWeight) * hit.words - 1e-9);
    CHECK(hit.ofWords <= hit.words);
    const nlohmann::json &meaning = (*why)["meaning"];
    CHECK(meaning["cosine"].get<double>() == Approx(hit.cosine));
    const double best = meaning["best_sentence"]["cosine"];
    CHECK(meaning["cosine"].get<double>() ==
          Approx((1 - options.sentenceWeight) * meaning["whole"].get<double>() +
                 options.sentenceWeight * best));
    CHECK((*why)["words"][0]["word"] == (id == "cats" ? "cat" : "dog"));
    CHECK(meaning["best_sentence"]["text"].get<std::string>().size() > 3);
  }
  CHECK(!explained(both.words, &both.meaning, options, text, "none", nothing));
  // Without a model, only the words are explained.
  const auto words = explained(both.words, nullptr, options, text, "cats", nothing);
  REQUIRE(words);
  CHECK(!words->contains("meaning"));
  CHECK((*words)["score"].get<double>() > 0);
  // The entry is committed but not embedded yet.
  both.words.put({"late", "dog", "late", {}, {}});
  both.words.commit("2");
  const auto late = explained(both.words, &both.meaning, options, "late dog", "late", nothing);
  REQUIRE(late);
  CHECK((*late)["meaning"]["missing"] == "it has no vector yet");
}
