// SPDX-License-Identifier: Apache-2.0
// Fits the calibration of whether a hit of a question fits at all: by logistic regression on the
// even lines of questions that have an answer and of questions that have none, each with the hit
// with the highest likelihood. Reports how many of both kinds are below a floor.
#include "collection.hpp"
#include "embedded.hpp"
#include "hybrid/fusion.hpp"
#include "keyword/english.hpp"
#include "keyword/index.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::retrieval;

namespace {

constexpr std::size_t maxFeatures = 4; // including the constant
using Row = std::array<double, maxFeatures>;

// A hit among the first, and the part that Scale::addHit() adds to its likelihood.
struct Judged {
  hybrid::BothEvidence evidence;
  double lead = 0;
};

// A question and its hits.
struct Asked {
  std::string text;
  std::vector<Judged> judgedByWords, judgedByBoth;
  double cosine = 0;              // cosine of the nearest skill
  double byWords = 0, byBoth = 0; // the scores of the first hits; 0: there is none
};

struct Group {
  std::string name;
  bool fits;
  double weight; // weight of all its questions together
  std::vector<Asked> asked;
};

class Server {
public:
  Server(const Collection &collection, const std::string &model, const std::string &cache)
      : index_(keyword::Options{}) {
    for (const Document &document : collection.documents)
      index_.put({document.id, document.title, document.text, document.body, {}});
    index_.commit("fit");
    if (!model.empty()) meaning_ = embedded(collection, model, cache);
  }

  Asked ask(const std::string &text) const {
    constexpr std::size_t maxFused = 1000; // all of them
    Asked asked;
    asked.text = text;
    const keyword::Search words = index_.search(text, {}, [] {});
    for (const keyword::Ranked &hit : words.hitsToCalibrate())
      asked.judgedByWords.push_back({{words.evidence(hit.entry), 0},
                                     keyword::steepness * std::log(words.bestScore() / hit.score)});
    if (const auto hits = index_.query(text, {}, 1); !hits.empty())
      asked.byWords = hits.front().score;
    if (!meaning_) return asked;
    const auto question = meaning_->question(text, [] {});
    const auto fused = fuse(words, *question, *meaning_, {}, maxFused, [] {});
    if (!fused.empty()) asked.byBoth = fused.front().score;
    double best = 0;
    for (const hybrid::Fused &each : fused) {
      asked.cosine = std::max(asked.cosine, each.cosine);
      best = std::max(best, each.fused);
    }
    for (const keyword::Ranked &hit : words.hitsToCalibrate())
      for (const hybrid::Fused &each : fused)
        if (each.entry == hit.entry && each.fused > 0)
          asked.judgedByBoth.push_back({{words.evidence(hit.entry), each.cosine},
                                        keyword::steepness * std::log(best / each.fused)});
    return asked;
  }

private:
  keyword::Index index_;
  std::shared_ptr<const hybrid::Meaning> meaning_;
};

// Returns some words that descriptions have, each as a question of its own: for each of them
// something fits.
std::vector<std::string> singleWords(const Collection &collection) {
  constexpr std::size_t step = 53;
  const keyword::Language english("english", std::nullopt);
  std::set<std::string> words;
  std::size_t seen = 0;
  for (const Document &document : collection.documents)
    keyword::forEachToken(document.text, [&](const keyword::Token &token) {
      const std::string word(token.text);
      if (word.size() < 4 || token.kind != keyword::TokenKind::Word || english.isStopWord(word) ||
          english.isRequestWord(word) || word.find_first_of("0123456789") != std::string::npos)
        return;
      if (++seen % step == 0) words.insert(word);
    });
  return {words.begin(), words.end()};
}

// Returns one to three words that at most three skills have, and in their bodies alone, of every
// other skill.
std::vector<std::string> bodyWords(const Collection &collection) {
  constexpr std::size_t few = 3;
  constexpr std::size_t maxWords = 3; // words of a question
  const keyword::Language english("english", std::nullopt);
  const auto wordsOf = [&](const std::string &text) {
    std::set<std::string> words;
    keyword::forEachToken(text, [&](const keyword::Token &token) {
      const std::string word(token.text);
      if (word.size() >= 4 && token.kind == keyword::TokenKind::Word && !english.isStopWord(word) &&
          !english.isRequestWord(word) && word.find_first_of("0123456789") == std::string::npos)
        words.insert(word);
    });
    return words;
  };
  std::map<std::string, std::size_t> having;
  std::set<std::string> told;
  for (const Document &document : collection.documents) {
    for (const std::string &word : wordsOf(document.body)) ++having[word];
    told.merge(wordsOf(document.title + " " + document.text));
  }
  std::vector<std::string> questions;
  for (std::size_t number = 0; number < collection.documents.size(); number += 2) {
    std::string question;
    std::size_t words = 0;
    for (const std::string &word : wordsOf(collection.documents[number].body))
      if (having[word] <= few && !told.contains(word) && words < 1 + number / 2 % maxWords) {
        question += (question.empty() ? "" : " ") + word;
        ++words;
      }
    if (!question.empty()) questions.push_back(question);
  }
  return questions;
}

std::vector<std::string> textsOf(const std::string &file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  std::vector<std::string> texts;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) texts.push_back(nlohmann::json::parse(line).at("text"));
  return texts;
}

// Solves a * x = b in place, by elimination.
Row solve(std::array<Row, maxFeatures> a, Row b, std::size_t size) {
  for (std::size_t at = 0; at < size; ++at) {
    for (std::size_t row = 0; row < size; ++row) {
      if (row == at) continue;
      const double factor = a[row][at] / a[at][at];
      for (std::size_t column = at; column < size; ++column)
        a[row][column] -= factor * a[at][column];
      b[row] -= factor * b[at];
    }
  }
  for (std::size_t at = 0; at < size; ++at) b[at] /= a[at][at];
  return b;
}

// The features of a hit, and the part that is added whatever the weights are.
struct Sample {
  Row features{};
  double added = 0;
  double odds(const Row &weights, std::size_t size) const {
    double odds = added;
    for (std::size_t at = 0; at < size; ++at) odds += weights[at] * features[at];
    return odds;
  }
};

Sample sampleOf(const Judged &hit) {
  return {{1, hit.evidence.words.logStrength(), hit.evidence.words.coverage, hit.evidence.cosine},
          hit.lead};
}

// Returns for each question the sample of the hit with the highest likelihood.
template <std::vector<Judged> Asked::*Hits>
Sample deciding(const Asked &asked, const Row &weights, std::size_t size) {
  Sample most = sampleOf({});
  for (const Judged &hit : asked.*Hits)
    if (const Sample one = sampleOf(hit);
        &hit == &(asked.*Hits).front() || one.odds(weights, size) > most.odds(weights, size))
      most = one;
  return most;
}

// Fits by Newton's method, with a small penalty so that it ends. `sample` may use the weights so
// far.
template <class Take>
Row fit(const std::vector<Group> &groups, std::size_t size, const Row &first, Take &&sample) {
  constexpr int steps = 60;
  constexpr double penalty = 1e-3;
  Row weights = first;
  for (int step = 0; step < steps; ++step) {
    Row gradient{};
    std::array<Row, maxFeatures> curvature{};
    for (const Group &group : groups) {
      for (std::size_t line = 0; line < group.asked.size(); line += 2) {
        const Sample taken = sample(group.asked[line], weights);
        const Row &x = taken.features;
        const double odds = taken.odds(weights, size);
        const double p = 1 / (1 + std::exp(-odds));
        const double share = group.weight / (static_cast<double>(group.asked.size()) / 2);
        for (std::size_t at = 0; at < size; ++at) {
          gradient[at] += share * (p - (group.fits ? 1 : 0)) * x[at];
          for (std::size_t other = 0; other < size; ++other)
            curvature[at][other] += share * p * (1 - p) * x[at] * x[other];
        }
      }
    }
    for (std::size_t at = 0; at < size; ++at) {
      gradient[at] += at == 0 ? 0 : penalty * weights[at];
      curvature[at][at] += at == 0 ? 1e-9 : penalty;
    }
    const Row change = solve(curvature, gradient, size);
    for (std::size_t at = 0; at < size; ++at) weights[at] -= change[at];
  }
  return weights;
}

void report(const std::vector<Group> &groups, double Asked::*score, const char *ranker) {
  std::printf("\n%s: below a floor of", ranker);
  const std::array<double, 7> floors{0.3, 0.35, 0.4, 0.43, 0.45, 0.5, 0.6};
  for (const double floor : floors) std::printf("   %.2f", floor);
  std::printf("\n");
  for (const Group &group : groups) {
    for (const bool even : {true, false}) {
      std::printf("%-18s %-4s %6zu", group.name.c_str(), even ? "even" : "odd",
                  (group.asked.size() + (even ? 1 : 0)) / 2);
      for (const double floor : floors) {
        int below = 0;
        for (std::size_t line = even ? 0 : 1; line < group.asked.size(); line += 2)
          below += group.asked[line].*score < floor ? 1 : 0;
        std::printf(" %6d", below);
      }
      std::printf("\n");
    }
  }
}

void missed(const std::vector<Group> &groups, double Asked::*score, double floor) {
  for (const Group &group : groups)
    for (const Asked &asked : group.asked)
      if ((asked.*score >= floor) != group.fits && group.name != "single words" &&
          group.name != "body words")
        std::printf("%-16s %.2f  %.90s\n", group.name.c_str(), asked.*score, asked.text.c_str());
}

void run(const std::string &folder, const std::string &model, const std::string &cache) {
  const Collection skills = readCollection(folder + "/skill-queries");
  const Server server(skills, model, cache);
  std::vector<Group> groups{{"skill-queries", true, 0.2, {}},
                            {"task-queries", true, 0.15, {}},
                            {"single words", true, 0.15, {}},
                            {"no-skill-queries", false, 0.5, {}}};
  for (const Question &question : skills.questions)
    groups[0].asked.push_back(server.ask(question.text));
  for (const Question &question : readCollection(folder + "/task-queries").questions)
    groups[1].asked.push_back(server.ask(question.text));
  for (const std::string &word : singleWords(skills)) groups[2].asked.push_back(server.ask(word));
  for (const std::string &text : textsOf(folder + "/no-skill-queries.jsonl"))
    groups[3].asked.push_back(server.ask(text));
  const Row first{-1, 5, 5, 1}; // chooses the deciding hits at first
  const Row words = fit(groups, 3, first, [](const Asked &asked, const Row &weights) {
    return deciding<&Asked::judgedByWords>(asked, weights, 3);
  });
  std::printf("by words: %.2f + %.2f ln(strength) + %.2f coverage\n", words[0], words[1], words[2]);
  if (!model.empty()) {
    const Row both = fit(groups, 4, first, [](const Asked &asked, const Row &weights) {
      return deciding<&Asked::judgedByBoth>(asked, weights, 4);
    });
    std::printf("by both: %.2f + %.2f ln(strength) + %.2f coverage + %.2f cosine\n", both[0],
                both[1], both[2], both[3]);
    const Row meaning = fit(groups, 2, {}, [](const Asked &asked, const Row &) {
      return Sample{{1, asked.cosine}, 0};
    });
    std::printf("by meaning: %.2f + %.2f cosine\n", meaning[0], meaning[1]);
  }
  // These questions are not used for fitting: nobody has judged which of their words have a
  // meaning.
  groups.push_back({"body words", true, 0, {}});
  for (const std::string &text : bodyWords(skills)) groups[4].asked.push_back(server.ask(text));
  constexpr double floor = 0.35; // the host's floor
  report(groups, &Asked::byWords, "keyword");
  missed(groups, &Asked::byWords, floor);
  if (model.empty()) return;
  report(groups, &Asked::byBoth, "hybrid");
  missed(groups, &Asked::byBoth, floor);
}

} // namespace

int main(int count, char **values) {
  try {
    std::string model;
    std::string cache;
    std::string folder;
    for (const std::string &argument : std::vector<std::string>(values + 1, values + count)) {
      if (argument.rfind("--model=", 0) == 0)
        model = argument.substr(8);
      else if (argument.rfind("--cache=", 0) == 0)
        cache = argument.substr(8);
      else if (argument.rfind("--", 0) == 0 || !folder.empty())
        throw std::runtime_error("unknown argument " + argument);
      else
        folder = argument;
    }
    if (folder.empty()) {
      std::fputs("usage: calibration_fit [--model=DIR [--cache=FILE]] DIR\n"
                 "DIR is what sets.py has made.\n",
                 stderr);
      return 1;
    }
    run(folder, model, cache);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "calibration_fit: %s\n", error.what());
    return 1;
  }
}
