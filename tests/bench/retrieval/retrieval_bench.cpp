// SPDX-License-Identifier: Apache-2.0
// Prints how well and how fast a search by words, and one by words and meaning, finds the relevant
// documents, one line for each collection.
#include "collection.hpp"
#include "embedded.hpp"
#include "evaluation/measures.hpp"
#include "hybrid/fusion.hpp"
#include "keyword/index.hpp"
#include "plain_bm25.hpp"
#include "titles.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using namespace skillhost::retrieval;
using evaluation::depth;
using evaluation::Measures;

namespace {

using Ranker = std::function<std::vector<std::string>(const std::string &)>;

enum class Which { All, Even, Odd }; // lines of queries.jsonl, counted from 0

struct Settings {
  bool plain = false;
  Which which = Which::All;
  bool byTitle = false; // entries of one title count as one answer
  keyword::Options options;
  std::string model; // a folder; empty: by words alone
  std::string cache; // a file of kept vectors
  hybrid::FusionOptions fusion;
  std::vector<std::string> folders;
};

// Returns the number of hits to read, so that enough are left when those of one title count as one.
std::size_t looked(const Settings &settings) { return settings.byTitle ? 5 * depth : depth; }

Ranker plainRanker(const Collection &collection, const Settings &settings) {
  const auto plain = std::make_shared<const PlainBm25>(collection.documents);
  return [plain, limit = looked(settings)](const std::string &text) {
    return plain->query(text, limit);
  };
}

Ranker keywordRanker(const Collection &collection, const Settings &settings) {
  const auto index = std::make_shared<keyword::Index>(settings.options);
  for (const Document &document : collection.documents)
    index->put({document.id, document.title, document.text, document.body, {}});
  index->commit("bench");
  return [index, limit = looked(settings)](const std::string &text) {
    std::vector<std::string> ids;
    for (keyword::Hit &hit : index->query(text, {}, limit)) ids.push_back(std::move(hit.id));
    return ids;
  };
}

Ranker hybridRanker(const Collection &collection, const Settings &settings) {
  const auto index = std::make_shared<keyword::Index>(settings.options);
  for (const Document &document : collection.documents)
    index->put({document.id, document.title, document.text, document.body, {}});
  index->commit("bench");
  const auto meaning = embedded(collection, settings.model, settings.cache);
  return [index, meaning, fusion = settings.fusion,
          limit = looked(settings)](const std::string &text) {
    const auto nothing = [] {};
    const keyword::Search words = index->search(text, {}, nothing);
    std::vector<std::string> ids;
    for (const hybrid::Fused &each :
         fuse(words, *meaning->question(text, nothing), *meaning, fusion, limit, nothing))
      ids.emplace_back(words.entries().id(each.entry));
    return ids;
  };
}

void run(const std::string &folder, const Settings &settings) {
  const Collection collection = readCollection(folder);
  const Titles titles(collection);
  const auto begin = std::clock();
  const Ranker ranker = settings.plain            ? plainRanker(collection, settings)
                        : !settings.model.empty() ? hybridRanker(collection, settings)
                                                  : keywordRanker(collection, settings);
  const auto indexed = std::clock();
  Measures measures;
  for (std::size_t i = 0; i < collection.questions.size(); ++i) {
    const Which half = i % 2 == 0 ? Which::Even : Which::Odd;
    if (settings.which != Which::All && settings.which != half) continue;
    const Question &question = collection.questions[i];
    if (settings.byTitle)
      measures.add(titles.of(ranker(question.text)), titles.of(question.relevant));
    else
      measures.add(ranker(question.text), question.relevant);
  }
  const auto microseconds = [](std::clock_t from, std::clock_t to) { // processor time
    return 1e6 * static_cast<double>(to - from) / CLOCKS_PER_SEC;
  };
  std::printf("%-10s %-8s %7zu %7.4f %7.4f %8.4f %10.4f %9.1f %9.1f\n", collection.name.c_str(),
              settings.plain            ? "plain"
              : !settings.model.empty() ? "hybrid"
                                        : "keyword",
              measures.count(), measures.hit(), measures.reciprocalRank(), measures.gain(),
              measures.recall(), microseconds(begin, indexed) / 1000,
              microseconds(indexed, std::clock()) / static_cast<double>(measures.count()));
}

Settings parse(const std::vector<std::string> &arguments) {
  Settings settings;
  const std::vector<std::pair<std::string, double keyword::Options::*>> numbers{
      {"--name-weight=", &keyword::Options::nameWeight},
      {"--description-weight=", &keyword::Options::descriptionWeight},
      {"--body-weight=", &keyword::Options::bodyWeight},
      {"--body-commonness=", &keyword::Options::bodyCommonness},
      {"--k1=", &keyword::Options::k1},
      {"--b=", &keyword::Options::b},
      {"--request-word-weight=", &keyword::Options::requestWordWeight},
      {"--similarity-weight=", &keyword::Options::similarityWeight},
      {"--sentence-weight=", &keyword::Options::sentenceWeight},
      {"--apart-share=", &keyword::Options::apartShare}};
  const std::vector<std::pair<std::string, double hybrid::FusionOptions::*>> fusionNumbers{
      {"--meaning-weight=", &hybrid::FusionOptions::meaningWeight},
      {"--trust-in-words=", &hybrid::FusionOptions::trustInWords},
      {"--best-sentence-weight=", &hybrid::FusionOptions::sentenceWeight},
      {"--least-cosine=", &hybrid::FusionOptions::minCosine}};
  for (const std::string &argument : arguments) {
    bool known = true;
    if (argument == "--plain") {
      settings.plain = true;
    } else if (argument == "--by-title") {
      settings.byTitle = true;
    } else if (argument == "--even") {
      settings.which = Which::Even;
    } else if (argument == "--odd") {
      settings.which = Which::Odd;
    } else if (argument.rfind("--language=", 0) == 0) {
      settings.options.language = argument.substr(11);
    } else if (argument.rfind("--model=", 0) == 0) {
      settings.model = argument.substr(8);
    } else if (argument.rfind("--cache=", 0) == 0) {
      settings.cache = argument.substr(8);
    } else if (argument.rfind("--", 0) == 0) {
      known = false;
      for (const auto &[prefix, member] : fusionNumbers) {
        if (argument.rfind(prefix, 0) != 0) continue;
        settings.fusion.*member = std::stod(argument.substr(prefix.size()));
        known = true;
      }
      for (const auto &[prefix, member] : numbers) {
        if (argument.rfind(prefix, 0) != 0) continue;
        settings.options.*member = std::stod(argument.substr(prefix.size()));
        known = true;
      }
    } else {
      settings.folders.push_back(argument);
    }
    if (!known) throw std::invalid_argument("unknown option " + argument);
  }
  return settings;
}

} // namespace

int main(int count, char **values) {
  try {
    const Settings settings = parse({values + 1, values + count});
    if (settings.folders.empty()) {
      std::fputs("usage: retrieval_bench [--plain | --model=DIR [--cache=FILE]] [--by-title] "
                 "[--even | --odd] "
                 "[--SETTING=NUMBER ...] DIR...\n",
                 stderr);
      return 1;
    }
    std::printf("%-10s %-8s %7s %7s %7s %8s %10s %9s %9s\n", "set", "ranker", "queries", "Hit@1",
                "MRR@10", "nDCG@10", "Recall@10", "index ms", "us/query");
    for (const std::string &folder : settings.folders) run(folder, settings);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "retrieval_bench: %s\n", error.what());
    return 1;
  }
}
