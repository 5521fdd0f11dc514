// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "hybrid/fusion.hpp"
#include "hybrid/passage.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <random>
#include <utility>

using namespace skillhost;
using namespace skillhost::hybrid;

namespace {

// Waits for reports of a Meaning's thread.
class Listener {
public:
  std::function<void(const MeaningProgress &)> tell() {
    return [this](const MeaningProgress &now) {
      const std::scoped_lock lock(mutex_);
      last_ = now;
      changed_.notify_all();
    };
  }
  MeaningProgress until(const std::function<bool(const MeaningProgress &)> &holds) {
    std::unique_lock lock(mutex_);
    REQUIRE(changed_.wait_for(lock, std::chrono::minutes(2), [&] { return holds(last_); }));
    return last_;
  }
  bool hasEmbeddedWithin(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return last_.embedded > 0; });
  }
  MeaningProgress embedded(std::size_t entries) {
    return until([entries](const MeaningProgress &now) {
      return now.entries == entries && now.embedded == entries;
    });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  MeaningProgress last_;
};

MeaningOptions optionsOf(const std::string &model, const std::string &cache = {}) {
  MeaningOptions options;
  options.model = model;
  options.cacheFile = cache;
  return options;
}

std::vector<std::string> ask(const keyword::Index &words, const Meaning &meaning,
                             std::string_view text, const FusionOptions &options = {},
                             std::string_view filter = {}) {
  const keyword::Search search = words.search(text, filter);
  std::vector<std::string> ids;
  for (const Fused &each :
       fuse(search, *meaning.question(text, [] {}), meaning, options, 10, [] {}))
    ids.emplace_back(search.entries().id(each.entry));
  return ids;
}

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("names are parted into words for the model") {
  CHECK(passageOf("azure-KeyVault_sdk", "Reads keys") == "azure Key Vault sdk: Reads keys");
  CHECK(passageOf("HTTPServer2go", "") == "HTTP Server2go");
  CHECK(passageOf("", "Only this") == "Only this");
}

TEST_CASE("vectors are found by cosine, and a change is seen when it is published") {
  std::mt19937 random(3);
  std::normal_distribution<float> any;
  constexpr std::size_t width = 64, entries = 700; // more than two pieces
  const auto make = [&] {
    std::vector<float> vector(width);
    float squares = 0;
    for (float &each : vector) {
      each = any(random);
      squares += each * each;
    }
    for (float &each : vector) each /= std::sqrt(squares);
    return quantised(vector);
  };
  VectorTable table(width);
  std::map<std::string, QuantisedVector> truth;
  const auto check = [&](const VectorView &view) {
    const QuantisedVector question = make();
    std::vector<std::pair<float, std::string>> expected;
    for (const auto &[id, vector] : truth) {
      std::int32_t product = 0;
      for (std::size_t at = 0; at < width; ++at)
        product += vector.numbers[at] * question.numbers[at];
      expected.emplace_back(-static_cast<float>(product) * (question.scale * vector.scale), id);
    }
    std::sort(expected.begin(), expected.end());
    const auto near = view.nearest(question, embedding::portableKernels, 20,
                                   [](const std::string &) { return true; });
    REQUIRE(near.size() == std::min<std::size_t>(20, expected.size()));
    for (std::size_t at = 0; at < near.size(); ++at)
      CHECK(view.id(near[at].place) == expected[at].second);
  };
  for (std::size_t each = 0; each < entries; ++each) {
    const std::string id = "e" + std::to_string(each);
    table.put(id, truth[id] = make());
  }
  const auto before = table.view();
  CHECK(
      before
          ->nearest(make(), embedding::portableKernels, 5, [](const std::string &) { return true; })
          .empty());
  table.publish();
  check(*table.view());
  const auto old = table.view();
  const Place first = *table.find("e0");
  for (std::size_t each = 0; each < entries; each += 3) {
    table.remove("e" + std::to_string(each));
    truth.erase("e" + std::to_string(each));
  }
  table.put("new", truth["new"] = make());
  table.publish();
  check(*table.view());
  CHECK(table.size() == truth.size());
  CHECK(old->holds(first, "e0"));
  CHECK(!table.view()->holds(first, "e0"));
}

TEST_CASE("entries are embedded beside, and only once") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  const std::string cache = folder.path() + "/vectors";
  std::vector<float> cosines;
  for (int start = 0; start < 2; ++start) {
    Listener listener;
    Meaning meaning(optionsOf(folder.path(), cache), listener.tell());
    for (int each = 0; each < 100; ++each)
      meaning.put("e" + std::to_string(each),
                  std::string(static_cast<std::size_t>(each % 30 + 1), 'a') + " cat");
    listener.until([](const MeaningProgress &now) { return now.hasModel; });
    CHECK(meaning.table().size() == 0);
    meaning.commit();
    const MeaningProgress done = listener.embedded(100);
    CHECK(done.problem.empty());
    const auto question = meaning.question("a cat", [] {});
    cosines.push_back(meaning.table().view()->cosine(*meaning.table().find("e7"), question->whole,
                                                     meaning.kernels()));
    meaning.remove("e7");
    meaning.put("e8", "dog");
    meaning.commit();
    listener.embedded(99);
    CHECK(!meaning.table().find("e7"));
  }
  CHECK(cosines[0] == cosines[1]);
  // Equal texts share one vector. "dog" was added later.
  std::ifstream file(cache, std::ios::binary | std::ios::ate);
  CHECK(static_cast<std::size_t>(file.tellg()) % (32 + 4 + SmallModel::width + 8) ==
        56 % (32 + 4 + SmallModel::width + 8));
}

namespace {

// Reads the digest that identifies the model from a file of its vectors.
Blake3::Digest modelOf(const std::string &cache) {
  Blake3::Digest model{};
  std::ifstream file(cache, std::ios::binary);
  file.seekg(16);
  file.read(reinterpret_cast<char *>(model.data()), static_cast<std::streamsize>(model.size()));
  REQUIRE(file.good());
  return model;
}

Blake3::Digest digestOf(std::string_view text) {
  Blake3 sum;
  sum.add(text);
  return sum.finish();
}

} // namespace

TEST_CASE("vectors that another process makes are taken from it, and its work is taken over") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  const std::string cache = folder.path() + "/vectors";
  const auto learn = [&](Meaning &meaning, Listener &listener, const char *id, const char *text) {
    meaning.put(id, text);
    meaning.commit();
    listener.until([](const MeaningProgress &now) { return now.entries > 0; });
  };
  {
    Listener listener;
    Meaning meaning(optionsOf(folder.path(), cache), listener.tell());
    learn(meaning, listener, "first", "new york");
    listener.embedded(1);
  }
  // No model makes this vector, so it shows where a vector comes from.
  const QuantisedVector made{0.5F, std::vector<std::int8_t>(SmallModel::width, 7)};
  auto other = std::make_unique<VectorCache>(cache, modelOf(cache), SmallModel::width);
  REQUIRE(other->size() == 1);
  other->append({{digestOf("cat"), made}});
  {
    Listener listener;
    Meaning meaning(optionsOf(folder.path(), cache), listener.tell());
    const auto isTaken = [&](const char *id) {
      const auto vector = meaning.table().vector(id);
      return vector && vector->numbers == made.numbers && vector->scale == made.scale;
    };
    learn(meaning, listener, "kept", "cat");
    listener.embedded(1);
    CHECK(isTaken("kept"));
    learn(meaning, listener, "soon", "a dog");
    listener.until([](const MeaningProgress &now) { return now.entries == 2; });
    other->append({{digestOf("a dog"), made}});
    listener.embedded(2);
    CHECK(isTaken("soon"));
    // The other process does not make this one, so after a while it is made here.
    learn(meaning, listener, "never", "dogs");
    listener.embedded(3);
    CHECK(meaning.table().vector("never"));
    CHECK_FALSE(isTaken("never"));
    other.reset();
    learn(meaning, listener, "last", "york");
    listener.embedded(4);
  }
  const VectorCache again(cache, modelOf(cache), SmallModel::width);
  CHECK(again.size() == 5);
  for (const char *text : {"new york", "cat", "a dog", "dogs", "york"})
    CHECK(again.find(digestOf(text)));
}

TEST_CASE("vectors of another model's file are not waited for, and changes do not prolong a wait") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  const std::string cache = folder.path() + "/vectors";
  const auto learn = [](Meaning &meaning, const char *id, const char *text) {
    meaning.put(id, text);
    meaning.commit();
  };
  // This process keeps the lock of the file and never writes a vector into it.
  auto other = std::make_unique<VectorCache>(cache, digestOf("another model"), SmallModel::width);
  {
    Listener listener;
    Meaning meaning(optionsOf(folder.path(), cache), listener.tell());
    const auto begun = std::chrono::steady_clock::now();
    learn(meaning, "a", "new york");
    listener.embedded(1);
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
  }
  other.reset();
  {
    Listener listener;
    Meaning meaning(optionsOf(folder.path(), cache), listener.tell()); // makes a file of this model
    learn(meaning, "a", "new york");
    listener.embedded(1);
  }
  other = std::make_unique<VectorCache>(cache, modelOf(cache), SmallModel::width);
  Listener listener;
  Meaning meaning(optionsOf(folder.path(), cache), listener.tell());
  const std::vector<std::string> texts{"cat", "a dog", "dogs", "york"};
  // The texts change until one of them has a vector.
  std::size_t turn = 0;
  do {
    learn(meaning, "b", texts[turn % texts.size()].c_str());
    REQUIRE(++turn < 240);
  } while (!listener.hasEmbeddedWithin(std::chrono::milliseconds(500)));
}

TEST_CASE("a model folder with a pipe is refused") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  std::filesystem::remove(folder.path() + "/vocab.txt");
  REQUIRE(::mkfifo((folder.path() + "/vocab.txt").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(loadModel(folder.path(), "portable", [] {}),
                    Catch::EndsWith("vocab.txt: not a regular file"));
}

TEST_CASE("a model that is replaced while it is read is refused") {
  const TemporaryFolder folder;
  SmallModel model;
  const auto replace = [&] {
    model.tensors["embeddings.LayerNorm.bias"][0] += 1;
    model.write(folder.path());
  };
  const auto load = [&folder](const std::function<void()> &checkpoint) {
    const auto loaded = loadModel(folder.path(), "portable", checkpoint);
    embedding::Encoder::Workspace workspace;
    return std::pair(loaded->digest, loaded->encoder.embed("cat", workspace));
  };
  int calls = 0;
  replace();
  std::map<Blake3::Digest, std::vector<float>> vectors;
  vectors.insert(load([&calls] { ++calls; }));
  int refused = 0;
  // The files are written anew at one of the calls, from the first one to the last one.
  for (int at = 1; at <= calls; ++at) {
    INFO("call " << at << " of " << calls);
    int call = 0;
    std::optional<std::pair<Blake3::Digest, std::vector<float>>> loaded;
    try {
      loaded = load([&] {
        if (++call == at) replace();
      });
    } catch (const std::exception &) {
      ++refused;
    }
    vectors.insert(load([] {}));
    if (loaded) CHECK(vectors.at(loaded->first) == loaded->second);
  }
  CHECK(refused > 0);
}

TEST_CASE("instances with the same model share its weights") {
  const TemporaryFolder folder;
  const std::string one = folder.path() + "/one", other = folder.path() + "/other";
  SmallModel model;
  model.write(one);
  model.write(other);
  const auto load = [](const std::string &from, const std::string &instructions = "portable") {
    return loadModel(from, instructions, [] {});
  };
  auto first = load(one);
  CHECK(load(one) == first);
  CHECK(load(other) == first); // the content counts, not the path
  const auto before = first->digest;
  model.tensors["embeddings.LayerNorm.bias"][0] += 1;
  model.write(one);
  const auto changed = load(one);
  CHECK(changed != first);
  CHECK(changed->digest != before);
  const std::weak_ptr<const LoadedModel> released = first;
  first.reset();
  CHECK(released.expired());
  CHECK(load(other)->digest == before);
}

TEST_CASE("after clear() only what is put again has a vector") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Listener listener;
  Meaning meaning(optionsOf(folder.path()), listener.tell());
  const auto holds = [&](const char *id) { return meaning.table().find(id).has_value(); };
  meaning.put("kept", "cat");
  meaning.put("gone", "dog");
  meaning.commit();
  listener.embedded(2);
  meaning.put("never", "york");
  meaning.clear();
  CHECK(holds("gone")); // until the commit
  meaning.put("kept", "cat");
  meaning.put("added", "new york");
  meaning.put("last", "a dog");
  meaning.commit();
  listener.embedded(3);
  for (const char *id : {"kept", "added", "last"}) CHECK(holds(id));
  for (const char *id : {"gone", "never"}) CHECK_FALSE(holds(id));
  // If two commits are taken together, the second must clear the entries of the first.
  meaning.put("between", "a cat");
  meaning.commit();
  meaning.clear();
  meaning.put("last", "a dog");
  meaning.commit();
  listener.embedded(1);
  CHECK(holds("last"));
  for (const char *id : {"kept", "added", "between"}) CHECK_FALSE(holds(id));
}

TEST_CASE("a model that cannot be read is told of once, and asked nothing") {
  const TemporaryFolder folder;
  Listener listener;
  Meaning meaning(optionsOf(folder.path() + "/none"), listener.tell());
  const MeaningProgress told =
      listener.until([](const MeaningProgress &now) { return !now.problem.empty(); });
  CHECK(told.problem == folder.path() + "/none/config.json: not found");
  CHECK(!told.hasModel);
  meaning.put("a", "cat");
  meaning.commit();
  CHECK(meaning.question("cat", [] {}) == nullptr);
}

TEST_CASE("weights that are no good for one text leave the others as they are") {
  const TemporaryFolder folder;
  SmallModel model;
  for (std::size_t at = 0; at < SmallModel::width; ++at) // of the token "dog"
    model.tensors["embeddings.word_embeddings.weight"][9 * SmallModel::width + at] = 3e38F;
  model.write(folder.path());
  Listener listener;
  Meaning meaning(optionsOf(folder.path()), listener.tell());
  meaning.put("cats", "cat");
  meaning.put("dogs", "a dog");
  meaning.put("york", "new york");
  meaning.commit();
  const MeaningProgress done = listener.embedded(3);
  CHECK_THAT(done.problem, Catch::StartsWith("dogs is found by its words alone"));
  CHECK(meaning.table().size() == 2);
  CHECK(meaning.question("a dog", [] {}) == nullptr);
  CHECK(meaning.question("a dog. A cat.", [] {}) == nullptr);
  CHECK(meaning.question("a cat", [] {}) != nullptr);
}

TEST_CASE("weights that are no good for any text are refused as a whole") {
  const TemporaryFolder folder;
  SmallModel model;
  for (float &each : model.tensors["embeddings.LayerNorm.weight"]) each = 3e38F;
  model.write(folder.path());
  Listener listener;
  const Meaning meaning(optionsOf(folder.path()), listener.tell());
  const MeaningProgress told =
      listener.until([](const MeaningProgress &now) { return !now.problem.empty(); });
  CHECK_THAT(told.problem, Catch::Contains("a vector that is no number"));
  CHECK(!told.hasModel);
}

TEST_CASE(
    "what is wholly there fits, however little the rest says; what is hardly there does not") {
  const double floor = std::log(0.35 / (0.94 - 0.35)); // the host's default floor
  CHECK(fitByBoth({{0.5, 1}, 0}) > floor);             // a rare word that occurs once in a body
  CHECK(fitByBoth({{0.9, 0.6}, 0.4}) > floor);
  CHECK(fitByBoth({{0.7, 0.2}, 0.3}) < floor);
  CHECK(fitByBoth({{0, 0}, 0.3}) < floor);
  CHECK(fitByMeaning(0.6) > floor);
  CHECK(fitByMeaning(0.35) < floor);
}

TEST_CASE("meaning finds only what is nearer than unrelated texts, in any model") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Listener listener;
  Meaning meaning(optionsOf(folder.path()), listener.tell());
  keyword::Index words({});
  const auto put = [&](const char *id, const char *name, const char *description) {
    words.put({id, name, description, {}, "{}"});
    meaning.put(id, passageOf(name, description));
  };
  put("york", "york", "new");
  put("cats", "cat", "!");
  words.commit("1");
  meaning.commit();
  listener.embedded(2);
  const auto question = meaning.question("dogs", [] {});
  const auto near = meaning.table().view()->nearest(question->whole, meaning.kernels(), 1,
                                                    [](const std::string &) { return true; });
  const auto cosine = static_cast<double>(near.front().cosine);
  CHECK(cosine > FusionOptions{}.minCosine);
  CHECK(meaning.comparable(cosine) < FusionOptions{}.minCosine);
  CHECK(ask(words, meaning, "dogs") == Ids{});
  const embedding::Encoder encoder(folder.path(), meaning.kernels());
  const embedding::CosineScale scale = embedding::measureScale(encoder, "", "");
  CHECK(meaning.comparable(scale.quantile(0.5)) == Approx(0.025348)); // that of all-MiniLM-L6-v2
  CHECK(meaning.comparable(scale.quantile(0.5)) < meaning.comparable(scale.quantile(0.9)));
  CHECK(meaning.comparable(1) == Approx(1));
}

TEST_CASE("no answer waits for the model or for vectors: words are found before") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  // The thread of Meaning stands still in its first report, when the model was read.
  std::promise<void> reported, mayGoOn;
  std::shared_future<void> goOn = mayGoOn.get_future().share();
  bool isFirst = true;
  Listener listener;
  const auto tell = listener.tell();
  Meaning meaning(optionsOf(folder.path()), [&](const MeaningProgress &now) {
    tell(now);
    if (!std::exchange(isFirst, false)) return;
    reported.set_value();
    goOn.wait();
  });
  keyword::Index words({});
  const auto put = [&](const char *id, const char *name, const char *description) {
    words.put({id, name, description, {}, "{}"});
    meaning.put(id, passageOf(name, description));
  };
  put("cats", "cat", "new york");
  put("dogs", "dog", "a new dog");
  put("york", "york", "new");
  words.commit("1");
  meaning.commit();
  reported.get_future().wait();
  CHECK(meaning.progress().hasModel);
  CHECK(meaning.table().size() == 0);
  for (const char *question : {"new york", "a new dog", "cat. The york dog!"}) {
    Ids byWords;
    for (const keyword::Hit &hit : words.query(question, {}, 10)) byWords.push_back(hit.id);
    CAPTURE(question);
    CHECK(byWords.size() > 1);
    CHECK(ask(words, meaning, question) == byWords);
  }
  mayGoOn.set_value();
  listener.embedded(3);
  CHECK(meaning.table().size() == 3);
}

TEST_CASE("words and meaning make one ranking") {
  const TemporaryFolder folder;
  SmallModel().write(folder.path());
  Listener listener;
  Meaning meaning(optionsOf(folder.path()), listener.tell());
  keyword::Index words({});
  const auto put = [&](const char *id, const char *name, const char *description,
                       const char *attributes = "{}") {
    words.put({id, name, description, {}, attributes});
    meaning.put(id, passageOf(name, description));
  };
  put("cats", "cat", "new york");
  put("dogs", "dog", "a b");
  put("more", "dog", "a dog in new york", R"({"source":"other"})");
  words.commit("1");
  meaning.commit();
  listener.embedded(3);
  FusionOptions byWords;
  byWords.meaningWeight = 0;
  byWords.minCosine = 1;
  CHECK(ask(words, meaning, "cat", byWords) == Ids{"cats"});
  FusionOptions byMeaning;
  byMeaning.meaningWeight = 1;
  byMeaning.minCosine = -1;
  CHECK(ask(words, meaning, "dog: a b", byMeaning).front() == "dogs");
  CHECK(ask(words, meaning, "dog: a b", byMeaning).size() == 3);
  CHECK(ask(words, meaning, "dog", byMeaning, R"({"source":["other"]})") == Ids{"more"});
  // The entry is not embedded yet, so only its words count.
  put("late", "dog", "late");
  words.commit("2");
  const Ids both = ask(words, meaning, "dog late");
  CHECK(both.front() == "late");
  // The entry is removed from the words but still has a vector, so it is not found.
  words.remove("cats");
  words.commit("3");
  for (const std::string &id : ask(words, meaning, "cat", byMeaning)) CHECK(id != "cats");
  CHECK(ask(words, meaning, "", byMeaning).size() <= 3);
  CHECK(ask(words, meaning, std::string(2000, 'a')).size() <= 3);
}
