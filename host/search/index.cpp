// SPDX-License-Identifier: Apache-2.0
#include "search/index.hpp"
#include "ground/bind_weak.hpp"

#include "base/log.hpp"
#include "changed_entries.hpp"
#include "ground/process.hpp"
#include "ground/retry.hpp"
#include "index_work.hpp"
#include "piece_pace.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

namespace skillhost {
namespace {

constexpr int maxStaleRuns = 5; // updates in a row that failed as Stale

} // namespace

class Index::Implementation : public std::enable_shared_from_this<Index::Implementation> {
public:
  Implementation(std::chrono::milliseconds deadline, BackOffRules retries, SearchFloorPointer floor)
      : deadline_(deadline), floor_(std::move(floor)), pace_(deadline / 8), retry_(retries, [this] {
          if (onLost_) onLost_();
        }) {}

  void onLost(std::function<void()> callback) { onLost_ = std::move(callback); }

  void attach(Result<std::shared_ptr<SearchBackend>> backend) {
    if (backend) (*backend)->onChanged(bindWeak(this, &Implementation::onBackendLost));
    std::vector<CommitWaiter> released;
    bool mustAsk = false;
    {
      const std::scoped_lock lock(mutex_);
      if (backend) {
        backend_ = *std::move(backend);
        busy_ = mustAsk = !stopped_;
      } else {
        released = std::exchange(waiting_, {}); // nothing will ever be committed
        unavailable_ = std::move(backend).failure();
      }
    }
    callWaiting(released);
    if (mustAsk) askWhatBackendHolds();
  }

  void update(SearchableEntries all, std::string generation) {
    {
      const std::scoped_lock lock(mutex_);
      if (stopped_ || unavailable_) return;
      retry_.drop();
      next_ = WantedIndex{std::move(all), std::move(generation), ++lastRequestedUpdate_};
      if (busy_ || !backend_) return;
      busy_ = true;
    }
    runWaitingUpdate();
  }

  void expectUpdate() {
    const std::scoped_lock lock(mutex_);
    awaitedUpdate_ = lastRequestedUpdate_ + 1;
  }

  void whenCommitted(const CancelToken &cancel, std::function<void()> callback) {
    {
      const std::scoped_lock lock(mutex_);
      if (lastEndedUpdate_ < awaitedUpdate_ && !unavailable_ && !stopped_) {
        // Callbacks whose callers gave up are removed when the next one is added.
        std::erase_if(waiting_, [](const CommitWaiter &one) { return one.cancel.cancelled(); });
        waiting_.push_back({cancel, std::move(callback)});
        return;
      }
    }
    callback();
  }

  void stop() {
    std::vector<CommitWaiter> released;
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
      next_.reset();
      released = std::exchange(waiting_, {});
    }
    cancel_.cancel();
    retry_.end();
    if (const auto known = backend()) known->stop();
    callWaiting(released);
  }

  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             ResultCallback<std::vector<SearchHit>> answer) {
    std::unique_lock lock(mutex_);
    const auto known = backend_;
    std::optional<Failure> why = unavailable_;
    if (!known && !why)
      why = Failure{Fault::Unavailable,
                    stopped_ ? "the search is stopping" : "search is not ready yet"};
    if (!hasCommitted_ && !why && !lastFailure_.empty())
      why = Failure{Fault::Unavailable,
                    "nothing could be indexed yet: " + lastFailure_ + "; the server tries again"};
    if (!why) changed_.queryBegins();
    const std::uint64_t firstCommit = commits_ + (isCommitting_ ? 0 : 1);
    const std::size_t entries = revisions_.size();
    lock.unlock();
    if (why) return answer(*std::move(why));
    known->query(std::move(options), std::move(text), std::move(filter), limit,
                 [self = shared_from_this(), firstCommit,
                  limits = floor_->of(known->hasCalibratedScores(), entries),
                  answer = std::move(answer)](Result<std::vector<SearchHit>> hits) {
                   if (hits) dropBelow(limits, *hits);
                   self->setRevisions(hits, firstCommit);
                   answer(std::move(hits));
                 });
  }

  std::shared_ptr<SearchBackend> backend() const {
    const std::scoped_lock lock(mutex_);
    return backend_;
  }

  double fittingScore() const {
    const std::scoped_lock lock(mutex_);
    return floor_->fitting(backend_ && backend_->hasCalibratedScores());
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return revisions_.size();
  }

  IndexProgress progress() const {
    const std::scoped_lock lock(mutex_);
    const bool waits = next_ && (!busy_ || isAskingBackend_);
    const std::size_t total = waits ? next_->all.keys.size() : total_;
    const std::size_t missing = waits ? total : missing_;
    // An index that was complete counts as complete while at most a tenth of its entries is indexed
    // again.
    const bool isNearComplete = hasCompletedUpdate_ && missing * 10 <= total;
    const bool isComplete = hasCommitted_ && (missing == 0 ? hasCompletedUpdate_ : isNearComplete);
    return {hasCommitted_, !lastFailure_.empty(), isComplete, total - missing, total};
  }

private:
  // Sets the revisions in the hits of a query. The commits from number `firstCommit` on may have
  // run during the query, so a hit on an entry that they change gets no revision.
  void setRevisions(Result<std::vector<SearchHit>> &hits, std::uint64_t firstCommit) {
    const std::scoped_lock lock(mutex_);
    if (hits && !mustAskBackend_ && !isAskingBackend_)
      for (SearchHit &hit : *hits)
        if (const auto held = revisions_.find(hit.id);
            held != revisions_.end() && !changed_.since(firstCommit, hit.id))
          hit.revision = held->second;
    changed_.queryEnds(commitsEnded());
  }

  // Called when the backend reports that it may have lost entries.
  void onBackendLost() {
    {
      const std::scoped_lock lock(mutex_);
      if (stopped_) return;
      mustAskBackend_ = true;
    }
    log::info("search", "the index may be lost; the server indexes the missing skills again");
    if (onLost_) onLost_();
  }

  CallOptions options() const { return {Deadline::after(deadline_), cancel_, nullptr}; }

  using WorkPointer = std::shared_ptr<IndexWork>;
  using PiecePointer = std::shared_ptr<IndexPiece>;
  using Held = std::optional<std::vector<HeldEntry>>;

  // Asks the backend what it holds, then runs the update in `next_`. The caller has set `busy_`.
  void askWhatBackendHolds() {
    {
      const std::scoped_lock lock(mutex_);
      mustAskBackend_ = false; // a loss that is reported from now on counts
      isAskingBackend_ = true;
    }
    orFail([this] {
      backend_->held(options(), [self = shared_from_this()](const Result<Held> &held) {
        self->orFail([&] { self->onHeld(held); });
      });
    });
  }

  // Runs a part of an update. If it throws, which it does for want of memory, the update has failed
  // and is tried again later.
  template <class Body> void orFail(const Body &body) noexcept {
    try {
      return body();
    } catch (const std::exception &why) {
      log::failure("search", {"the index could not be updated"}, why);
    }
    const std::scoped_lock lock(mutex_);
    busy_ = isAskingBackend_ = isCommitting_ = false;
    mustAskBackend_ = true;
    lastFailure_ = "no memory"; // short enough to need none
    try {
      if (!stopped_) retry_.schedule();
    } catch (const std::exception &) {
      return; // the next change of the catalogue tries again
    }
  }

  void onHeld(const Result<Held> &held) {
    if (!held && !cancel_.cancelled())
      log::warning("search", "the content of the index is unknown, so it is built again: " +
                                 held.failure().message);
    {
      const std::scoped_lock lock(mutex_);
      isAskingBackend_ = false;
      if (held && *held) {
        revisions_.clear();
        for (const HeldEntry &entry : **held) revisions_[entry.id] = entry.revision;
        // Entries of a failed update may still be in the backend, and would become visible with the
        // next commit, so they are put again.
        for (const std::string &id : idsOfFailedUpdates_) revisions_[id] = incomplete;
        hasCommitted_ = hasCompletedUpdate_ = true;
        total_ = revisions_.size();
        missing_ = 0;
        log::debug("search", "the index still holds " + std::to_string(total_) + " from before");
      } else {
        // The contents are unknown: put all entries again, and remove again those that are gone.
        for (auto &[id, revision] : revisions_) revision = incomplete;
      }
      busy_ = next_ && !stopped_;
      if (!busy_) return;
    }
    startUpdate();
  }

  // Runs the update in `next_`. The caller has set `busy_`.
  void runWaitingUpdate() {
    bool mustAsk = false;
    {
      const std::scoped_lock lock(mutex_);
      mustAsk = mustAskBackend_;
    }
    mustAsk ? askWhatBackendHolds() : startUpdate();
  }

  void startUpdate() {
    orFail([this] { startUpdateNow(); });
  }

  void startUpdateNow() {
    const auto work = std::make_shared<IndexWork>();
    {
      const std::scoped_lock lock(mutex_);
      busy_ = next_.has_value();
      if (!busy_) return; // stopped meanwhile
      work->wanted = *std::exchange(next_, std::nullopt);
    }
    // Only the running update changes revisions_, so it reads them without the lock.
    compare(revisions_, *work);
    hasSeenAllEntries_ = hasSeenAllEntries_ || work->wanted.all.isComplete;
    if (!hasSeenAllEntries_) work->removed.clear();
    {
      const std::scoped_lock lock(mutex_);
      total_ = work->wanted.all.keys.size();
      missing_ = work->put.size();
    }
    pace_.updateBegins();
    processNextPiece(work);
  }

  // Reads and commits the next piece.
  void processNextPiece(const WorkPointer &work) {
    readPiece(options(), work, pace_.entries(),
              [self = shared_from_this(), work](const PiecePointer &piece) {
                self->orFail([&] { self->commit(work, piece); });
              });
  }

  std::uint64_t commitsEnded() const { return commits_ - (isCommitting_ ? 1 : 0); }

  void commit(const WorkPointer &work, const PiecePointer &piece) {
    PutRevisions put;
    put.reserve(piece->put.size());
    for (const SearchEntry &one : piece->put) put.emplace_back(one.id, one.revision);
    {
      std::unordered_set<std::string> ids;
      for (const auto &[id, revision] : put) ids.insert(id);
      if (work->done == 0) ids.insert(work->removed.begin(), work->removed.end());
      const std::scoped_lock lock(mutex_);
      isCommitting_ = true;
      changed_.updateBegins(++commits_, std::move(ids));
    }
    const auto answer = [self = shared_from_this(), work, put = std::move(put),
                         pieceBegun = piece->begun,
                         commitBegun = IndexPiece::Clock::now()](const Result<Done> &result) {
      self->orFail([&] {
        const auto now = IndexPiece::Clock::now();
        self->committed(result, work, put);
        if (!result || work->done >= work->put.size() || self->cancel_.cancelled())
          return self->finish(result, *work);
        self->pace_.pieceDone(now - pieceBegun, now - commitBegun);
        self->processNextPiece(work);
      });
    };
    backend_->update(options(), std::move(piece->put),
                     work->done == 0 ? work->removed : std::vector<std::string>{},
                     work->wanted.generation, answer);
  }

  void committed(const Result<Done> &result, const WorkPointer &work, const PutRevisions &put) {
    const std::scoped_lock lock(mutex_);
    isCommitting_ = false;
    changed_.forget(commitsEnded());
    for (const auto &[id, revision] : put) revisions_[id] = result ? revision : incomplete;
    if (!result) {
      for (const auto &[id, revision] : put) idsOfFailedUpdates_.insert(id);
      if (work->done == 0) idsOfFailedUpdates_.insert(work->removed.begin(), work->removed.end());
      return;
    }
    if (work->done == 0)
      for (const std::string &id : work->removed) revisions_.erase(id);
    work->done += put.size();
    hasCommitted_ = true;
    missing_ = work->put.size() - work->done;
  }

  void finish(const Result<Done> &result, const IndexWork &work) {
    if (result)
      log::debug("search", "indexed " + std::to_string(work.put.size()) + ", removed " +
                               std::to_string(work.removed.size()) + " of " +
                               std::to_string(work.wanted.all.keys.size()));
    else if (!cancel_.cancelled())
      log::error("search", "indexing failed: " + result.failure().message);
    std::vector<CommitWaiter> released;
    bool again = false, mustReload = false;
    {
      const std::scoped_lock lock(mutex_);
      lastFailure_ = result ? std::string() : result.failure().message;
      lastEndedUpdate_ = work.wanted.number;
      hasCompletedUpdate_ = hasCompletedUpdate_ || result;
      if (lastEndedUpdate_ >= awaitedUpdate_) released = std::exchange(waiting_, {});
      // After Stale the backend begins empty, so the owner gives all entries again, but only a
      // limited number of times in a row.
      const bool stale = !result && result.failure().fault == Fault::Stale;
      staleRuns_ = stale ? staleRuns_ + 1 : 0;
      mustReload = stale && staleRuns_ < maxStaleRuns && !stopped_;
      if (result)
        idsOfFailedUpdates_.clear();
      else
        mustAskBackend_ = true; // the backend is asked again what it holds
      again = next_ && !stopped_;
      busy_ = again;
      // Under the lock, so that a newer update can drop this retry.
      if (!mustAskBackend_ && work.unread == 0)
        retry_.reset();
      else if (!again && !mustReload && !stopped_)
        retry_.schedule();
    }
    if (work.put.size() >= minItemsToGiveBack) giveBackMemory();
    callWaiting(released);
    if (again)
      runWaitingUpdate();
    else if (mustReload && onLost_)
      onLost_();
  }

  const std::chrono::milliseconds deadline_;
  const SearchFloorPointer floor_;
  const CancelToken cancel_;
  std::function<void()> onLost_;
  mutable std::mutex mutex_;
  std::shared_ptr<SearchBackend> backend_; // set once
  std::optional<Failure> unavailable_;     // why there is no backend
  // busy_: an update runs, or the backend is being asked what it holds.
  bool busy_ = false, stopped_ = false, hasCommitted_ = false;
  bool hasCompletedUpdate_ = false;     // an update succeeded, in this run or an earlier one
  std::size_t total_ = 0, missing_ = 0; // entries of the running or last update
  std::string lastFailure_;             // failure of the last update; empty if it succeeded
  std::optional<WantedIndex> next_;
  std::uint64_t lastRequestedUpdate_ = 0, lastEndedUpdate_ = 0; // numbers of updates
  std::uint64_t awaitedUpdate_ = 1; // whenCommitted() waits for this update or a later one
  std::vector<CommitWaiter> waiting_;
  // The revisions that the index holds. Only the running update writes them, under the lock, and it
  // may read them without the lock.
  HeldRevisions revisions_;
  std::unordered_set<std::string> idsOfFailedUpdates_; // entries that failed updates changed
  bool mustAskBackend_ = true;                         // the backend must be asked what it holds
  bool isAskingBackend_ = false, hasSeenAllEntries_ = false; // asking it; an update had all entries
  ChangedEntries changed_;
  std::uint64_t commits_ = 0; // commits that began
  bool isCommitting_ = false; // the last of them runs
  PiecePace pace_;            // only the running update uses it
  int staleRuns_ = 0;         // updates in a row that failed as Stale
  Retry retry_;               // ended by stop()
};

Index::Index(std::chrono::milliseconds deadline, BackOffRules retries, SearchFloorPointer floor)
    : implementation_(std::make_shared<Implementation>(deadline, retries, std::move(floor))) {}
void Index::onLost(std::function<void()> callback) { implementation_->onLost(std::move(callback)); }
Index::~Index() { stop(); }
void Index::stop() { implementation_->stop(); }
void Index::attach(Result<std::shared_ptr<SearchBackend>> backend) {
  implementation_->attach(std::move(backend));
}
void Index::update(SearchableEntries all, std::string generation) {
  implementation_->update(std::move(all), std::move(generation));
}
void Index::expectUpdate() { implementation_->expectUpdate(); }
void Index::whenCommitted(const CancelToken &cancel, std::function<void()> callback) {
  implementation_->whenCommitted(cancel, std::move(callback));
}
void Index::query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
                  ResultCallback<std::vector<SearchHit>> answer) {
  implementation_->query(std::move(options), std::move(text), std::move(filter), limit,
                         std::move(answer));
}
std::shared_ptr<SearchBackend> Index::backend() const { return implementation_->backend(); }
double Index::fittingScore() const { return implementation_->fittingScore(); }
std::size_t Index::size() const { return implementation_->size(); }
IndexProgress Index::progress() const { return implementation_->progress(); }

} // namespace skillhost
