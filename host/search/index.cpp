// SPDX-License-Identifier: Apache-2.0
#include "search/index.hpp"

#include "base/log.hpp"
#include "base/utf8.hpp"
#include "changed_entries.hpp"
#include "index_work.hpp"
#include "retry.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t bodyBytes = 8192; // what a backend is told of a body
constexpr int mostStaleRuns = 5;
constexpr std::size_t firstPiece = 256; // entries
constexpr std::size_t documentBytes = 16U << 20U;
const std::string incomplete; // the revision of what is not, or not surely, in the index as wanted

struct Waiting {
  CancelToken cancel;
  std::function<void()> callback;
};

} // namespace

class Index::Implementation : public std::enable_shared_from_this<Index::Implementation> {
public:
  Implementation(std::chrono::milliseconds deadline, RetryPause pause)
      : deadline_(deadline), retry_(pause, [this] {
          if (lost_) lost_();
        }) {}

  void onLost(std::function<void()> callback) { lost_ = std::move(callback); }

  void attach(Result<std::shared_ptr<SearchBackend>> backend) {
    if (backend)
      (*backend)->onChanged([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->forget();
      });
    std::vector<Waiting> released;
    bool work = false;
    {
      const std::scoped_lock lock(mutex_);
      if (backend) {
        backend_ = *std::move(backend);
        busy_ = work = next_.has_value() && !stopped_;
        if (work) current_ = *std::exchange(next_, std::nullopt);
      } else {
        released = std::exchange(waiting_, {}); // nobody need wait for what will never be
        unavailable_ = std::move(backend).failure();
      }
    }
    release(released);
    if (work) begin();
  }

  void update(std::vector<Searchable> all, std::string generation) {
    {
      const std::scoped_lock lock(mutex_);
      if (stopped_ || unavailable_) return;
      retry_.drop();
      WantedIndex wanted{std::move(all), std::move(generation), ++asked_};
      if (busy_ || !backend_) {
        next_ = std::move(wanted);
        return;
      }
      busy_ = true;
      current_ = std::move(wanted);
    }
    begin();
  }

  void expectUpdate() {
    const std::scoped_lock lock(mutex_);
    expected_ = asked_ + 1;
  }

  void whenCommitted(const CancelToken &cancel, std::function<void()> callback) {
    {
      const std::scoped_lock lock(mutex_);
      if (ended_ < expected_ && !unavailable_ && !stopped_) {
        // Who gave up while waiting is forgotten with the next one who comes.
        std::erase_if(waiting_, [](const Waiting &one) { return one.cancel.cancelled(); });
        waiting_.push_back({cancel, std::move(callback)});
        return;
      }
    }
    callback();
  }

  void stop() {
    std::vector<Waiting> released;
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
      next_.reset();
      released = std::exchange(waiting_, {});
    }
    cancel_.cancel();
    retry_.end();
    if (const auto known = backend()) known->stop();
    release(released);
  }

  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             Answer<std::vector<SearchHit>> answer) {
    std::unique_lock lock(mutex_);
    const auto known = backend_;
    std::optional<Failure> why = unavailable_;
    if (!known && !why)
      why = Failure{Fault::Unavailable,
                    stopped_ ? "this index has ended" : "search is not ready yet"};
    if (!everCommitted_ && !why && !lastFailure_.empty())
      why = Failure{Fault::Unavailable,
                    "nothing could be indexed yet: " + lastFailure_ + "; it is tried again"};
    if (!why) changed_.queryBegins();
    const std::uint64_t begun = commits_ + (isCommitting_ ? 0 : 1);
    lock.unlock();
    if (why) return answer(*std::move(why));
    known->query(std::move(options), std::move(text), std::move(filter), limit,
                 [self = shared_from_this(), begun,
                  answer = std::move(answer)](Result<std::vector<SearchHit>> hits) {
                   self->tellRevisions(hits, begun);
                   answer(std::move(hits));
                 });
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return revisions_.size();
  }

  IndexProgress progress() const {
    const std::scoped_lock lock(mutex_);
    const std::size_t total = next_ && !busy_ ? next_->all.size() : total_;
    const std::size_t missing = next_ && !busy_ ? total : missing_;
    // That a few texts are indexed anew is no news for anybody who searches.
    const bool hardly = everWhole_ && missing * 10 <= total;
    const bool whole = everCommitted_ && (missing == 0 ? everWhole_ : hardly);
    return {everCommitted_, !lastFailure_.empty(), whole, total - missing, total};
  }

private:
  static void release(const std::vector<Waiting> &waiting) {
    for (const Waiting &one : waiting)
      if (!one.cancel.cancelled()) one.callback();
  }

  // Of the hits of a query during which the commits from number `begun` on may have run.
  void tellRevisions(Result<std::vector<SearchHit>> &hits, std::uint64_t begun) {
    const std::scoped_lock lock(mutex_);
    if (hits)
      for (SearchHit &hit : *hits)
        if (const auto held = revisions_.find(hit.id);
            held != revisions_.end() && !changed_.since(begun, hit.id))
          hit.revision = held->second;
    changed_.queryEnds(commitsEnded());
  }

  // The backend may hold anything or nothing: everything is to be put again.
  void forget() {
    {
      const std::scoped_lock lock(mutex_);
      if (stopped_) return;
      ++losses_;
      for (auto &[id, revision] : revisions_) revision = incomplete;
    }
    log::info("search", "the index was lost; it is made anew");
    if (lost_) lost_();
  }

  CallOptions options() const { return {Deadline::after(deadline_), cancel_, nullptr}; }

  std::shared_ptr<SearchBackend> backend() const {
    const std::scoped_lock lock(mutex_);
    return backend_;
  }

  using WorkPointer = std::shared_ptr<IndexWork>;
  using PiecePointer = std::shared_ptr<IndexPiece>;

  void begin() {
    const auto work = std::make_shared<IndexWork>();
    std::map<std::string, std::string> held;
    {
      const std::scoped_lock lock(mutex_);
      lossesBefore_ = losses_;
      held = revisions_;
    }
    for (Searchable &one : current_.all) {
      const std::string &revision = work->revisions[one.id] = one.revision;
      const auto known = held.find(one.id);
      if (known == held.end() || known->second != revision) work->put.push_back(std::move(one));
    }
    for (const auto &[id, revision] : held)
      if (!work->revisions.contains(id)) work->removed.push_back(id);
    current_.all.clear();
    {
      const std::scoped_lock lock(mutex_);
      total_ = work->revisions.size();
      missing_ = work->put.size();
      pieceSize_ = firstPiece;
    }
    next(work);
  }

  // Reads and commits the next piece.
  void next(const WorkPointer &work) {
    const std::size_t end = std::min(work->put.size(), work->done + pieceSize_);
    // By source: which documents to read, and for which put.
    struct Batch {
      std::shared_ptr<Source> source;
      std::vector<Document> documents;
      std::vector<std::size_t> puts, offsets;
    };
    std::map<std::string, Batch> batches;
    const auto piece = std::make_shared<IndexPiece>();
    for (std::size_t i = work->done; i < end; ++i) {
      const Searchable &one = work->put[i];
      Batch &batch = batches[one.source->name()];
      batch.source = one.source;
      batch.documents.push_back(one.document);
      batch.puts.push_back(piece->put.size());
      batch.offsets.push_back(one.bodyOffset);
      piece->put.push_back({one.id, one.revision, one.name, one.description, {}, one.attributes});
    }
    if (batches.empty()) return commit(work, *piece);
    piece->reading = batches.size();
    for (auto &[name, batch] : batches) {
      const auto each = [work, piece, puts = batch.puts,
                         offsets = batch.offsets](std::size_t i, const Result<std::string> &bytes) {
        if (!bytes) {
          // Found by its name and description for now, and put again with the next update.
          const std::scoped_lock lock(piece->mutex);
          work->revisions[piece->put[puts[i]].id] = incomplete;
          return;
        }
        if (bytes->size() <= offsets[i]) return;
        const std::string_view body = std::string_view(*bytes).substr(offsets[i]);
        piece->put[puts[i]].body = mendUtf8(cutUtf8(body, bodyBytes));
      };
      const auto done = [self = shared_from_this(), work, piece] {
        {
          const std::scoped_lock lock(piece->mutex);
          if (--piece->reading != 0) return;
        }
        self->commit(work, *piece);
      };
      batch.source->readEach(options(), std::move(batch.documents), documentBytes, each, done);
    }
  }

  std::uint64_t commitsEnded() const { return commits_ - (isCommitting_ ? 1 : 0); }

  void commit(const WorkPointer &work, IndexPiece &piece) {
    std::vector<std::string> put;
    put.reserve(piece.put.size());
    for (const SearchEntry &one : piece.put) put.push_back(one.id);
    {
      std::unordered_set<std::string> ids(put.begin(), put.end());
      if (work->done == 0) ids.insert(work->removed.begin(), work->removed.end());
      const std::scoped_lock lock(mutex_);
      isCommitting_ = true;
      changed_.updateBegins(++commits_, std::move(ids));
    }
    backend_->update(options(), std::move(piece.put),
                     work->done == 0 ? work->removed : std::vector<std::string>{},
                     current_.generation,
                     [self = shared_from_this(), work, put = std::move(put),
                      begun = std::chrono::steady_clock::now()](const Result<Done> &result) {
                       self->committed(result, work, put, begun);
                     });
  }

  void committed(const Result<Done> &result, const WorkPointer &work,
                 const std::vector<std::string> &put, std::chrono::steady_clock::time_point begun) {
    {
      const std::scoped_lock lock(mutex_);
      isCommitting_ = false;
      changed_.forget(commitsEnded());
      for (const std::string &id : put) revisions_[id] = result ? work->revisions[id] : incomplete;
    }
    if (result) {
      work->done = std::min(work->put.size(), work->done + pieceSize_);
      const std::scoped_lock lock(mutex_);
      everCommitted_ = true;
      missing_ = work->put.size() - work->done;
      // A commit costs the more the more there is already: the pieces grow while they stay far from
      // their deadline.
      if (std::chrono::steady_clock::now() - begun < deadline_ / 8) pieceSize_ *= 2;
    }
    if (result && work->done < work->put.size() && !cancel_.cancelled()) return next(work);
    finish(result, std::move(work->revisions), work->put.size(), work->removed.size());
  }

  void finish(const Result<Done> &result, std::map<std::string, std::string> revisions,
              std::size_t put, std::size_t removed) {
    if (result)
      log::debug("search", "indexed " + std::to_string(put) + ", removed " +
                               std::to_string(removed) + " of " + std::to_string(revisions.size()));
    else if (!cancel_.cancelled())
      log::error("search", "indexing failed: " + result.failure().message);
    std::vector<Waiting> released;
    bool again = false, lost = false;
    {
      const std::scoped_lock lock(mutex_);
      lastFailure_ = result ? std::string() : result.failure().message;
      ended_ = current_.number;
      everWhole_ = everWhole_ || result;
      if (ended_ >= expected_) released = std::exchange(waiting_, {});
      // Stale: the backend begins from nothing, so everything is put again, but not for ever.
      const bool stale = !result && result.failure().fault == Fault::Stale;
      staleRuns_ = stale ? staleRuns_ + 1 : 0;
      lost = stale && staleRuns_ < mostStaleRuns && !stopped_;
      if (!result || losses_ != lossesBefore_) {
        // Nothing is sure of the index now: all is put again, and what has gone is removed again.
        for (auto &[id, revision] : revisions) revision = incomplete;
        for (const auto &[id, revision] : revisions_) revisions.emplace(id, incomplete);
      }
      const bool whole = std::all_of(revisions.begin(), revisions.end(),
                                     [](const auto &one) { return one.second != incomplete; });
      revisions_ = std::move(revisions);
      again = next_ && !stopped_;
      if (again)
        current_ = *std::exchange(next_, std::nullopt);
      else
        busy_ = false;
      // Under the lock, so that a newer update drops it.
      if (result && whole)
        retry_.reset();
      else if (!again && !lost && !stopped_)
        retry_.arrange();
    }
    release(released);
    if (again)
      begin();
    else if (lost && lost_)
      lost_();
  }

  const std::chrono::milliseconds deadline_;
  const CancelToken cancel_;
  std::function<void()> lost_;
  mutable std::mutex mutex_;
  std::shared_ptr<SearchBackend> backend_; // set once
  std::optional<Failure> unavailable_;     // why there is no backend
  bool busy_ = false, stopped_ = false, everCommitted_ = false;
  bool everWhole_ = false;              // an update has ended well
  std::size_t total_ = 0, missing_ = 0; // of the update that runs, or ran last
  std::string lastFailure_;             // of the last update; empty: it went well
  std::optional<WantedIndex> next_;
  std::uint64_t asked_ = 0, ended_ = 0; // numbers of updates
  std::uint64_t expected_ = 1;          // whenCommitted() waits until this one, or a later, ended
  std::vector<Waiting> waiting_;
  // Owned by the update that runs (busy_); written under the lock.
  WantedIndex current_;
  std::map<std::string, std::string> revisions_; // what the index holds
  ChangedEntries changed_;
  std::uint64_t commits_ = 0;                   // begun
  bool isCommitting_ = false;                   // the last of them
  std::size_t pieceSize_ = firstPiece;          // of the next piece
  int staleRuns_ = 0;                           // updates in a row that ended so
  std::uint64_t losses_ = 0, lossesBefore_ = 0; // by now; when the update that runs began
  Retry retry_;                                 // ended by stop()
};

Index::Index(std::chrono::milliseconds deadline, RetryPause pause)
    : implementation_(std::make_shared<Implementation>(deadline, pause)) {}
void Index::onLost(std::function<void()> callback) { implementation_->onLost(std::move(callback)); }
Index::~Index() { stop(); }
void Index::stop() { implementation_->stop(); }
void Index::attach(Result<std::shared_ptr<SearchBackend>> backend) {
  implementation_->attach(std::move(backend));
}
void Index::update(std::vector<Searchable> all, std::string generation) {
  implementation_->update(std::move(all), std::move(generation));
}
void Index::expectUpdate() { implementation_->expectUpdate(); }
void Index::whenCommitted(const CancelToken &cancel, std::function<void()> callback) {
  implementation_->whenCommitted(cancel, std::move(callback));
}
void Index::query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
                  Answer<std::vector<SearchHit>> answer) {
  implementation_->query(std::move(options), std::move(text), std::move(filter), limit,
                         std::move(answer));
}
std::size_t Index::size() const { return implementation_->size(); }
IndexProgress Index::progress() const { return implementation_->progress(); }

} // namespace skillhost
