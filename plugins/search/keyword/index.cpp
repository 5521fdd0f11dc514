// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"

#include "ranking.hpp"
#include "snippet.hpp"

#include <stdexcept>

namespace skillhost::keyword {
namespace {

FieldTexts textsOf(const Entry &entry) {
  return {entry.name, entry.description, entry.body, valuesOf(entry.attributes, "keywords")};
}

std::string cutBody(std::string_view body, std::size_t bytes) {
  if (body.size() > bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(body[bytes]) & 0xC0U) == 0x80U) --bytes;
    body = body.substr(0, bytes);
  }
  return std::string(body);
}

Bm25 wordsOf(const Options &options) {
  return {
      {options.nameWeight, options.keywordsWeight, options.descriptionWeight, options.bodyWeight},
      options.k1,
      options.b};
}
constexpr Bm25 runs{{2, 2, 1, 0}, 1.2, 0.5};

} // namespace

Index::Index(Options options)
    : options_(std::move(options)),
      language_(std::make_shared<Language>(options_.language, options_.stopWords)),
      analyser_(language_), snapshot_(std::make_shared<Snapshot>()) {
  for (const std::string &word : language_->stopWords()) vocabulary_.add(word);
}

std::shared_ptr<const Snapshot> Index::snapshot() const {
  const std::scoped_lock lock(publishing_);
  return snapshot_;
}

void Index::forget(const Record &record) {
  for (const std::string &word : analyser_.vocabulary(textsOf(*record.entry)))
    vocabulary_.remove(word);
}

void Index::put(const EntryView &entry) {
  if (entry.id.empty()) throw std::invalid_argument("an entry must have an id");
  const auto made = std::make_shared<const Entry>(
      Entry{std::string(entry.id), std::string(entry.name), std::string(entry.description),
            cutBody(entry.body, options_.bodyBytes), parseAttributes(entry.attributes)});
  const std::scoped_lock lock(writing_);
  const FieldTexts texts = textsOf(*made);
  AnalysedEntry analysed = analyser_.analyse(texts);
  const std::vector<std::string> words = analyser_.vocabulary(texts);
  Record &record = records_[made->id];
  if (record.entry) forget(record);
  for (const std::string &word : words) vocabulary_.add(word);
  record = {made, std::move(analysed), {}};
  splitVersion_ = 0;
}

void Index::remove(std::string_view id) {
  const std::scoped_lock lock(writing_);
  const auto found = records_.find(id);
  if (found == records_.end()) return;
  forget(found->second);
  records_.erase(found);
}

void Index::splitCompounds(const Checkpoint &checkpoint) {
  if (splitVersion_ == vocabulary_.version()) return;
  TextMap<std::vector<std::string>> known; // many names share their words
  TermCounter counter;
  std::size_t done = 0;
  for (auto &[id, record] : records_) {
    if (done++ % 256 == 0) checkpoint();
    for (const std::string &word : record.analysed.longWords) {
      const auto [split, isNew] = known.try_emplace(word);
      if (isNew) split->second = vocabulary_.split(word);
      for (const std::string &part : split->second)
        if (const std::uint32_t term = analyser_.number(part); term != Analyser::stopWord)
          counter.add(term, Field::Name);
    }
    record.compounds = counter.take();
  }
  splitVersion_ = vocabulary_.version();
}

void Index::commit(std::string_view generation, const Checkpoint &checkpoint) {
  const std::scoped_lock lock(writing_);
  splitCompounds(checkpoint);
  auto next = std::make_shared<Snapshot>();
  next->generation = generation;
  next->entries.reserve(records_.size());
  std::vector<EntryTerms> words;
  std::vector<EntryTerms> similar;
  for (const auto &[id, record] : records_) {
    next->entries.push_back(record.entry);
    words.push_back({&record.analysed.words, &record.compounds});
    similar.push_back({&record.analysed.runs, nullptr});
  }
  next->words = Postings(analyser_.shareWords(), words, wordsOf(options_), checkpoint);
  next->runs = Postings(analyser_.shareRuns(), similar, runs, checkpoint);
  std::vector<AnalysedEntry *> alive;
  alive.reserve(records_.size());
  for (auto &[id, record] : records_) alive.push_back(&record.analysed);
  if (analyser_.trim(alive)) splitVersion_ = 0; // the compounds still have the old numbers

  std::shared_ptr<const Snapshot> published = std::move(next);
  const std::scoped_lock publish(publishing_);
  snapshot_.swap(published); // the old one goes after the lock, or with its last reader
}

Search::Search(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Language> language,
               const Options &options, std::string_view text, std::string_view filterJson,
               const Checkpoint &checkpoint)
    : snapshot_(std::move(snapshot)), language_(std::move(language)), filter_(filterJson),
      query_(parseQuery(text, *snapshot_, *language_, options)),
      scores_(scoresOf(*snapshot_, query_, filter_, options, checkpoint)) {}

std::string Search::snippet(std::uint32_t entry) const {
  Stemmer stemmer = language_->stemmer();
  return snippetOf(*snapshot_->entries[entry], query_, *snapshot_, stemmer);
}

Search Index::search(std::string_view text, std::string_view filterJson,
                     const Checkpoint &checkpoint) const {
  return {snapshot(), language_, options_, text, filterJson, checkpoint};
}

std::vector<Hit> Index::query(std::string_view text, std::string_view filterJson, std::size_t limit,
                              const Checkpoint &checkpoint) const {
  const Search found = search(text, filterJson, checkpoint);
  std::vector<Hit> hits;
  for (const Ranked &ranked : bestOf(found.scores(), limit))
    hits.push_back(
        {found.entries().entries[ranked.entry]->id, ranked.score, found.snippet(ranked.entry)});
  return hits;
}

} // namespace skillhost::keyword
