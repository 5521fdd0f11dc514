// SPDX-License-Identifier: Apache-2.0
#include "review/reviewed_source.hpp"

#include "base/fault.hpp"
#include "document_digests.hpp"
#include "ground/time_reading.hpp"
#include "skills/provenance.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace skillhost {
namespace {

// Calls `body` with the documents of each skill; they are sorted by skill.
template <class Body> void eachSkill(const std::vector<Document> &documents, Body &&body) {
  for (auto begin = documents.begin(); begin != documents.end();) {
    const auto end = std::find_if(begin, documents.end(), [&](const Document &document) {
      return document.skill != begin->skill;
    });
    body(std::span<const Document>(begin, end));
    begin = end;
  }
}

// Returns the documents of a skill. `documents` is sorted by skill, then by path.
std::span<const Document> documentsOf(const std::vector<Document> &documents,
                                      std::string_view skill) {
  const auto found =
      std::ranges::equal_range(documents, skill, std::ranges::less{},
                               [](const Document &one) -> std::string_view { return one.skill; });
  return {found.begin(), found.end()};
}

// Returns null if the skill has no such document.
const Document *documentAt(const std::vector<Document> &documents, std::string_view skill,
                           std::string_view path) {
  const std::span<const Document> own = documentsOf(documents, skill);
  const auto found =
      std::ranges::lower_bound(own, path, std::ranges::less{},
                               [](const Document &one) -> std::string_view { return one.path; });
  return found != own.end() && found->path == path ? &*found : nullptr;
}

// Returns the index of a document of the list.
std::size_t placeIn(const std::vector<Document> &documents, const Document &document) {
  return static_cast<std::size_t>(&document - documents.data());
}

bool sameReviews(const std::map<std::string, ReviewPointer> &one,
                 const std::map<std::string, ReviewPointer> &other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(), [](const auto &a, const auto &b) {
        const Review &x = *a.second, &y = *b.second;
        return a.first == b.first && x.examined.digest == y.examined.digest &&
               x.judgement.action == y.judgement.action && x.judgement.state == y.judgement.state &&
               x.judgement.reason == y.judgement.reason;
      });
}

// This is not inlined, because the compiler would warn of a failure that a result with a value does
// not have.
[[gnu::noinline]] bool hasFailed(const Result<Changes> &changes) {
  return !changes && changes.failure().fault != Fault::Stale;
}

// Returns the facts about the skill; empty if there are none.
std::string_view factsIn(const Snapshot &snapshot, const std::string &skill) {
  const auto found = snapshot.facts.find(skill);
  return found == snapshot.facts.end() ? std::string_view{} : std::string_view(found->second);
}

// Returns the folder on this machine that contains the documents of a skill; empty if they are
// elsewhere.
std::string folderIn(std::span<const Document> documents) {
  for (const Document &document : documents)
    if (document.entry && document.location.starts_with('/'))
      return document.location.substr(0, document.location.rfind('/'));
  return {};
}

} // namespace

LockedSkill Review::files() const {
  LockedSkill files;
  for (const ExaminedPointer &one : documents) files.emplace(one->path, one->content);
  return files;
}

// The state of one listing.
struct ReviewedSource::Work {
  std::shared_ptr<const Snapshot> listed;
  ResultCallback<Snapshot> answer;
  // Parallel to the documents; each element is written by one thread.
  std::vector<ExaminedPointer> each;
  std::vector<Document> unread;                     // the documents that have to be read
  std::vector<std::size_t> places;                  // their positions in `each`
  std::shared_ptr<const KeptFindings::Known> known; // of the last start; null: nothing
  bool isKept = false;                              // the last list of the source is judged again
  std::uint64_t doubts = 0;                         // the doubts that this listing settles
  // A transient failure of the source, which prevents judging.
  Guarded<std::optional<Failure>> passing;
};

ExaminedPointer ReviewedSource::Examinations::find(std::string_view skill,
                                                   std::string_view path) const {
  const Document *const found = listed ? documentAt(listed->documents, skill, path) : nullptr;
  return found != nullptr ? each[placeIn(listed->documents, *found)] : nullptr;
}

void ReviewedSource::Examinations::forget(std::string_view skill, std::string_view path) {
  const Document *const found = listed ? documentAt(listed->documents, skill, path) : nullptr;
  if (found != nullptr) each[placeIn(listed->documents, *found)] = nullptr;
}

void ReviewedSource::Examinations::forget(std::string_view skill) {
  if (!listed) return;
  for (const Document &document : documentsOf(listed->documents, skill))
    each[placeIn(listed->documents, document)] = nullptr;
}

ReviewedSource::ReviewedSource(std::shared_ptr<Source> source, std::vector<TrustRule> rules,
                               std::shared_ptr<const Decisions> decisions,
                               std::function<void()> reviewed,
                               std::shared_ptr<const KeptFindings> kept)
    : source_(std::move(source)), rules_(std::move(rules)), decisions_(std::move(decisions)),
      reviewed_(std::move(reviewed)), kept_(std::move(kept)) {}

void ReviewedSource::onChanged(std::function<void()> listener) {
  listener_.with([&](auto &current) { current = listener; });
  source_->onChanged(std::move(listener));
}

void ReviewedSource::tellListener() const {
  if (const std::function<void()> listener = listener_.copy()) listener();
}

void ReviewedSource::decisionsChanged() {
  ++requestedReviews_;
  tellListener();
}

ReviewCounts ReviewedSource::counts() const {
  return reviews_.with([](const auto &all) {
    ReviewCounts counts;
    for (const auto &[id, review] : all) {
      const Judgement &judgement = review->judgement;
      ++counts.states[static_cast<std::size_t>(judgement.state)];
      counts.withheld += judgement.action == TrustAction::Quarantine ? 1U : 0U;
      const bool isDecided =
          judgement.action == TrustAction::Serve || judgement.state == ReviewState::Rejected;
      counts.waiting += isDecided ? 0U : 1U;
    }
    return counts;
  });
}

void ReviewedSource::list(CallOptions options, ResultCallback<Snapshot> answer) {
  const auto work = std::make_shared<Work>();
  work->answer = std::move(answer);
  work->doubts = doubts_;
  work->listed = listKept_.exchange(false) ? listed_.copy() : nullptr;
  work->isKept = work->listed != nullptr;
  if (work->isKept) return examineAll(options, work);
  source_->list(options, [self = shared_from_this(), options, work](Result<Snapshot> listed) {
    if (!listed) return work->answer(std::move(listed));
    work->listed = std::make_shared<const Snapshot>(*std::move(listed));
    self->examineAll(options, work);
  });
}

// Returns the last examination of the document at this place; null if there is none.
ExaminedPointer ReviewedSource::examinedBefore(const Document &document) const {
  return examined_.with([&](const auto &all) { return all.find(document.skill, document.path); });
}

// Returns null as well if the revision was another one.
ExaminedPointer ReviewedSource::examined(const Document &document) const {
  ExaminedPointer found = examinedBefore(document);
  const bool isSame = found && !document.revision.empty() && found->revision == document.revision;
  return isSame ? found : nullptr;
}

// Returns null as well if the document has to be read again.
ExaminedPointer ReviewedSource::findExamined(const Document &document) const {
  ExaminedPointer found = examined(document);
  const bool isGood =
      found && found->content.executable == document.executable && !found->content.digest.empty();
  return isGood ? found : nullptr;
}

void ReviewedSource::examineAll(const CallOptions &options, const std::shared_ptr<Work> &work) {
  for (const Document &document : work->listed->documents) {
    work->each.push_back(findExamined(document));
    if (work->each.back()) continue;
    work->unread.push_back(document);
    work->places.push_back(work->each.size() - 1);
  }
  if (work->unread.empty()) return finishListing(*work);
  if (kept_ && !isLoaded_.exchange(true)) {
    const auto known = kept_->load(name());
    keptDocuments_ = known->documents();
    known_.with([&](auto &current) { current = known; });
  }
  work->known = known_.copy();
  source_->readEach(
      options, work->unread, maxReviewedBytes,
      [self = shared_from_this(), work](std::size_t i, const Result<std::string> &bytes) {
        self->examineOne(*work, i, bytes);
      },
      [self = shared_from_this(), work] {
        if (const auto why = work->passing.copy()) {
          self->keepExamined(*work);
          return work->answer(*why);
        }
        self->finishListing(*work);
      });
}

// Called on several threads at once, each with another i.
void ReviewedSource::examineOne(Work &work, std::size_t i, const Result<std::string> &bytes) {
  const Document &document = work.unread[i];
  ExaminedPointer &to = work.each[work.places[i]];
  if (bytes) {
    const auto known = [&](const LockedDocument &content) {
      std::optional<std::vector<Finding>> findings;
      if (const ExaminedPointer before = examinedBefore(document);
          before && before->content == content)
        findings = before->findings;
      else if (work.known)
        findings = work.known->find(document, content);
      examinations_ += findings ? 0U : 1U;
      return findings;
    };
    to = std::make_shared<const ExaminedDocument>(examine(document, *bytes, known));
    return;
  }
  const Failure &why = bytes.failure();
  if (isTransient(why.fault) && !work.isKept) {
    work.passing.with([&](auto &passing) { passing = why; });
    return;
  }
  // Decisions take effect even while the source is unreachable: a document keeps its last
  // examination, or counts as unreadable until the source is listed again.
  if (isTransient(why.fault)) to = examined(document);
  if (to) return;
  to = std::make_shared<const ExaminedDocument>(unreadableDocument(document, why.message));
  if (!isTransient(why.fault)) return;
  ++doubts_;
  askAgain_ = true;
}

// Keeps the examined documents, so that the next attempt continues where this one failed, however
// large the source is.
void ReviewedSource::keepExamined(Work &work) {
  for (std::size_t i = 0; i < work.each.size(); ++i) {
    ExaminedPointer &one = work.each[i];
    if (!one || one->content.digest.empty()) one = examinedBefore(work.listed->documents[i]);
  }
  examined_.with([&](auto &all) { all = {work.listed, std::move(work.each)}; });
}

// Keeps the findings for the next start. Small changes of a large source wait for others, because
// the file is written as a whole.
void ReviewedSource::keepFindings(const Work &work) {
  constexpr std::size_t fewest = 64; // documents for each change that does not wait
  known_.with([](auto &current) { current.reset(); });
  const std::size_t documents = work.each.size(), before = keptDocuments_, now = examinations_;
  const std::size_t changes =
      now - keptExaminations_ + std::max(documents, before) - std::min(documents, before);
  if (!kept_ || changes == 0 || changes < documents / fewest) return;
  kept_->save(name(), work.listed->documents, work.each);
  keptDocuments_ = documents;
  keptExaminations_ = now;
}

// Makes the reviews from all documents. The snapshot contains the documents of served skills only.
void ReviewedSource::finishListing(Work &work) {
  Examinations served{work.listed, std::vector<ExaminedPointer>(work.each.size())};
  const std::uint64_t asked = requestedReviews_; // before the decisions are read
  const Decided decided = decisions_->copy();
  const std::int64_t now = secondsNow();
  const RejectedContent rejected(*decided.approvals, now);
  Snapshot out;
  out.revision = work.listed->revision;
  out.refused = work.listed->refused;
  const std::string everySkill(allSkills);
  const std::string_view common = factsIn(*work.listed, everySkill);
  if (!common.empty()) out.facts.emplace(everySkill, common);
  std::map<std::string, ReviewPointer> reviews;
  eachSkill(work.listed->documents, [&](std::span<const Document> documents) {
    const std::string &path = documents.front().skill;
    const std::size_t first = placeIn(work.listed->documents, documents.front());
    const std::span<const ExaminedPointer> each =
        std::span(work.each).subspan(first, documents.size());
    const std::string_view facts =
        path == allSkills ? std::string_view() : factsIn(*work.listed, path);
    ExaminedSkill examined = examinedSkill(documents, each, facts, common);
    auto review = std::make_shared<Review>();
    review->id = name() + '/' + path;
    review->source = name();
    review->path = path;
    review->name = std::move(examined.name);
    const auto decision = decided.approvals->skills.find(review->id);
    const Decision *const own =
        decision == decided.approvals->skills.end() ? nullptr : &decision->second;
    const auto rejection = rejected.find(examined.files, examined.summary.digest, own);
    const bool isRejected = own != nullptr && own->verdict == Verdict::Reject && !own->expired(now);
    const bool isOwn = isRejected || !rejection || rejection->skill == review->id;
    review->judgement = applyRules(rules_, examined.summary, isOwn ? own : rejection->decision,
                                   decided.unknown, now);
    if (!isOwn && review->judgement.state == ReviewState::Rejected)
      review->judgement.reason = "it has the content of " + std::string(rejection->skill) + ", " +
                                 textOf(*rejection->decision);
    review->examined = std::move(examined.summary);
    if (!examined.files.empty()) review->documents.assign(each.begin(), each.end());
    review->findings = std::move(examined.findings);
    review->folder = folderIn(documents);
    if (review->judgement.action != TrustAction::Quarantine) {
      std::copy(each.begin(), each.end(), served.each.begin() + static_cast<std::ptrdiff_t>(first));
      out.documents.insert(out.documents.end(), documents.begin(), documents.end());
      if (!facts.empty()) out.facts.emplace(path, facts);
      if (!review->judgement.notice.empty()) out.notices.emplace(path, review->judgement.notice);
    }
    reviews.emplace(review->id, std::move(review));
  });
  // The served documents are set before the answer, because readers use the list at once.
  keepFindings(work);
  Examinations all{work.listed, std::move(work.each)};
  examined_.with([&](auto &current) { std::swap(current, all); });
  served_.with([&](auto &current) { std::swap(current, served); });
  const bool isOther = reviews_.with([&](auto &current) {
    current.swap(reviews);
    return !sameReviews(current, reviews);
  });
  listed_.with([&](auto &current) { current = work.listed; });
  finishedReviews_ = asked;
  if (!work.isKept) cleared_ = work.doubts;
  if (isOther && reviewed_) reviewed_();
  work.answer(std::move(out));
  if (work.isKept && askAgain_.exchange(false)) tellListener();
}

void ReviewedSource::changes(CallOptions options, std::string since,
                             ResultCallback<Changes> answer) {
  source_->changes(
      std::move(options), since,
      [self = shared_from_this(), since, answer = std::move(answer)](Result<Changes> changes) {
        const bool isSame = changes && changes->revision == since;
        const bool isAway = hasFailed(changes);
        const bool isAnew = self->requestedReviews_ != self->finishedReviews_;
        const bool isDoubted = self->doubts_ != self->cleared_;
        if (isAway ? !isAnew : isSame && !isAnew && !isDoubted) return answer(std::move(changes));
        // An unreachable source must not stop decisions from taking effect. Its state is queried
        // again afterwards.
        if (isAway || (isSame && !isDoubted)) self->listKept_ = true;
        if (isAway) self->askAgain_ = true;
        answer(
            {Fault::Stale, self->name() + ": the rules of trust examine the whole source again"});
      });
}

Result<std::string> ReviewedSource::checked(const Document &document, Result<std::string> bytes) {
  if (!bytes) return bytes;
  const ExaminedPointer judged =
      served_.with([&](const auto &all) { return all.find(document.skill, document.path); });
  const std::string where = name() + '/' + document.skill + '/' + document.path;
  if (!judged) return {Fault::Stale, where + " is no longer served"};
  // A document that cannot be read has no digest, so no bytes can match it.
  if (judged->content.digest == digestOf(document, *bytes).digest) return bytes;
  if (judged->revision == document.revision)
    examined_.with([&](auto &all) { all.forget(document.skill, document.path); });
  // The source may say that nothing has changed; it has to be listed nevertheless.
  ++doubts_;
  tellListener();
  return {Fault::Stale, where + " is not the document that was listed"};
}

void ReviewedSource::read(CallOptions options, Document document, std::size_t limit,
                          ResultCallback<std::string> answer) {
  source_->read(
      std::move(options), document, limit,
      [self = shared_from_this(), document, answer = std::move(answer)](Result<std::string> bytes) {
        answer(self->checked(document, std::move(bytes)));
      });
}

void ReviewedSource::readEach(CallOptions options, std::vector<Document> documents,
                              std::size_t limit, Each each, std::function<void()> done) {
  auto all = std::make_shared<const std::vector<Document>>(documents);
  source_->readEach(
      std::move(options), std::move(documents), limit,
      [self = shared_from_this(), all, each = std::move(each)](std::size_t i,
                                                               Result<std::string> bytes) {
        each(i, self->checked((*all)[i], std::move(bytes)));
      },
      std::move(done));
}

void ReviewedSource::suspectContent(const std::string &path) {
  examined_.with([&](auto &all) { all.forget(path); });
  ++doubts_;
  tellListener();
}

void ReviewedSource::content(const ContentRequest &request, const CallOptions &options,
                             ResultCallback<SkillContent> answer) {
  struct Reading {
    std::vector<Document> documents;
    std::vector<Result<ReadDocument>> read; // each element is written by one thread
    std::atomic<std::size_t> kept{0};       // bytes that are kept or were considered
  };
  const auto listed = listed_.copy();
  const auto reading = std::make_shared<Reading>();
  bool isKnown = false;
  if (listed)
    for (const Document &document : documentsOf(listed->documents, request.path)) {
      isKnown = true;
      if (!request.files || request.files->contains(document.path))
        reading->documents.push_back(document);
    }
  if (!isKnown) return answer({Fault::NotFound, name() + " has no skill " + request.path});
  if (reading->documents.empty()) return answer(SkillContent());
  reading->read.assign(reading->documents.size(), Failure{Fault::Internal, "it was not read"});
  source_->readEach(
      options, reading->documents, maxReviewedBytes,
      [reading, largest = request.maxFileBytes,
       most = request.maxBytes](std::size_t i, Result<std::string> bytes) {
        if (!bytes) {
          reading->read[i] = std::move(bytes).failure();
          return;
        }
        ReadDocument one{digestOf(reading->documents[i], *bytes), {}};
        const std::size_t size = bytes->size();
        if (size <= largest && size <= most && reading->kept.fetch_add(size) <= most - size)
          one.bytes = *std::move(bytes);
        reading->read[i] = std::move(one);
      },
      [reading, answer = std::move(answer), id = name() + '/' + request.path] {
        SkillContent content;
        for (std::size_t i = 0; i < reading->documents.size(); ++i) {
          const Document &document = reading->documents[i];
          Result<ReadDocument> &read = reading->read[i];
          if (!read)
            return answer(
                {read.failure().fault, id + '/' + document.path + ": " + read.failure().message});
          content.emplace(document.path, *std::move(read));
        }
        answer(std::move(content));
      });
}

} // namespace skillhost
