// SPDX-License-Identifier: Apache-2.0
// Searches for the best settings, one for all collections: chosen on the even lines of the
// questions, reported on the odd ones and on all.
#include "collection.hpp"
#include "embedded.hpp"
#include "evaluation/measures.hpp"
#include "hybrid/fusion.hpp"
#include "keyword/index.hpp"
#include "titles.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::retrieval;
using evaluation::Measures;

namespace {

// Hits, so that ten are left when those of one title count as one.
constexpr std::size_t looked = 50;
constexpr double leastGain = 3e-4;  // smaller gains are chance
constexpr double tolerated = 0.008; // permitted loss of a collection that has no bodies
constexpr double costOfLoss = 10;
constexpr int maxRounds = 3;

struct Settings {
  keyword::Options words;
  hybrid::FusionOptions fusion;
};

struct Halves {
  Measures even, odd, all;
};

struct Results {
  Halves words, hybrid;
};

// A collection, with its questions already embedded.
class Asked {
public:
  Asked(const std::string &folder, const std::string &model, const std::string &cache)
      : collection_(readCollection(folder)), titles_(collection_) {
    hasBodies_ = std::any_of(collection_.documents.begin(), collection_.documents.end(),
                             [](const Document &each) { return !each.body.empty(); });
    if (model.empty()) return;
    meaning_ = embedded(collection_, model, cache);
    for (const Question &question : collection_.questions)
      vectors_.push_back(meaning_->question(question.text, [] {}));
  }

  const std::string &name() const { return collection_.name; }
  bool hasBodies() const { return hasBodies_; }

  Results ask(const Settings &settings) const {
    keyword::Index index(settings.words);
    for (const Document &document : collection_.documents)
      index.put({document.id, document.title, document.text, document.body, {}});
    index.commit("search");
    Results results;
    for (std::size_t i = 0; i < collection_.questions.size(); ++i) {
      const Question &question = collection_.questions[i];
      const std::set<std::string> relevant = titles_.of(question.relevant);
      const keyword::Search words = index.search(question.text, {}, [] {});
      std::vector<std::string> ids;
      for (const keyword::Ranked &each : words.best(looked))
        ids.emplace_back(words.entries().id(each.entry));
      add(results.words, i, ids, relevant);
      if (!meaning_) continue;
      ids.clear();
      for (const hybrid::Fused &each :
           fuse(words, *vectors_[i], *meaning_, settings.fusion, looked, [] {}))
        ids.emplace_back(words.entries().id(each.entry));
      add(results.hybrid, i, ids, relevant);
    }
    return results;
  }

private:
  void add(Halves &halves, std::size_t line, const std::vector<std::string> &ids,
           const std::set<std::string> &relevant) const {
    const std::vector<std::string> folded = titles_.of(ids);
    (line % 2 == 0 ? halves.even : halves.odd).add(folded, relevant);
    halves.all.add(folded, relevant);
  }

  Collection collection_;
  Titles titles_;
  bool hasBodies_ = false;
  std::shared_ptr<const hybrid::Meaning> meaning_;
  std::vector<std::unique_ptr<hybrid::QuestionVectors>> vectors_;
};

double sumOf(const Measures &measures) { return measures.hit() + measures.gain(); }

// Returns the mean of the collections, by words and by both, with a penalty for a loss by words.
double worth(const std::vector<Asked> &sets, const std::vector<Results> &found,
             const std::vector<Results> &before) {
  double sum = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sum += sumOf(found[i].words.even) + sumOf(found[i].hybrid.even);
    if (sets[i].hasBodies()) continue;
    const Measures &was = before[i].words.even;
    const Measures &is = found[i].words.even;
    sum -= costOfLoss * (std::max(0.0, was.hit() - is.hit() - tolerated) +
                         std::max(0.0, was.gain() - is.gain() - tolerated));
  }
  return sum / static_cast<double>(sets.size());
}

std::vector<Results> askAll(const std::vector<Asked> &sets, const Settings &settings) {
  std::vector<Results> found;
  found.reserve(sets.size());
  for (const Asked &set : sets) found.push_back(set.ask(settings));
  return found;
}

struct Dimension {
  const char *name;
  double keyword::Options::*word;
  double hybrid::FusionOptions::*fusion;
  std::vector<double> values;
  double &in(Settings &settings) const {
    return word != nullptr ? settings.words.*word : settings.fusion.*fusion;
  }
};

std::vector<Dimension> dimensions(bool hybrid) {
  using Words = keyword::Options;
  using Fusion = hybrid::FusionOptions;
  std::vector<Dimension> all{
      {"body_commonness", &Words::bodyCommonness, nullptr, {0, 0.1, 0.2, 0.3, 0.5, 1}},
      {"body_weight", &Words::bodyWeight, nullptr, {0.05, 0.08, 0.1, 0.15, 0.2, 0.5}},
      {"name_weight", &Words::nameWeight, nullptr, {0.8, 1, 1.3, 1.6, 2}},
      {"description_weight", &Words::descriptionWeight, nullptr, {0.6, 0.8, 1}},
      {"k1", &Words::k1, nullptr, {1.2, 1.6, 2, 2.5}},
      {"b", &Words::b, nullptr, {0.4, 0.5, 0.6}},
      {"request_word_weight", &Words::requestWordWeight, nullptr, {0.4, 0.6, 0.7, 0.8, 1}},
      {"similarity_weight", &Words::similarityWeight, nullptr, {0.05, 0.08, 0.1, 0.12, 0.15}},
      {"sentence_weight", &Words::sentenceWeight, nullptr, {0.5, 0.6, 0.7, 0.8}}};
  if (hybrid)
    all.insert(all.end(),
               {{"meaning_weight", nullptr, &Fusion::meaningWeight, {0.5, 0.6, 0.65, 0.7, 0.8}},
                {"trust_in_words", nullptr, &Fusion::trustInWords, {0, 0.3, 0.5, 0.55, 0.6, 0.8}},
                {"best_sentence_weight", nullptr, &Fusion::sentenceWeight, {0.3, 0.5, 0.7}}});
  return all;
}

void print(const char *set, const char *ranker, const Halves &halves) {
  std::printf("%-15s %-8s", set, ranker);
  for (const Measures *each : {&halves.even, &halves.odd, &halves.all})
    std::printf("  %.4f %.4f", each->hit(), each->gain());
  std::printf("\n");
}

void run(const std::vector<Asked> &sets, bool hybrid, const char *start) {
  Settings best;
  if (std::string_view(start) == "first") { // the settings of the first release
    best.words.nameWeight = best.words.keywordsWeight = 2;
    best.words.descriptionWeight = best.words.bodyCommonness = 1;
    best.words.bodyWeight = 0.5;
    best.words.k1 = 1.6;
    best.words.b = best.words.requestWordWeight = 0.4;
    best.words.similarityWeight = 0.15;
    best.fusion.meaningWeight = 0.4;
    best.fusion.trustInWords = 0;
  }
  const std::vector<Results> before = askAll(sets, best);
  std::vector<Results> found = before;
  double most = worth(sets, before, before);
  std::printf("start %.4f\n", most);
  bool better = std::string_view(start) != "none";
  for (int round = 0; better && round < maxRounds; ++round) {
    better = false;
    for (const Dimension &dimension : dimensions(hybrid)) {
      for (const double value : dimension.values) {
        Settings other = best;
        if (dimension.in(other) == value) continue;
        dimension.in(other) = value;
        other.words.keywordsWeight = other.words.nameWeight; // no collection has keywords
        std::vector<Results> results = askAll(sets, other);
        const double now = worth(sets, results, before);
        if (now < most + leastGain) continue;
        most = now;
        best = other;
        found = std::move(results);
        better = true;
        std::printf("%.4f %s=%g\n", most, dimension.name, value);
        std::fflush(stdout);
      }
    }
  }
  std::printf("\n");
  for (const Dimension &dimension : dimensions(hybrid))
    std::printf("%s: %g\n", dimension.name, dimension.in(best));
  std::printf("\nHit@1 nDCG@10: %26s %14s %14s\n", "even", "odd", "all");
  for (std::size_t i = 0; i < sets.size(); ++i) {
    print(sets[i].name().c_str(), "keyword", found[i].words);
    if (hybrid) print(sets[i].name().c_str(), "hybrid", found[i].hybrid);
  }
}

} // namespace

int main(int count, char **values) {
  try {
    std::string model;
    std::string cache;
    std::string start = "now";
    std::vector<Asked> sets;
    for (const std::string &argument : std::vector<std::string>(values + 1, values + count)) {
      if (argument.rfind("--model=", 0) == 0)
        model = argument.substr(8);
      else if (argument.rfind("--cache=", 0) == 0)
        cache = argument.substr(8);
      else if (argument == "--from=first" || argument == "--from=none")
        start = argument.substr(7);
      else if (argument.rfind("--", 0) == 0)
        throw std::runtime_error("unknown option " + argument);
      else
        sets.emplace_back(argument, model, cache);
    }
    if (sets.empty()) {
      std::fputs("usage: weights_search [--model=DIR [--cache=FILE]] [--from=first | --from=none] "
                 "DIR...\n",
                 stderr);
      return 1;
    }
    run(sets, !model.empty(), start.c_str());
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "weights_search: %s\n", error.what());
    return 1;
  }
}
