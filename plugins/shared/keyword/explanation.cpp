// SPDX-License-Identifier: Apache-2.0
#include "explanation.hpp"

#include "analysis.hpp"
#include "ranking.hpp"
#include "text_set.hpp"
#include "tokens.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::keyword {
namespace {

// Analyses the explained entry again to count its words.
class ExplainedEntry {
public:
  ExplainedEntry(const Snapshot &snapshot, Query &query, std::uint32_t place,
                 const Options &options, const std::shared_ptr<const Language> &language)
      : query_(query), place_(place), snapshot_(snapshot),
        similarityWeight_(options.similarityWeight), words_(wordScoring(snapshot, options)),
        runs_(runScoring(snapshot)), analyser_(language) {
    const Entry own = snapshot.entry(place);
    const std::string body = snapshot.body(place);
    FieldTexts texts = textsOf(own);
    texts.body = body;
    counts_ = analyser_.analyse(texts).words.counts();
  }

  PerField<std::uint32_t> countsOf(std::string_view stem) const {
    PerField<std::uint32_t> counts{};
    if (const auto number = analyser_.words().find(stem))
      for (const TermCount &each : counts_)
        if (each.term == *number) counts[indexOf(each.field)] += each.count;
    return counts;
  }
  double words(const TermSet &terms) const {
    double sum = 0;
    for (const WeightedTerm &term : terms.words) sum += added(words_, query_.words, term);
    return sum;
  }
  // Also counts into `runs` the runs of letters that the entry shares with the query.
  double similarity(const TermSet &terms, std::size_t *runs = nullptr) const {
    double sum = 0;
    for (const WeightedTerm &term : terms.runs) {
      const double adds = added(runs_, query_.runs, term);
      if (adds > 0 && runs != nullptr) ++*runs;
      sum += adds;
    }
    return similarityWeight_ * sum;
  }
  // Returns 0 if the entry does not contain the word.
  double word(std::string_view stem) const {
    const auto number = query_.words.find(stem, snapshot_, &Segment::words);
    if (!number) return 0;
    for (const WeightedTerm &term : query_.whole.words)
      if (term.term == *number) return added(words_, query_.words, term);
    return 0;
  }

private:
  double added(const Scoring &scoring, const QueryTerms &terms, const WeightedTerm &term) const {
    return static_cast<double>(term.weight * scoring.of(terms, term.term, place_));
  }

  Query &query_; // only finds terms that it already has
  const std::uint32_t place_;
  const Snapshot &snapshot_;
  const double similarityWeight_;
  const Scoring words_, runs_;
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
    const double score = entry.word(stem);
    if (score > 0)
      explanation.words.push_back({written, stem, entry.countsOf(stem), score});
    else if (token.kind != TokenKind::Whole) // the parts of a whole token are reported instead
      explanation.missing.push_back(written);
  });
  std::stable_sort(
      explanation.words.begin(), explanation.words.end(),
      [](const ExplainedWord &a, const ExplainedWord &b) { return a.score > b.score; });
}

void explainSentences(Explanation &explanation, const ExplainedEntry &entry, const Query &query,
                      std::string_view text, const Language &language) {
  auto terms = query.sentences.begin();
  for (const std::string_view sentence : sentencesOf(text)) {
    bool asks = false;
    forEachAsked(sentence, language, [&](const Token &) { asks = true; });
    if (!asks) continue; // the sentence has only stop words
    if (terms == query.sentences.end()) return;
    explanation.sentences.push_back(
        {std::string(sentence), entry.words(*terms) + entry.similarity(*terms)});
    ++terms;
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
  const ExplainedEntry entry(snapshot, query, *place, options, language);
  Explanation explanation;
  explanation.score =
      static_cast<double>(scoresOf(snapshot, query, Filter({}), options, checkpoint)[*place]);
  explanation.similarity = entry.similarity(query.whole, &explanation.runs);
  explanation.whole = entry.words(query.whole) + explanation.similarity;
  checkpoint();
  explainWords(explanation, entry, text, *language);
  explainSentences(explanation, entry, query, text, *language);
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
    for (std::size_t field = 0; field < fieldCount; ++field)
      if (word.counts[field] > 0) fields[fieldNames[field]] = word.counts[field];
    json["words"].push_back({{"word", word.word},
                             {"stem", word.stem},
                             {"fields", std::move(fields)},
                             {"score", word.score},
                             {"share", share(word.score)}});
  }
  for (const ExplainedSentence &sentence : explanation.sentences)
    json["sentences"].push_back({{"text", sentence.text}, {"score", sentence.score}});
  return json;
}

} // namespace skillhost::keyword
