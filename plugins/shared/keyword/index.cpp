// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"

#include "ground/bytes.hpp"

#include <algorithm>
#include <future>
#include <stdexcept>
#include <utility>

namespace skillhost::keyword {
namespace {

// Limits of the entries that wait for a segment: enough to keep segments few, few enough to hold
// them in memory twice.
constexpr std::size_t maxPendingEntries = 2048;
constexpr std::size_t maxPendingBytes = std::size_t{32} << 20U;
// A commit waits for merges while more segments are visible, because merging is slower than
// committing single entries.
constexpr std::size_t maxVisibleSegments = 64;
// Least number of entries that pays for another thread, because each thread builds a segment that
// must be merged.
constexpr std::size_t minEntriesPerThread = 128;
constexpr unsigned maxThreads = 4;

std::string_view cutBody(std::string_view body, std::size_t bytes) {
  if (body.size() > bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(body[bytes]) & 0xC0U) == 0x80U) --bytes;
    body = body.substr(0, bytes);
  }
  return body;
}

// Digests everything that the files of segments depend on. The number is the version of our
// analysis and of the layout of the files.
Blake3::Digest digestOfOptions(const Options &options, const Language &language) {
  ByteWriter out;
  out.text("skillhost keyword analysis 3");
  out.text(options.language);
  out.value(std::uint64_t{options.bodyBytes});
  std::vector<std::string> words(language.stopWords().begin(), language.stopWords().end());
  std::sort(words.begin(), words.end());
  for (const std::string &word : words) out.text(word);
  return digestOf(out.bytes());
}

std::vector<std::string> distinct(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

PerField<std::uint32_t> lengthsOf(const PerField<Column<std::uint32_t>> &of, std::size_t entry) {
  PerField<std::uint32_t> lengths{};
  for (std::size_t field = 0; field < fieldCount; ++field) lengths[field] = of[field][entry];
  return lengths;
}

} // namespace

Index::Index(Options options, std::string folder, Tell tell, Images images)
    : options_(std::move(options)), tell_(std::move(tell)),
      language_(std::make_shared<Language>(options_.language, options_.stopWords)),
      storage_(std::move(folder), digestOfOptions(options_, *language_), options_.bodyBytes, tell_,
               images),
      compounds_(language_), snapshot_(std::make_shared<Snapshot>()) {
  loadKept(storage_.load());
}

Index::~Index() {
  {
    const std::scoped_lock lock(writing_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (keeper_.joinable()) keeper_.join();
}

void Index::wake() {
  if (!keeper_.joinable()) keeper_ = std::thread([this] { keep(); });
  changed_.notify_all();
}

std::shared_ptr<const Snapshot> Index::snapshot() const {
  const std::scoped_lock lock(publishing_);
  return snapshot_;
}

void Index::publish(std::shared_ptr<const Snapshot> next) {
  const std::scoped_lock lock(publishing_);
  snapshot_.swap(next); // the old one is freed after the lock is released, or by its last reader
}

void Index::loadKept(Kept kept) {
  if (kept.segments.empty()) return;
  for (SegmentView &view : kept.segments) {
    auto removed = std::make_shared<RemovedEntries>(*view.removed);
    removed->count(*view.segment);
    count(view);
    view.removed = removed;
    if (storage_.isFollowing()) followed_.push_back(view.segment);
    segments_.push_back({view.segment, std::move(removed), true, {}});
  }
  publish(std::make_shared<Snapshot>(std::move(kept.generation), std::move(kept.segments),
                                     statistics_, compounds_.parts([] {})));
}

void Index::count(const SegmentView &view) {
  const Segment &segment = *view.segment;
  for (std::uint32_t word = 0; word < segment.vocabulary.counts.size(); ++word)
    compounds_.addWord(segment.vocabulary.words.term(word), segment.vocabulary.counts[word]);
  for (const std::uint16_t entry : view.removed->entries())
    for (const std::string &word : vocabularyOf(textsOf(segment.entry(entry))))
      compounds_.removeWord(word);
  for (std::uint32_t word = 0; word < segment.longWords.terms().size(); ++word) {
    std::uint32_t uses = 0;
    segment.longWords.forEachGroup(word, [&](const Postings::Group &group) {
      for (const std::uint16_t entry : group.entries)
        uses += view.removed->contains(entry) ? 0U : 1U;
    });
    if (uses > 0) compounds_.addLong(segment.longWords.terms().term(word), uses);
  }
  for (std::size_t entry = 0; entry < segment.size(); ++entry) {
    if (view.removed->contains(entry)) continue;
    ++statistics_.entries;
    statistics_.words.add(lengthsOf(segment.lengths, entry));
    statistics_.runs.add(lengthsOf(segment.runLengths, entry));
  }
}

void Index::remember(const Segment &segment, std::uint16_t entry) {
  ++statistics_.entries;
  statistics_.words.add(lengthsOf(segment.lengths, entry));
  statistics_.runs.add(lengthsOf(segment.runLengths, entry));
  const Entry now = segment.entry(entry);
  const FieldTexts texts = textsOf(now);
  for (const std::string &word : vocabularyOf(texts)) compounds_.addWord(word);
  for (const std::string &word : distinct(longWordsOf(texts))) compounds_.addLong(word);
}

void Index::forget(const Segment &segment, std::uint16_t entry) {
  --statistics_.entries;
  statistics_.words.subtract(lengthsOf(segment.lengths, entry));
  statistics_.runs.subtract(lengthsOf(segment.runLengths, entry));
  const Entry old = segment.entry(entry);
  const FieldTexts texts = textsOf(old);
  for (const std::string &word : vocabularyOf(texts)) compounds_.removeWord(word);
  for (const std::string &word : distinct(longWordsOf(texts))) compounds_.removeLong(word);
}

void Index::removeOld(std::string_view id) {
  if (const auto pending = pending_.find(id); pending != pending_.end()) {
    pending_.erase(pending);
    return;
  }
  for (OpenSegment &openSegment : segments_) {
    const auto entry = openSegment.segment->find(id);
    if (!entry || openSegment.removed->contains(*entry)) continue;
    openSegment.remove(*entry);
    forget(*openSegment.segment, *entry);
    return;
  }
}

void Index::put(const EntryView &entry) {
  if (entry.id.empty()) throw std::invalid_argument("an entry must have an id");
  NewEntry made;
  made.revision = entry.revision;
  made.name = entry.name;
  made.description = entry.description;
  made.attributes = parseAttributes(entry.attributes);
  made.body = cutBody(entry.body, options_.bodyBytes);
  const std::scoped_lock lock(writing_);
  hasChanges_ = true;
  if (revive(entry.id, entry.revision)) return;
  removeOld(entry.id);
  pendingBytes_ += made.name.size() + made.description.size() + made.body.size();
  pending_.insert_or_assign(std::string(entry.id), std::move(made));
  if (pending_.size() >= maxPendingEntries || pendingBytes_ >= maxPendingBytes) flush();
}

void Index::remove(std::string_view id) {
  const std::scoped_lock lock(writing_);
  hasChanges_ = true;
  removeOld(id);
}

void Index::clear() {
  const std::scoped_lock lock(writing_);
  hasChanges_ = true;
  pending_.clear();
  pendingBytes_ = 0;
  segments_.clear();
  statistics_ = {};
  compounds_ = Compounds(language_);
  for (const auto &segment : followed_) { // their entries can be put again without analysing them
    auto removed = std::make_shared<RemovedEntries>(segment->size());
    removed->addAll(segment->size());
    segments_.push_back({segment, std::move(removed), false, {}, true});
  }
}

// Splits the pending entries into shares of about the same size. A thread builds a segment from
// each share.
void Index::flush() {
  follow(); // another process may have the same entries by now
  if (pending_.empty()) return;
  std::vector<const NewEntries::value_type *> entries;
  entries.reserve(pending_.size());
  for (const NewEntries::value_type &each : pending_) entries.push_back(&each);
  const std::size_t shares =
      std::clamp<std::size_t>(entries.size() / minEntriesPerThread, 1,
                              std::clamp(std::thread::hardware_concurrency(), 1U, maxThreads));
  while (stems_.size() < shares) stems_.push_back(std::make_unique<Stems>(language_));
  const auto build = [&](std::size_t share) {
    const std::size_t begin = entries.size() * share / shares;
    const std::size_t end = entries.size() * (share + 1) / shares;
    return storage_.make([&](BodySink &bodies) {
      return segmentOf(std::span(entries).subspan(begin, end - begin), *stems_[share], bodies);
    });
  };
  std::vector<std::future<std::shared_ptr<const Segment>>> made;
  made.reserve(shares);
  // If no further thread can be started, get() builds the share in this thread.
  for (std::size_t share = 1; share < shares; ++share)
    made.push_back(std::async(std::launch::async | std::launch::deferred, build, share));
  std::vector<std::shared_ptr<const Segment>> segments{build(0)};
  for (auto &each : made) segments.push_back(each.get());
  for (std::shared_ptr<const Segment> &segment : segments) {
    auto removed = std::make_shared<RemovedEntries>(segment->size());
    count({segment, removed});
    segments_.push_back({std::move(segment), std::move(removed), false, {}});
  }
  // Few entries are the end of an update, or one that does not repay the memory.
  if (entries.size() < minEntriesPerThread) stems_.clear();
  pending_.clear();
  pendingBytes_ = 0;
}

// Analyses a few entries again to find their terms, but reads the postings if there are many.
void Index::countRemoved(OpenSegment &openSegment) {
  constexpr std::size_t few = 32;
  const Segment &segment = *openSegment.segment;
  if (std::exchange(openSegment.mustCountAll, false)) {
    openSegment.removed->count(segment);
    openSegment.uncounted.clear();
  }
  if (openSegment.uncounted.empty()) return;
  // Bodies of the uncounted entries; empty if there are many or one cannot be read.
  std::vector<std::string> bodies;
  if (openSegment.uncounted.size() <= few)
    for (const std::uint16_t entry : openSegment.uncounted) {
      bodies.push_back(segment.bodies.text(entry));
      if (bodies.back().size() == segment.bodies.places()[entry].bytes) continue;
      bodies.clear();
      break;
    }
  if (bodies.empty()) {
    openSegment.removed->count(segment);
    openSegment.uncounted.clear();
    return;
  }
  Stems stems(language_);
  for (std::size_t at = 0; at < bodies.size(); ++at) {
    Analyser analyser(stems);
    const Entry old = segment.entry(openSegment.uncounted[at]);
    FieldTexts texts = textsOf(old);
    texts.body = bodies[at];
    const AnalysedEntry analysed = analyser.analyse(texts);
    std::vector<Counts> counts(analyser.words().size());
    for (const TermCount &each : analysed.words.terms) counts[each.term] = each.counts;
    for (std::uint32_t term = 0; term < analyser.words().size(); ++term)
      if (const auto number = segment.words.find(analyser.words().term(term)))
        openSegment.removed->countWord(segment, *number, counts[term]);
    for (std::uint32_t term = 0; term < analyser.runs().size(); ++term)
      if (const auto number = segment.runs.find(analyser.runs().term(term)))
        openSegment.removed->countRun(segment, *number);
  }
  openSegment.uncounted.clear();
}

void Index::commit(std::string_view generation, const Checkpoint &checkpoint) {
  checkpoint();
  std::unique_lock lock(writing_);
  flush();
  CompoundParts parts = compounds_.parts(checkpoint);
  std::vector<SegmentView> segments;
  for (OpenSegment &openSegment : segments_) {
    countRemoved(openSegment);
    segments.push_back({openSegment.segment, openSegment.removed});
    openSegment.isShared = true;
  }
  publish(std::make_shared<Snapshot>(std::string(generation), std::move(segments), statistics_,
                                     std::move(parts)));
  hasChanges_ = false;
  isUnsaved_ = true;
  mergesFail_ = false; // the cause may be gone
  wake();
  const auto areFew = [this] { return ownSegments().size() <= maxVisibleSegments; };
  if (!areFew()) progressed_.wait(lock, [&] { return mergesFail_ || stopping_ || areFew(); });
}

void Index::waitUntilKept() {
  std::unique_lock lock(writing_);
  wake();
  progressed_.wait(lock, [this] { return isAllKept(); });
}

Search Index::search(std::string_view text, std::string_view filterJson,
                     const Checkpoint &checkpoint) const {
  return {snapshot(), language_, options_, text, filterJson, checkpoint};
}

std::optional<Explanation> Index::explain(std::string_view text, std::string_view id,
                                          const Checkpoint &checkpoint) const {
  const Search found = search(text, {}, checkpoint);
  auto why = explanationOf(found.entries(), language_, options_, text, id, checkpoint);
  if (!why) return why;
  const std::uint32_t place = *found.entries().find(id);
  why->evidence = found.evidence(place);
  why->name = found.nameMatch(place);
  why->calibrated = found.scale().of(why->score, why->name);
  return why;
}

std::vector<Hit> Index::query(std::string_view text, std::string_view filterJson, std::size_t limit,
                              const Checkpoint &checkpoint) const {
  const Search found = search(text, filterJson, checkpoint);
  std::vector<Hit> hits;
  const Scale scale = found.scale();
  for (const Ranked &ranked : found.best(limit))
    hits.push_back({std::string(found.entries().id(ranked.entry)),
                    scale.of(ranked.score, found.nameMatch(ranked.entry)),
                    found.snippet(ranked.entry)});
  return hits;
}

} // namespace skillhost::keyword
