// SPDX-License-Identifier: Apache-2.0
#include "search/index.hpp"

#include "base/log.hpp"
#include "base/utf8.hpp"
#include "retry.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t bodyBytes = 8192; // what a backend is told of a body
constexpr int mostStaleRuns = 5;
constexpr std::size_t documentBytes = 16U << 20U;
const std::string incomplete; // the revision of what is not, or not surely, in the index as wanted

struct Wanted {
  std::vector<Searchable> all;
  std::string generation;
  std::uint64_t number = 0; // of all updates asked for, from 1 on
};

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
      Wanted wanted{std::move(all), std::move(generation), ++asked_};
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
      if (ended_ < expected_ && !unavailable_) {
        // Who gave up while waiting is forgotten with the next one who comes.
        std::erase_if(waiting_, [](const Waiting &one) { return one.cancel.cancelled(); });
        waiting_.push_back({cancel, std::move(callback)});
        return;
      }
    }
    callback();
  }

  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
      next_.reset();
    }
    cancel_.cancel();
    retry_.end();
    if (const auto known = backend()) known->stop();
  }

  void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
             Answer<std::vector<SearchHit>> answer) const {
    std::unique_lock lock(mutex_);
    const auto known = backend_;
    std::optional<Failure> why = unavailable_;
    if (!known && !why) why = Failure{Fault::Unavailable, "search is not ready yet"};
    if (!everCommitted_ && !why && !lastFailure_.empty())
      why = Failure{Fault::Unavailable,
                    "nothing could be indexed yet: " + lastFailure_ + "; it is tried again"};
    lock.unlock();
    if (why) return answer(*std::move(why));
    known->query(std::move(options), std::move(text), std::move(filter), limit, std::move(answer));
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return revisions_.size();
  }

private:
  static void release(const std::vector<Waiting> &waiting) {
    for (const Waiting &one : waiting)
      if (!one.cancel.cancelled()) one.callback();
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

  // What one update has to do, gathered while the bodies are read.
  struct Work {
    std::vector<SearchEntry> put;
    std::vector<std::string> removed;
    std::map<std::string, std::string> revisions;
    std::size_t reading = 0; // sources that have not answered
    std::mutex mutex;
  };

  void begin() {
    auto work = std::make_shared<Work>();
    std::map<std::string, std::string> held;
    {
      const std::scoped_lock lock(mutex_);
      lossesBefore_ = losses_;
      held = revisions_;
    }
    // By source: which documents to read, and for which put.
    struct Batch {
      std::shared_ptr<Source> source;
      std::vector<Document> documents;
      std::vector<std::size_t> puts, offsets;
    };
    std::map<std::string, Batch> batches;
    for (const Searchable &one : current_.all) {
      work->revisions[one.id] = one.revision;
      if (const auto known = held.find(one.id);
          known != held.end() && known->second == one.revision)
        continue;
      Batch &batch = batches[one.source->name()];
      batch.source = one.source;
      batch.documents.push_back(one.document);
      batch.puts.push_back(work->put.size());
      batch.offsets.push_back(one.bodyOffset);
      work->put.push_back({one.id, one.revision, one.name, one.description, {}, one.attributes});
    }
    for (const auto &[id, revision] : held)
      if (!work->revisions.contains(id)) work->removed.push_back(id);
    current_.all.clear();
    if (batches.empty()) {
      commit(*work);
      return;
    }
    work->reading = batches.size();
    for (auto &[name, batch] : batches) {
      const auto each = [work, puts = batch.puts,
                         offsets = batch.offsets](std::size_t i, const Result<std::string> &bytes) {
        if (!bytes) {
          // Found by its name and description for now, and put again with the next update.
          const std::scoped_lock lock(work->mutex);
          work->revisions[work->put[puts[i]].id] = incomplete;
          return;
        }
        if (bytes->size() <= offsets[i]) return;
        const std::string_view body = std::string_view(*bytes).substr(offsets[i]);
        work->put[puts[i]].body = mendUtf8(cutUtf8(body, bodyBytes));
      };
      const auto done = [self = shared_from_this(), work] {
        {
          const std::scoped_lock lock(work->mutex);
          if (--work->reading != 0) return;
        }
        self->commit(*work);
      };
      batch.source->readEach(options(), std::move(batch.documents), documentBytes, each, done);
    }
  }

  void commit(Work &work) {
    const std::size_t put = work.put.size(), removed = work.removed.size();
    backend_->update(options(), std::move(work.put), std::move(work.removed), current_.generation,
                     [self = shared_from_this(), revisions = std::move(work.revisions), put,
                      removed](const Result<Done> &result) mutable {
                       self->finish(result, std::move(revisions), put, removed);
                     });
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
      everCommitted_ = everCommitted_ || result;
      lastFailure_ = result ? std::string() : result.failure().message;
      ended_ = current_.number;
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
  std::string lastFailure_; // of the last update; empty: it went well
  std::optional<Wanted> next_;
  std::uint64_t asked_ = 0, ended_ = 0; // numbers of updates
  std::uint64_t expected_ = 1;          // whenCommitted() waits until this one, or a later, ended
  std::vector<Waiting> waiting_;
  // Owned by the update that runs (busy_); written under the lock.
  Wanted current_;
  std::map<std::string, std::string> revisions_; // what the index holds
  int staleRuns_ = 0;                            // updates in a row that ended so
  std::uint64_t losses_ = 0, lossesBefore_ = 0;  // by now; when the update that runs began
  Retry retry_;                                  // ended by stop()
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

} // namespace skillhost
