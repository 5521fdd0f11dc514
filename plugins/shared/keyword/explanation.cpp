// SPDX-License-Identifier: Apache-2.0
#include "explanation.hpp"

#include "analysis.hpp"
#include "ranking.hpp"
#include "text_set.hpp"
#include "tokens.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace skillhost::keyword {
namespace {

// Analyses the explained entry again to count its words.
class ExplainedEntry {
public:
  ExplainedEntry(const Snapshot &snapshot, Query &query, const Scores &scores, std::uint32_t place,
                 const Options &options, const std::shared_ptr<const Language> &language)
      : query_(query), place_(place), snapshot_(snapshot),
        together_(static_cast<double>(scores.together)), apart_(static_cast<double>(scores.apart)),
        similarityWeight_(options.similarityWeight), words_(wordScoring(snapshot, options)),
        fields_(apartScoring(snapshot, options)), runs_(runScoring(snapshot, options)),
        stems_(language), analyser_(stems_) {
    const Entry own = snapshot.entry(place);
    const std::string body = snapshot.body(place);
    FieldTexts texts = textsOf(own);
    texts.body = body;
    counts_ = analyser_.analyse(texts).words.terms;
  }

  PerField<std::uint32_t> countsOf(std::string_view stem) const {
    PerField<std::uint32_t> counts{};
    if (const auto number = analyser_.words().find(stem))
      for (const TermCount &each : counts_)
        if (each.term == *number)
          for (std::size_t field = 0; field < fieldCount; ++field)
            counts[field] += countIn(each.counts, field);
    return counts;
  }
  // Counts into `shared` the runs of letters that the entry shares with the query.
  double similarity(std::size_t &shared) const {
    double sum = 0;
    for (const WeightedTerm &term : query_.whole.runs) {
      const PerField<float> fields = runs_.of(query_.runs, term.term, place_);
      const double adds = std::accumulate(fields.begin(), fields.end(), 0.0);
      if (adds > 0) ++shared;
      sum += static_cast<double>(term.weight) * adds;
    }
    return together_ * similarityWeight_ * sum;
  }
  // Returns what each field adds; 0 for all if the entry does not contain the word.
  PerField<double> word(std::string_view stem) const {
    PerField<double> added{};
    const auto number = query_.words.find(stem, snapshot_, &Segment::words);
    if (!number) return added;
    for (const WeightedTerm &term : query_.whole.words) {
      if (term.term != *number) continue;
      const PerField<float> together = words_.of(query_.words, *number, place_);
      const PerField<float> apart = fields_.of(query_.words, *number, place_);
      for (std::size_t field = 0; field < fieldCount; ++field)
        added[field] =
            static_cast<double>(term.weight) * (together_ * static_cast<double>(together[field]) +
                                                apart_ * static_cast<double>(apart[field]));
    }
    return added;
  }

private:
  Query &query_; // only finds terms that it already has
  const std::uint32_t place_;
  const Snapshot &snapshot_;
  const double together_, apart_, similarityWeight_;
  const Scoring words_, fields_, runs_;
  Stems stems_;
  Analyser analyser_;
  std::vector<TermCount> counts_;
};

// Visits the words that parseQuery() looks for, which stops at maxQueryTerms.
template <class Take>
void forEachAsked(std::string_view text, const Language &language, Take &&take) {
  std::size_t words = 0;
  forEachToken(text, [&](const Token &token) {
    if (token.kind == TokenKind::Inner || language.isStopWord(token.text)) return;
    if (words++ < maxQueryTerms) take(token);
  });
}

void explainWords(Explanation &explanation, const ExplainedEntry &entry, std::string_view text,
                  const Language &language) {
  Stemmer stemmer = language.stemmer();
  TextSet known;
  forEachAsked(text, language, [&](const Token &token) {
    const std::string stem(stemmer.stem(token.text));
    if (stem.empty() || !known.insert(stem).second) return;
    const std::string written(text.substr(token.begin, token.end - token.begin));
    const PerField<double> scores = entry.word(stem);
    const double score = std::accumulate(scores.begin(), scores.end(), 0.0);
    if (score > 0)
      explanation.words.push_back({written, stem, entry.countsOf(stem), scores, score});
    else if (token.kind != TokenKind::Whole) // the parts of a whole token are reported instead
      explanation.missing.push_back(written);
  });
  std::stable_sort(
      explanation.words.begin(), explanation.words.end(),
      [](const ExplainedWord &a, const ExplainedWord &b) { return a.score > b.score; });
}

void explainSentences(Explanation &explanation, const Scores &scores, std::uint32_t place,
                      std::string_view text, const Language &language) {
  auto score = scores.sentences.begin();
  for (const std::string_view sentence : sentencesOf(text)) {
    bool asks = false;
    forEachAsked(sentence, language, [&](const Token &) { asks = true; });
    if (!asks) continue; // the sentence has only stop words
    if (score == scores.sentences.end()) return;
    explanation.sentences.push_back(
        {std::string(sentence), static_cast<double>(scores.apart * (*score)[place])});
    ++score;
  }
}

constexpr PerField<const char *> fieldNames{"name", "keywords", "description", "body"};

} // namespace

std::optional<Explanation> explanationOf(const Snapshot &snapshot,
                                         const std::shared_ptr<const Language> &language,
                                         const Options &options, std::string_view text,
                                         std::string_view id,
                                         const std::function<void()> &checkpoint) {
  const auto place = snapshot.find(id);
  if (!place) return std::nullopt;
  text = text.substr(0, longestQuery);
  Query query = parseQuery(text, snapshot, *language, options);
  const Scores scores = scoresOf(snapshot, query, Filter({}), options, checkpoint);
  const ExplainedEntry entry(snapshot, query, scores, *place, options, language);
  Explanation explanation;
  explanation.score = static_cast<double>(scores.all[*place]);
  explanation.similarity = entry.similarity(explanation.runs);
  checkpoint();
  explainWords(explanation, entry, text, *language);
  explainSentences(explanation, scores, *place, text, *language);
  explanation.whole = explanation.similarity;
  for (const ExplainedWord &word : explanation.words) explanation.whole += word.score;
  return explanation;
}

const char *toText(NameMatch name) noexcept {
  switch (name) {
  case NameMatch::Same:
    return "the same";
  case NameMatch::Title:
    return "the title";
  case NameMatch::Plural:
    return "a plural";
  case NameMatch::OneEdit:
    return "one letter";
  case NameMatch::None:
    break;
  }
  return nullptr;
}

nlohmann::json toJson(const Explanation &explanation) {
  using Json = nlohmann::json;
  const auto share = [&](double score) {
    return explanation.whole > 0 ? score / explanation.whole : 0;
  };
  Json json{{"score", explanation.score},
            {"calibrated",
             {{"score", explanation.calibrated},
              {"strength", explanation.evidence.strength},
              {"coverage", explanation.evidence.coverage}}},
            {"words", Json::array()},
            {"missing", explanation.missing},
            {"similarity",
             {{"runs", explanation.runs},
              {"score", explanation.similarity},
              {"share", share(explanation.similarity)}}}};
  if (const char *name = toText(explanation.name)) json["name"] = name;
  for (const ExplainedWord &word : explanation.words) {
    Json fields = Json::object();
    Json scores = Json::object();
    for (std::size_t field = 0; field < fieldCount; ++field) {
      if (word.counts[field] > 0) fields[fieldNames[field]] = word.counts[field];
      if (word.scores[field] > 0) scores[fieldNames[field]] = word.scores[field];
    }
    json["words"].push_back({{"word", word.word},
                             {"stem", word.stem},
                             {"fields", std::move(fields)},
                             {"field_scores", std::move(scores)},
                             {"score", word.score},
                             {"share", share(word.score)}});
  }
  for (const ExplainedSentence &sentence : explanation.sentences)
    json["sentences"].push_back({{"text", sentence.text}, {"score", sentence.score}});
  return json;
}

} // namespace skillhost::keyword
