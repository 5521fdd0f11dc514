// SPDX-License-Identifier: Apache-2.0
// Searches for the best settings, one for all collections, by five-fold cross-validation: settings
// are chosen on four fifths of the questions and reported on the fifth that was left out. A change
// is refused if it may be chance.
#include "collection.hpp"
#include "embedded.hpp"
#include "evaluation/bootstrap.hpp"
#include "evaluation/measures.hpp"
#include "hybrid/fusion.hpp"
#include "keyword/index.hpp"
#include "titles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::retrieval;
using evaluation::Measured;
using evaluation::Measures;

namespace {

// Hits, so that ten are left when those of one title count as one.
constexpr std::size_t looked = 50;
constexpr std::size_t folds = 5; // a question is in the fold of its line's number modulo this
constexpr int mostRounds = 3;

struct Settings {
  keyword::Options words;
  hybrid::FusionOptions fusion;
};

// The measures of one question, by words and by both.
struct Found {
  Measured words, both;
};
using FoundOfSet = std::vector<Found>; // by line

// A collection, with its questions already embedded.
class Asked {
public:
  Asked(const std::string &folder, const std::string &model, const std::string &cache)
      : collection_(readCollection(folder)), titles_(collection_) {
    if (model.empty()) return;
    meaning_ = embedded(collection_, model, cache);
    for (const Question &question : collection_.questions)
      vectors_.push_back(meaning_->question(question.text, [] {}));
  }

  const std::string &name() const { return collection_.name; }

  FoundOfSet ask(const Settings &settings) const {
    keyword::Index index(settings.words);
    for (const Document &document : collection_.documents)
      index.put({document.id, document.title, document.text, document.body, {}});
    index.commit("search");
    FoundOfSet found;
    for (std::size_t i = 0; i < collection_.questions.size(); ++i) {
      const Question &question = collection_.questions[i];
      const std::set<std::string> relevant = titles_.of(question.relevant);
      const keyword::Search words = index.search(question.text, {}, [] {});
      std::vector<std::string> ids;
      for (const keyword::Ranked &each : words.best(looked))
        ids.emplace_back(words.entries().id(each.entry));
      found.push_back({evaluation::measured(titles_.of(ids), relevant), {}});
      if (!meaning_) continue;
      ids.clear();
      for (const hybrid::Fused &each :
           fuse(words, *vectors_[i], *meaning_, settings.fusion, looked, [] {}))
        ids.emplace_back(words.entries().id(each.entry));
      found.back().both = evaluation::measured(titles_.of(ids), relevant);
    }
    return found;
  }

private:
  Collection collection_;
  Titles titles_;
  std::shared_ptr<const hybrid::Meaning> meaning_;
  std::vector<std::unique_ptr<hybrid::QuestionVectors>> vectors_;
};

double worthOf(const Found &found) {
  return found.words.hit + found.words.gain + found.both.hit + found.both.gain;
}

using Lines = std::function<bool(std::size_t line)>; // true for the lines that count

// Returns by how much each question of these lines differs.
std::vector<double> differences(const FoundOfSet &now, const FoundOfSet &before,
                                const Lines &lines) {
  std::vector<double> all;
  for (std::size_t line = 0; line < now.size(); ++line)
    if (lines(line)) all.push_back(worthOf(now[line]) - worthOf(before[line]));
  return all;
}

// Returns the mean gain over all collections, each with the same weight; 0 if it may be chance or
// if one collection certainly loses.
double certainGain(const std::vector<FoundOfSet> &now, const std::vector<FoundOfSet> &before,
                   const Lines &lines) {
  std::vector<std::vector<double>> bySet;
  std::size_t questions = 0;
  for (std::size_t set = 0; set < now.size(); ++set) {
    bySet.push_back(differences(now[set], before[set], lines));
    questions += bySet.back().size();
    if (evaluation::bootstrap(bySet.back()).high < 0) return 0;
  }
  std::vector<double> all;
  for (const std::vector<double> &each : bySet)
    for (const double difference : each)
      all.push_back(difference * static_cast<double>(questions) /
                    static_cast<double>(each.size() * bySet.size()));
  const evaluation::Difference gain = evaluation::bootstrap(all);
  return gain.low > 0 ? gain.mean : 0;
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
      {"sentence_weight", &Words::sentenceWeight, nullptr, {0.5, 0.6, 0.7, 0.8}},
      {"apart_share", &Words::apartShare, nullptr, {0, 0.3, 0.5, 0.6, 0.7, 1}}};
  if (hybrid)
    all.insert(all.end(),
               {{"meaning_weight", nullptr, &Fusion::meaningWeight, {0.5, 0.6, 0.7, 0.8}},
                {"trust_in_words", nullptr, &Fusion::trustInWords, {0, 0.3, 0.5, 0.6, 0.8}},
                {"best_sentence_weight", nullptr, &Fusion::sentenceWeight, {0.3, 0.5, 0.7}}});
  return all;
}

// Asks all collections, and remembers the results of the same settings.
class Asker {
public:
  Asker(const std::vector<Asked> &sets, bool hybrid)
      : sets_(sets), dimensions_(dimensions(hybrid)) {}

  const std::vector<FoundOfSet> &ask(Settings settings) {
    settings.words.keywordsWeight = settings.words.nameWeight; // no collection has keywords
    std::vector<double> key;
    for (const Dimension &dimension : dimensions_) key.push_back(dimension.in(settings));
    const auto [place, isNew] = known_.try_emplace(key);
    if (isNew)
      for (const Asked &set : sets_) place->second.push_back(set.ask(settings));
    return place->second;
  }

  // Changes one setting at a time, and keeps a change that certainly gains on these lines.
  Settings best(const Lines &lines) {
    Settings best;
    for (int round = 0; round < mostRounds; ++round) {
      bool isBetter = false;
      for (const Dimension &dimension : dimensions_) {
        double most = 0;
        Settings chosen = best;
        for (const double value : dimension.values) {
          Settings other = best;
          dimension.in(other) = value;
          const double gain = certainGain(ask(other), ask(best), lines);
          if (gain <= most) continue;
          most = gain;
          chosen = other;
        }
        if (most <= 0) continue;
        std::printf("  %s = %g gains %.4f\n", dimension.name, dimension.in(chosen), most);
        best = chosen;
        isBetter = true;
      }
      if (!isBetter) break;
    }
    return best;
  }

private:
  const std::vector<Asked> &sets_;
  const std::vector<Dimension> dimensions_;
  std::map<std::vector<double>, std::vector<FoundOfSet>> known_;
};

// Prints Hit@1 and nDCG@10 of each fold, of all lines, and the standard deviation of the folds.
void print(const std::string &set, const char *ranker, Measured Found::*which,
           const std::vector<FoundOfSet> &byFold) {
  std::vector<Measures> measures(folds);
  Measures all;
  for (std::size_t line = 0; line < byFold[0].size(); ++line) {
    measures[line % folds].add(byFold[line % folds][line].*which);
    all.add(byFold[line % folds][line].*which);
  }
  double hits = 0;
  double gains = 0;
  std::printf("%-15s %-8s %.4f %.4f |", set.c_str(), ranker, all.hit(), all.gain());
  for (const Measures &each : measures) {
    hits += std::pow(each.hit() - all.hit(), 2);
    gains += std::pow(each.gain() - all.gain(), 2);
    std::printf("  %.3f %.3f", each.hit(), each.gain());
  }
  std::printf(" | %.3f %.3f\n", std::sqrt(hits / folds), std::sqrt(gains / folds));
}

void run(const std::vector<Asked> &sets, bool hybrid, bool isSearching) {
  Asker asker(sets, hybrid);
  std::vector<std::vector<FoundOfSet>> byFold; // found with the settings of each fold
  for (std::size_t fold = 0; fold < folds; ++fold) {
    if (isSearching) std::printf("without fold %zu:\n", fold + 1);
    std::fflush(stdout);
    const Settings chosen =
        isSearching ? asker.best([fold](std::size_t line) { return line % folds != fold; })
                    : Settings{};
    byFold.push_back(asker.ask(chosen));
  }
  if (isSearching) {
    std::printf("with all folds:\n");
    asker.best([](std::size_t) { return true; });
  }
  std::printf("\nHit@1 nDCG@10:%17s | %s%58s | deviation\n", "all", "each fold, left out", "");
  for (std::size_t set = 0; set < sets.size(); ++set) {
    std::vector<FoundOfSet> found;
    for (const std::vector<FoundOfSet> &each : byFold) found.push_back(each[set]);
    print(sets[set].name(), "keyword", &Found::words, found);
    if (hybrid) print(sets[set].name(), "hybrid", &Found::both, found);
  }
}

} // namespace

int main(int count, char **values) {
  try {
    std::string model;
    std::string cache;
    bool isSearching = true;
    std::vector<Asked> sets;
    for (const std::string &argument : std::vector<std::string>(values + 1, values + count)) {
      if (argument.rfind("--model=", 0) == 0)
        model = argument.substr(8);
      else if (argument.rfind("--cache=", 0) == 0)
        cache = argument.substr(8);
      else if (argument == "--defaults")
        isSearching = false;
      else if (argument.rfind("--", 0) == 0)
        throw std::runtime_error("unknown option " + argument);
      else
        sets.emplace_back(argument, model, cache);
    }
    if (sets.empty()) {
      std::fputs("usage: weights_search [--model=DIR [--cache=FILE]] [--defaults] DIR...\n",
                 stderr);
      return 1;
    }
    run(sets, !model.empty(), isSearching);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "weights_search: %s\n", error.what());
    return 1;
  }
}
