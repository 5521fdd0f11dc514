// SPDX-License-Identifier: Apache-2.0
#include "implementation.hpp"

#include "base/log.hpp"
#include "ground/hexadecimal.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t threads = 4;
constexpr std::size_t stride = 8; // documents that a thread takes at a time

SharedFolder::Code codeOf(const std::shared_ptr<SourceSharing> &sharing, const std::string &name) {
  return [state = sharing->state(), name](const SharedHead &head) {
    return state->keyed("shared source", {name, std::to_string(head.number), head.manifest});
  };
}

// Replicas with another secret, or of a version that writes otherwise, share nothing with this one.
std::string sharedName(const SharedState &state, const SharedSourceSettings &settings) {
  constexpr std::size_t digits = 16;
  return settings.name + '-' +
         state.keyed("shared source of version 1", {settings.name, settings.mark})
             .substr(0, digits);
}

ExecutorSettings executorSettings() {
  ExecutorSettings settings;
  settings.threads = threads;
  return settings;
}

} // namespace

SharedSource::Implementation::Implementation(std::shared_ptr<SourceSharing> sharing,
                                             SharedSourceSettings settings, Make make)
    : sharing_(std::move(sharing)), settings_(std::move(settings)),
      shared_(sharedName(*sharing_->state(), settings_)), make_(std::move(make)),
      folder_(settings_.folder, shared_, codeOf(sharing_, shared_)),
      executor_(settings_.name, executorSettings()),
      leading_(
          metrics::all().gauge({"skillhost_shared_source_leads", {{"source", settings_.name}}})),
      written_(metrics::all().counter(
          {"skillhost_shared_source_snapshots_total", {{"source", settings_.name}}})),
      damaged_(metrics::all().counter(
          {"skillhost_shared_source_damaged_total", {{"source", settings_.name}}})) {}

void SharedSource::Implementation::begin(std::function<void()> listener) {
  {
    const std::scoped_lock lock(mutex_);
    listener_ = std::move(listener);
    listening_ = std::make_shared<SourceSharing::Listener>();
  }
  const std::weak_ptr<Implementation> weak = weak_from_this();
  listening_->told = [weak](What what, const std::string &text) {
    if (const auto self = weak.lock()) self->told(what, text);
  };
  listening_->disturbed = [weak] {
    if (const auto self = weak.lock()) self->disturbed();
  };
  sharing_->listen(shared_, listening_);
  disturbed();
  takePart();
  at(Clock::now() + settings_.look, &Implementation::tick);
}

void SharedSource::Implementation::end() {
  std::unique_ptr<Lease> lease;
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(ended_, true)) return;
    lease = std::move(lease_);
  }
  lease.reset(); // without the lock: it waits for what it calls
  if (const auto source = inner()) source->stop();
  executor_.end();
  // What the last job may have made meanwhile.
  std::shared_ptr<Source> source;
  {
    const std::scoped_lock lock(mutex_);
    source = std::move(inner_);
  }
  if (source) source->stop();
  leading_.set(0);
  answerWaiting({Fault::Unavailable, name() + ": it has ended"}, Clock::time_point::max());
}

void SharedSource::Implementation::run(std::function<void()> body) {
  CallOptions options;
  callFolder<Done>(
      executor_, options, name(),
      [self = shared_from_this(), body = std::move(body)](const Answer<Done> &answer) {
        body();
        answer(Done{});
      },
      [self = shared_from_this()](const Status &done) {
        if (!done && done.failure().fault == Fault::Internal)
          log::error("sharing", done.failure().message);
      });
}

void SharedSource::Implementation::at(Clock::time_point due, void (Implementation::*what)()) {
  sharing_->timer().at(due, [weak = weak_from_this(), what] {
    if (const auto self = weak.lock()) (*self.*what)();
  });
}

void SharedSource::Implementation::hint() {
  std::function<void()> listener;
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    listener = listener_;
  }
  if (listener) listener();
}

void SharedSource::Implementation::lookSoon() {
  run([this] {
    const Result<bool> isNewer = look();
    if (isNewer && *isNewer) hint();
  });
}

void SharedSource::Implementation::told(What what, const std::string &text) {
  switch (what) {
  case What::Snapshot: {
    bool wasTrouble = false;
    {
      const std::scoped_lock lock(mutex_);
      wasTrouble = !std::exchange(trouble_, {}).empty();
      if (!wasTrouble && known_ && head_.manifest == text) return;
    }
    if (wasTrouble) hint();
    return lookSoon();
  }
  case What::Refresh: {
    {
      const std::scoped_lock lock(mutex_);
      if (!inner_) return;
      wantsAll_ = true;
    }
    return hint();
  }
  case What::Damaged:
    if (leads()) run([this, text] { mend(text); });
    return;
  case What::Failed: {
    {
      const std::scoped_lock lock(mutex_);
      if (inner_) return;
      trouble_ = text;
    }
    return hint();
  }
  }
}

SharedSource::Implementation::ManifestPointer SharedSource::Implementation::served() const {
  const std::scoped_lock lock(mutex_);
  return known_;
}

Result<bool> SharedSource::Implementation::look() {
  const std::scoped_lock one(looking_);
  Result<std::optional<SharedHead>> head = folder_.head();
  const auto looked = [&]() -> Result<bool> {
    if (!head) return head.failure();
    if (!*head) return false;
    return lookAt(**head);
  }();
  const std::string why = looked ? std::string() : looked.failure().message;
  const bool isNews = [&] {
    const std::scoped_lock lock(mutex_);
    return std::exchange(warned_, why) != why && !why.empty();
  }();
  if (isNews) log::warning("sharing", name() + ": " + why);
  return looked;
}

Result<bool> SharedSource::Implementation::lookAt(const SharedHead &head) {
  {
    const std::scoped_lock lock(mutex_);
    if (head == head_) return false;
    if (known_ && head.number < head_.number)
      return Failure{Fault::Stale, "the shared folder has gone back to an older snapshot, of the "
                                   "number " +
                                       std::to_string(head.number) + " after " +
                                       std::to_string(head_.number) + ": it is left alone"};
  }
  Result<std::string> text = folder_.manifest(head.manifest);
  Result<SharedManifest> manifest =
      text ? readManifest(*text) : Result<SharedManifest>(std::move(text).failure());
  if (manifest && manifest->number != head.number)
    manifest = Failure{Fault::Corrupt, "the manifest has another number than the head names"};
  if (!manifest) {
    // A folder that cannot be read now, or a later version's list, is not damaged.
    if (manifest.failure().fault == Fault::Corrupt) {
      damaged_.add();
      sharing_->tell(shared_, What::Damaged, head.manifest);
    }
    return std::move(manifest).failure();
  }
  adopt(std::make_shared<const SharedManifest>(*std::move(manifest)), head, nullptr, {});
  return true;
}

void SharedSource::Implementation::adopt(const ManifestPointer &manifest, SharedHead head,
                                         const Source *from, std::string revisionThere) {
  std::vector<Waiting> waiting;
  {
    const std::scoped_lock lock(mutex_);
    if (known_ && known_->snapshot.revision != manifest->snapshot.revision) previous_ = known_;
    known_ = manifest;
    head_ = std::move(head);
    knownFrom_ = from;
    knownThere_ = std::move(revisionThere);
    trouble_.clear();
    waiting.swap(waiting_);
    hasListed_ = hasListed_ || !waiting.empty();
  }
  for (const Waiting &one : waiting) one.answer(manifest->snapshot);
}

void SharedSource::Implementation::await(const CallOptions &options,
                                         const Answer<Snapshot> &answer) {
  const Clock::time_point until = options.deadline.at();
  {
    const std::scoped_lock lock(mutex_);
    if (!ended_ && !known_) {
      waiting_.push_back({until, answer});
      if (options.deadline.isNever()) return;
      sharing_->timer().at(until, [weak = weak_from_this(), until] {
        if (const auto self = weak.lock())
          self->answerWaiting({Fault::Unavailable,
                               self->name() + ": no replica has put it into the shared folder yet"},
                              until);
      });
      return;
    }
  }
  // It has come meanwhile.
  list(options, answer);
}

void SharedSource::Implementation::answerWaiting(const Failure &why, Clock::time_point until) {
  std::vector<Waiting> over;
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(waiting_, [&](Waiting &one) {
      if (one.until > until) return false;
      over.push_back(std::move(one));
      return true;
    });
  }
  for (const Waiting &one : over) one.answer(why);
}

void SharedSource::Implementation::list(const CallOptions &options, Answer<Snapshot> answer) {
  callFolder<Snapshot>(
      executor_, options, name(),
      [self = shared_from_this(), options](const Answer<Snapshot> &told) {
        self->listNow(options, told);
      },
      std::move(answer));
}

void SharedSource::Implementation::listNow(const CallOptions &options,
                                           const Answer<Snapshot> &answer) {
  const Result<bool> looked = look();
  ManifestPointer known;
  bool isLeading = false, isFirst = false, isOwn = false;
  std::string trouble;
  {
    const std::scoped_lock lock(mutex_);
    known = known_;
    // What is being asked for the first time is not asked for twice.
    isLeading = inner_ != nullptr && (known_ || !isAsking_);
    isFirst = known && !std::exchange(hasListed_, true);
    isOwn = std::exchange(wasStale_, false);
    trouble = trouble_;
  }
  if (isLeading && !isFirst && !isOwn) {
    ask({true, options, [self = shared_from_this(), answer](const Status &done) {
           if (!done) return answer(done.failure());
           answer(self->served()->snapshot);
         }});
    return;
  }
  if (known) {
    if (!isLeading && !isFirst && !isOwn) sharing_->tell(shared_, What::Refresh, {});
    return answer(known->snapshot);
  }
  if (!looked && looked.failure().fault == Fault::Unavailable) return answer(looked.failure());
  if (!trouble.empty()) return answer({Fault::Unavailable, trouble});
  await(options, answer);
}

void SharedSource::Implementation::changes(const CallOptions &options, std::string since,
                                           Answer<Changes> answer) {
  callFolder<Changes>(
      executor_, options, name(),
      [self = shared_from_this(), options, since = std::move(since)](const Answer<Changes> &told) {
        self->changesNow(options, since, told);
      },
      std::move(answer));
}

void SharedSource::Implementation::changesNow(const CallOptions &options, const std::string &since,
                                              const Answer<Changes> &answer) {
  const Result<bool> looked = look();
  bool isLeading = false, wantsAll = false;
  std::string trouble;
  {
    const std::scoped_lock lock(mutex_);
    isLeading = inner_ != nullptr;
    wantsAll = isLeading && std::exchange(wantsAll_, false);
    trouble = trouble_;
  }
  if (isLeading) {
    ask({wantsAll, options, [self = shared_from_this(), since, answer](const Status &done) {
           if (!done) return answer(done.failure());
           answer(self->changesSince(since));
         }});
    return;
  }
  if (!trouble.empty()) return answer({Fault::Unavailable, trouble});
  if (!looked) return answer(looked.failure());
  answer(changesSince(since));
}

Result<Changes> SharedSource::Implementation::changesSince(const std::string &since) {
  ManifestPointer known, previous;
  {
    const std::scoped_lock lock(mutex_);
    known = known_;
    previous = previous_;
    wasStale_ = known && since != known->snapshot.revision &&
                (!previous || since != previous->snapshot.revision);
    if (wasStale_) hasListed_ = true;
  }
  if (!known)
    return {Fault::Unavailable, name() + ": no replica has put it into the shared folder yet"};
  if (since == known->snapshot.revision) return Changes{since, {}, {}, {}};
  if (previous && since == previous->snapshot.revision)
    return changesBetween(previous->snapshot, known->snapshot);
  return {Fault::Stale, name() + ": keeps no history of that"};
}

void SharedSource::Implementation::read(const CallOptions &options, Document document,
                                        std::size_t limit, Answer<std::string> answer) {
  callFolder<std::string>(
      executor_, options, name(),
      [self = shared_from_this(), options, document = std::move(document),
       limit](const Answer<std::string> &told) { self->readNow(options, document, limit, told); },
      std::move(answer));
}

void SharedSource::Implementation::readNow(const CallOptions &options, const Document &document,
                                           std::size_t limit, const Answer<std::string> &answer) {
  const std::string what = name() + ": read " + document.skill + '/' + document.path;
  std::optional<SharedObject> object;
  {
    const std::scoped_lock lock(mutex_);
    for (const ManifestPointer &manifest : {known_, previous_})
      if (const SharedObject *const found =
              manifest && !object ? objectOf(*manifest, document) : nullptr)
        object = *found;
  }
  if (!object) return answer({Fault::Stale, what + ": that revision is gone"});
  if (object->fault)
    return answer({*object->fault,
                   what + ": the replica that listed it could not read it; its log says why"});
  if (object->size > limit)
    return answer({Fault::TooLarge, what + ": larger than " + std::to_string(limit) + " bytes"});
  Result<std::string> bytes = folder_.object(object->digest, object->size);
  if (bytes || bytes.failure().fault != Fault::Corrupt) return answer(std::move(bytes));
  damaged_.add();
  log::warning("sharing", what + ": " + bytes.failure().message + "; it is fetched anew");
  if (leads()) return refetch(options, document, *object, answer);
  sharing_->tell(shared_, What::Damaged, hexadecimal(object->digest));
  answer({Fault::Unavailable, what + ": " + bytes.failure().message +
                                  "; the replica that asks this source fetches it anew"});
}

namespace {

// Several documents, of which each thread takes the next few until none is left.
class SharedBatch {
public:
  SharedBatch(std::vector<Document> documents, Source::Each each, std::function<void()> done)
      : documents_(std::move(documents)), each_(std::move(each)), done_(std::move(done)),
        settled_(documents_.size()), unsettled_(documents_.size()) {}

  const std::vector<Document> &documents() const noexcept { return documents_; }
  // The first of those to be taken next.
  std::size_t take() { return next_.fetch_add(stride); }
  // First come, first served.
  void settle(std::size_t i, Result<std::string> bytes) {
    if (settled_[i].exchange(true)) return;
    each_(i, std::move(bytes));
    if (unsettled_.fetch_sub(1) == 1) done_();
  }
  // A thread was given up: what nobody takes any more is accounted for, and so is what it had.
  void fail(const Failure &why) {
    for (std::size_t i = 0; i < documents_.size(); ++i) settle(i, why);
  }

private:
  const std::vector<Document> documents_;
  const Source::Each each_;
  const std::function<void()> done_;
  std::vector<std::atomic<bool>> settled_;
  std::atomic<std::size_t> next_{0}, unsettled_;
};

} // namespace

void SharedSource::Implementation::readEach(const CallOptions &options,
                                            std::vector<Document> documents, std::size_t limit,
                                            Each each, std::function<void()> done) {
  if (documents.empty()) return done();
  const std::size_t workers = std::clamp<std::size_t>(documents.size() / stride, 1, threads);
  const auto batch =
      std::make_shared<SharedBatch>(std::move(documents), std::move(each), std::move(done));
  const auto work = [self = shared_from_this(), batch, options, limit](const Answer<Done> &answer) {
    const std::size_t all = batch->documents().size();
    for (std::size_t begin = batch->take(); begin < all; begin = batch->take())
      for (std::size_t i = begin; i < std::min(begin + stride, all); ++i)
        self->readNow(options, batch->documents()[i], limit, [batch, i](Result<std::string> bytes) {
          batch->settle(i, std::move(bytes));
        });
    answer(Done{});
  };
  const Answer<Done> finish = [batch](const Status &status) {
    if (!status) batch->fail(status.failure());
  };
  for (std::size_t i = 0; i < workers; ++i)
    callFolder<Done>(executor_, options, name(), work, finish);
}

SharedSource::SharedSource(std::shared_ptr<SourceSharing> sharing, SharedSourceSettings settings,
                           Make make)
    : implementation_(std::make_shared<Implementation>(std::move(sharing), std::move(settings),
                                                       std::move(make))) {}
SharedSource::~SharedSource() { implementation_->end(); }
const std::string &SharedSource::name() const noexcept { return implementation_->name(); }
void SharedSource::onChanged(std::function<void()> listener) {
  implementation_->begin(std::move(listener));
}
void SharedSource::stop() { implementation_->end(); }
void SharedSource::list(CallOptions options, Answer<Snapshot> answer) {
  implementation_->list(options, std::move(answer));
}
void SharedSource::changes(CallOptions options, std::string since, Answer<Changes> answer) {
  implementation_->changes(options, std::move(since), std::move(answer));
}
void SharedSource::read(CallOptions options, Document document, std::size_t limit,
                        Answer<std::string> answer) {
  implementation_->read(options, std::move(document), limit, std::move(answer));
}
void SharedSource::readEach(CallOptions options, std::vector<Document> documents, std::size_t limit,
                            Each each, std::function<void()> done) {
  implementation_->readEach(options, std::move(documents), limit, std::move(each), std::move(done));
}
bool SharedSource::leads() const noexcept { return implementation_->leads(); }

} // namespace skillhost
