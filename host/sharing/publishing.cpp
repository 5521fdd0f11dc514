// SPDX-License-Identifier: Apache-2.0
// From what the source has to what the folder has; on the replica that leads. One round at a time.
#include "implementation.hpp"

#include "base/log.hpp"
#include "ground/hexadecimal.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 64U << 20U;
constexpr int mostAttempts = 3;
constexpr std::chrono::minutes betweenSweeps{30};
constexpr std::chrono::hours sweptAge{1};

bool before(const Document &a, const Document &b) { return placeOf(a) < placeOf(b); }

// Is it the moment's, so that the same may well be read another time?
bool isPassing(Fault fault) noexcept {
  return fault == Fault::Unavailable || fault == Fault::ToolTimeout || fault == Fault::Cancelled ||
         fault == Fault::RateLimited || fault == Fault::MemoryPressure || fault == Fault::Internal;
}

Blake3::Digest digestOf(std::string_view bytes) {
  Blake3 computation;
  computation.add(bytes);
  return computation.finish();
}

Snapshot applied(Snapshot snapshot, Changes changes) {
  std::vector<Document> left = std::move(changes.removed);
  left.insert(left.end(), changes.added.begin(), changes.added.end());
  std::sort(left.begin(), left.end(), before);
  std::vector<Document> &all = snapshot.documents;
  std::erase_if(all, [&](const Document &one) {
    return std::binary_search(left.begin(), left.end(), one, before);
  });
  all.insert(all.end(), std::make_move_iterator(changes.added.begin()),
             std::make_move_iterator(changes.added.end()));
  std::sort(all.begin(), all.end(), before);
  snapshot.revision = std::move(changes.revision);
  snapshot.facts = std::move(changes.facts);
  return snapshot;
}

// Higher than any before, also where the folder was lost: a replica takes over no lower one.
std::uint64_t nowNumber() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

} // namespace

struct SharedSource::Implementation::Round {
  std::vector<Asked> asked;
  std::shared_ptr<Source> source;
  CallOptions options;
  int attempts = 0;
  std::string revisionThere;            // of the snapshot, as the source calls it
  std::shared_ptr<SharedManifest> made; // its objects are filled in by several threads
  struct Trouble {
    std::optional<Failure> failure; // the first of reading or writing
    bool isOfFolder = false;        // this replica cannot write to it
    bool isStale = false;           // the source has changed meanwhile
  };
  Guarded<Trouble> trouble;
  std::atomic<bool> isOver{false};
};

void SharedSource::Implementation::ask(Asked asked) {
  {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(std::move(asked));
    if (std::exchange(isAsking_, true)) return;
  }
  beginRound();
}

// Runs the next step of a round on the executor; a round whose step cannot run is over.
void SharedSource::Implementation::step(const std::shared_ptr<Round> &round,
                                        std::function<void()> body) {
  callFolder<Done>(
      executor_, round->options, name(),
      [body = std::move(body)](const Answer<Done> &answer) {
        body();
        answer(Done{});
      },
      [self = shared_from_this(), round](const Status &done) {
        if (!done) self->endRound(round, done);
      });
}

void SharedSource::Implementation::beginRound() {
  const auto round = std::make_shared<Round>();
  std::string since;
  bool full = false, isServing = false;
  {
    const std::scoped_lock lock(mutex_);
    round->asked.swap(asked_);
    round->source = inner_;
    since = knownThere_;
    isServing = known_ != nullptr;
    full = knownFrom_ != inner_.get() || !known_;
  }
  for (const Asked &one : round->asked) full = full || one.full;
  round->options = round->asked.front().options;
  if (round->options.deadline.isNever())
    round->options.deadline = Deadline::after(settings_.deadline);
  if (!round->source)
    return endRound(round, isServing ? Status(Done{})
                                     : Status(Fault::Unavailable,
                                              name() + ": another replica asks it from now on"));
  if (full)
    listFor(round);
  else
    changesFor(round, since);
}

void SharedSource::Implementation::listFor(const std::shared_ptr<Round> &round) {
  ++round->attempts;
  round->source->list(round->options, [self = shared_from_this(), round](Result<Snapshot> listed) {
    if (!listed) return self->endRound(round, std::move(listed).failure());
    const auto snapshot = std::make_shared<Snapshot>(*std::move(listed));
    self->step(round, [self, round, snapshot] { self->take(round, std::move(*snapshot)); });
  });
}

void SharedSource::Implementation::changesFor(const std::shared_ptr<Round> &round,
                                              const std::string &since) {
  const auto answer = [self = shared_from_this(), round, since](Result<Changes> changes) {
    if (!changes && changes.failure().fault == Fault::Stale) return self->listFor(round);
    if (!changes) return self->endRound(round, std::move(changes).failure());
    if (changes->revision == since) return self->endRound(round, Done{});
    const auto found = std::make_shared<Changes>(*std::move(changes));
    self->step(round, [self, round, found] {
      ManifestPointer known;
      bool isSame = false;
      {
        const std::scoped_lock lock(self->mutex_);
        known = self->known_;
        isSame = self->knownFrom_ == round->source.get();
      }
      // What it is a change of may have been replaced by what another replica has written.
      if (!isSame) return self->listFor(round);
      self->take(round, applied(known->snapshot, std::move(*found)));
    });
  };
  round->source->changes(round->options, since, answer);
}

void SharedSource::Implementation::take(const std::shared_ptr<Round> &round, Snapshot snapshot) {
  ManifestPointer known;
  bool isSame = false;
  {
    const std::scoped_lock lock(mutex_);
    known = known_;
    isSame = knownFrom_ == round->source.get();
  }
  // Another instance's revisions say something only where snapshots have names that last.
  const bool reuses = known && (isSame || round->source->goesBack());
  round->revisionThere = snapshot.revision;
  round->made = std::make_shared<SharedManifest>();
  round->made->snapshot = std::move(snapshot);
  round->trouble.with([](auto &trouble) { trouble = {}; });
  const std::vector<Document> &documents = round->made->snapshot.documents;
  round->made->objects.resize(documents.size());
  std::vector<Document> unread;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const SharedObject *const object = reuses ? objectOf(*known, documents[i]) : nullptr;
    const bool isThere =
        object != nullptr && !object->fault &&
        (documents[i].length == UINT64_MAX || documents[i].length == object->size) &&
        (isSame || folder_.hasObject(object->digest, object->size));
    if (isThere) {
      round->made->objects[i] = *object;
    } else {
      unread.push_back(documents[i]);
      places.push_back(i);
    }
  }
  if (unread.empty()) return fetched(round);
  fetch(round, std::move(unread), std::move(places));
}

// Written where they are read, on the threads of the source: so no more are in memory than are
// being read.
void SharedSource::Implementation::fetch(const std::shared_ptr<Round> &round,
                                         std::vector<Document> unread,
                                         std::vector<std::size_t> places) {
  const auto each = [self = shared_from_this(), round,
                     places = std::move(places)](std::size_t i, Result<std::string> bytes) {
    SharedObject &object = round->made->objects[places[i]];
    if (bytes) {
      object = {digestOf(*bytes), bytes->size(), std::nullopt};
      const Status put = self->folder_.putObject(object.digest, *bytes);
      if (!put)
        round->trouble.with([&](auto &trouble) {
          if (!trouble.failure) trouble.failure = put.failure();
          trouble.isOfFolder = true;
        });
      return;
    }
    const Failure &why = bytes.failure();
    round->trouble.with([&](auto &trouble) {
      if (why.fault == Fault::Stale)
        trouble.isStale = true;
      else if (isPassing(why.fault) && !trouble.failure)
        trouble.failure = why;
    });
    object.fault = why.fault;
    if (why.fault != Fault::Stale && !isPassing(why.fault))
      log::warning("sharing", "not put into the shared folder: " + why.message);
  };
  const auto done = [self = shared_from_this(), round] {
    self->step(round, [self, round] { self->fetched(round); });
  };
  round->source->readEach(round->options, std::move(unread), largestDocument, each, done);
}

void SharedSource::Implementation::fetched(const std::shared_ptr<Round> &round) {
  const Round::Trouble trouble = round->trouble.copy();
  if (trouble.failure) return endRound(round, *trouble.failure);
  if (trouble.isStale && round->attempts < mostAttempts) return listFor(round);
  if (trouble.isStale)
    return endRound(round, Failure{Fault::Unavailable, name() + ": it changes while it is read"});
  const Status written = write(*round);
  if (!written) round->trouble.with([](auto &all) { all.isOfFolder = true; });
  endRound(round, written);
}

Status SharedSource::Implementation::write(Round &round) {
  const std::scoped_lock one(looking_);
  SharedManifest &made = *round.made;
  if (round.source->goesBack()) {
    made.snapshot.revision = round.revisionThere;
  } else {
    // Named by what is in it: another instance may call something else by the same name.
    made.snapshot.revision.clear();
    made.snapshot.revision = blake3Hex(manifestText(made)).substr(0, 32);
  }
  // One that is damaged or a stranger's is replaced.
  const Result<std::optional<SharedHead>> there = folder_.head();
  if (!there && there.failure().fault == Fault::Unavailable) return there.failure();
  ManifestPointer known;
  SharedHead head;
  {
    const std::scoped_lock lock(mutex_);
    known = known_;
    head = head_;
  }
  const bool isKnown = known && known->snapshot.revision == made.snapshot.revision &&
                       known->snapshot.documents == made.snapshot.documents &&
                       known->snapshot.facts == made.snapshot.facts &&
                       known->objects == made.objects;
  if (isKnown && there && *there == head) {
    const std::scoped_lock lock(mutex_);
    knownFrom_ = round.source.get();
    knownThere_ = round.revisionThere;
    return Done{};
  }
  made.number = std::max(nowNumber(), head.number + 1);
  if (there && *there) made.number = std::max(made.number, (*there)->number + 1);
  const std::string text = manifestText(made);
  if (text.size() > mostManifestBytes)
    return {Fault::TooLarge, name() + ": its list is too large to be shared"};
  if (round.isOver) return {Fault::ToolTimeout, name() + ": it took too long to be shared"};
  if (Status written = folder_.publish(made.number, text); !written) return written;
  head = {made.number, blake3Hex(text)};
  written_.add();
  adopt(round.made, head, round.source.get(), round.revisionThere);
  sharing_->tell(shared_, What::Snapshot, head.manifest);
  return Done{};
}

void SharedSource::Implementation::endRound(const std::shared_ptr<Round> &round,
                                            const Status &status) {
  if (round->isOver.exchange(true)) return;
  bool isNext = false, wasTrouble = false, isLeading = false;
  std::string digest;
  {
    const std::scoped_lock lock(mutex_);
    isNext = isAsking_ = !asked_.empty();
    isLeading = inner_ != nullptr;
    digest = head_.manifest;
    if (isLeading) wasTrouble = std::exchange(hasFailed_, !status);
  }
  if (isLeading && !status) sharing_->tell(shared_, What::Failed, status.failure().message);
  if (isLeading && status && wasTrouble) sharing_->tell(shared_, What::Snapshot, digest);
  if (!status) answerWaiting(status.failure(), Clock::time_point::max());
  const bool isOfFolder = round->trouble.with([](const auto &one) { return one.isOfFolder; });
  for (const Asked &one : round->asked) one.done(status);
  if (!status && isOfFolder) {
    run([self = shared_from_this(), why = status.failure().message] { self->resign(why); });
  } else if (status && isLeading) {
    sweep();
  }
  if (isNext) beginRound();
}

// What neither this snapshot nor the one before has goes when it is old; others may still read it
// until they have heard.
void SharedSource::Implementation::sweep() {
  ManifestPointer known, previous;
  std::set<std::string> manifests, objects;
  {
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    if (now < sweepDue_) return;
    const bool isFirst = sweepDue_ == Clock::time_point{};
    sweepDue_ = now + betweenSweeps;
    if (isFirst) return;
    known = known_;
    previous = previous_;
    manifests.insert(head_.manifest);
  }
  for (const ManifestPointer &manifest : {known, previous})
    if (manifest)
      for (const SharedObject &object : manifest->objects)
        if (!object.fault) objects.insert(hexadecimal(object.digest));
  run([self = shared_from_this(), manifests = std::move(manifests), objects = std::move(objects)] {
    self->folder_.sweep(manifests, objects, sweptAge);
  });
}

// On the executor.
void SharedSource::Implementation::mend(const std::string &digest) {
  ManifestPointer known;
  bool isManifest = false;
  {
    const std::scoped_lock lock(mutex_);
    known = known_;
    isManifest = known_ && head_.manifest == digest;
  }
  if (!known) return;
  if (isManifest) {
    const Result<std::string> found = folder_.manifest(digest);
    if (found || found.failure().fault != Fault::Corrupt) return;
    if (const Status mended = folder_.mendManifest(manifestText(*known)); !mended)
      return log::error("sharing", name() + ": " + mended.failure().message);
    return sharing_->tell(shared_, What::Snapshot, digest);
  }
  for (std::size_t i = 0; i < known->objects.size(); ++i) {
    const SharedObject &object = known->objects[i];
    if (object.fault || hexadecimal(object.digest) != digest) continue;
    const Result<std::string> found = folder_.object(object.digest, object.size);
    if (found || found.failure().fault != Fault::Corrupt) return;
    CallOptions options;
    options.deadline = Deadline::after(settings_.deadline);
    return refetch(options, known->snapshot.documents[i], object,
                   [](const Result<std::string> &bytes) {
                     if (!bytes) log::error("sharing", bytes.failure().message);
                   });
  }
}

void SharedSource::Implementation::refetch(const CallOptions &options, const Document &document,
                                           const SharedObject &object,
                                           const Answer<std::string> &answer) {
  const std::shared_ptr<Source> source = inner();
  if (!source) return answer({Fault::Unavailable, name() + ": another replica asks it"});
  source->read(options, document, largestDocument,
               [self = shared_from_this(), object, answer](Result<std::string> bytes) {
                 if (!bytes) return answer(std::move(bytes));
                 if (digestOf(*bytes) != object.digest) {
                   {
                     const std::scoped_lock lock(self->mutex_);
                     self->knownFrom_ = nullptr;
                     self->wantsAll_ = true;
                   }
                   self->hint();
                   return answer({Fault::Stale, self->name() + ": it has other bytes by now"});
                 }
                 const Status put = self->folder_.putObject(object.digest, *bytes, true);
                 if (!put) log::error("sharing", self->name() + ": " + put.failure().message);
                 answer(std::move(bytes));
               });
}

} // namespace skillhost
