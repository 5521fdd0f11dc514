// SPDX-License-Identifier: Apache-2.0
#include "lent_upstream.hpp"

#include "ground/json.hpp"
#include "handlers/call_status.hpp"
#include "sinks.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <tuple>

namespace skillhost {
namespace {

template <auto method> using UpstreamFunction = TableFunction<method, SKH_FAILED>;

constexpr std::size_t maxDocumentBytes = 64U << 20U;
// Documents that are read at once, and their bytes. A larger document than maxBytesOfSeveral is
// read alone, so that a batch holds no more even if the lengths are unknown.
constexpr std::size_t maxBatchDocuments = 64;
constexpr std::uint64_t maxUpstreamBatchBytes = 16U << 20U;
constexpr std::size_t maxBytesOfSeveral = 1U << 20U;
// A waiting thread checks at this interval whether its call is still wanted, because no event wakes
// it.
constexpr std::chrono::milliseconds lookInterval{10};
constexpr std::chrono::milliseconds timeForFilter{500};

// Returns the options for the upstream, which is cancelled separately. It ends a little before the
// call of the filter, so that a slow upstream does not make the filter late.
CallOptions optionsFor(const CallOptions &filter) {
  CallOptions options = filter;
  options.cancel = {};
  options.onAnswerLost = {};
  const Deadline &end = filter.deadline;
  if (end.isNever() || end.passed()) return options;
  const auto left = end.at() - Deadline::Clock::now();
  options.deadline =
      Deadline::at(end.at() - std::min<Deadline::Clock::duration>(timeForFilter, left / 4));
  return options;
}

auto placeOf(const Document &document) { return std::tie(document.skill, document.path); }

bool comesBefore(const Document &a, const Document &b) { return placeOf(a) < placeOf(b); }

skh_status handDocuments(const std::vector<Document> &documents, std::uint32_t more,
                         const skh_documents &out) {
  for (const Document &document : documents) {
    skh_document raw = borrow(document);
    raw.flags |= more;
    if (const skh_status status = out.add(&out, &raw); status != SKH_OK) return status;
  }
  return SKH_OK;
}

Snapshot snapshotAfter(const Snapshot &before, const Changes &changes) {
  Snapshot after{changes.revision, {}, changes.facts, {}};
  std::vector<Document> others = changes.added; // of before, they are no longer there
  others.insert(others.end(), changes.removed.begin(), changes.removed.end());
  std::sort(others.begin(), others.end(), &comesBefore);
  const auto isOther = [&](const Document &document) {
    return std::binary_search(others.begin(), others.end(), document, &comesBefore);
  };
  std::remove_copy_if(before.documents.begin(), before.documents.end(),
                      std::back_inserter(after.documents), isOther);
  const auto middle =
      after.documents.insert(after.documents.end(), changes.added.begin(), changes.added.end());
  std::inplace_merge(after.documents.begin(), middle, after.documents.end(), &comesBefore);
  return after;
}

std::string textOf(const std::map<std::string, std::string> &facts) {
  std::string text = "{";
  for (const auto &[skill, object] : facts)
    text += (text.size() > 1 ? "," : "") + Json(skill).dump() + ':' + object;
  return text + '}';
}

} // namespace

LentUpstream::LentUpstream(std::shared_ptr<Source> source)
    : source_(std::move(source)), raw_({sizeof(skh_upstream), 0, borrow(source_->name()),
                                        &UpstreamFunction<&LentUpstream::list>::call,
                                        &UpstreamFunction<&LentUpstream::changes>::call,
                                        &UpstreamFunction<&LentUpstream::read>::call,
                                        &UpstreamFunction<&LentUpstream::readEach>::call,
                                        &UpstreamFunction<&LentUpstream::facts>::call},
                                       this) {}

LentUpstream::Admission::Admission(LentUpstream *to, const CallFrame &frame,
                                   const CallOptions &options)
    : to_(to), call_(frame.raw()) {
  if (to_ == nullptr) return;
  auto caller = std::make_shared<const Caller>(Caller{options});
  to_->callers_.with([&](auto &all) { all[call_] = std::move(caller); });
}

LentUpstream::Admission::~Admission() {
  if (to_ == nullptr) return;
  to_->callers_.with([&](auto &all) {
    const auto found = all.find(call_);
    if (found == all.end()) return;
    found->second->ended.cancel();
    all.erase(found);
  });
}

LentUpstream::CallerPointer LentUpstream::callerOf(const skh_call *call) const {
  return callers_.with([call](const auto &all) {
    const auto found = all.find(call);
    return found == all.end() ? nullptr : found->second;
  });
}

skh_status LentUpstream::failed(const skh_call *call, const Failure &why) const {
  // The lock keeps the call from ending meanwhile.
  callers_.with([&](const auto &all) {
    if (all.contains(call)) call->fail(call, borrow(why.message));
  });
  return statusOf(why.fault);
}

template <class T, class Ask>
std::optional<Result<T>> LentUpstream::answerFor(const Caller &caller, const Ask &ask) const {
  CallOptions options = optionsFor(caller.options);
  const CancelToken cancel = options.cancel;
  const auto promise = std::make_shared<std::promise<Result<T>>>();
  std::future<Result<T>> answer = promise->get_future();
  ask(std::move(options), [promise](Result<T> result) { promise->set_value(std::move(result)); });
  while (answer.wait_for(lookInterval) != std::future_status::ready) {
    if (!caller.isUnwanted()) continue;
    cancel.cancel();
    return std::nullopt;
  }
  return answer.get();
}

skh_status LentUpstream::list(const skh_call *call, const skh_documents *out) {
  const CallerPointer caller = callerOf(call);
  if (!caller) return SKH_INVALID;
  auto answer = answerFor<Snapshot>(*caller, [this](CallOptions options, auto receive) {
    source_->list(std::move(options), std::move(receive));
  });
  if (!answer) return SKH_CANCELLED;
  if (!*answer) return failed(call, answer->failure());
  const auto listed = std::make_shared<const Snapshot>(**std::move(answer));
  listed_.with([&](auto &current) { current = listed; });
  if (const skh_status status = handDocuments(listed->documents, 0, *out); status != SKH_OK)
    return status;
  return out->done(out, borrow(listed->revision));
}

skh_status LentUpstream::changes(const skh_call *call, skh_str since, const skh_documents *out) {
  const CallerPointer caller = callerOf(call);
  if (!caller) return SKH_INVALID;
  const auto before = listed_.copy();
  if (!before || before->revision != view(since))
    return failed(call, {Fault::Stale, source_->name() + ": has not named that snapshot last"});
  auto answer = answerFor<Changes>(*caller, [&](CallOptions options, auto receive) {
    source_->changes(std::move(options), before->revision, std::move(receive));
  });
  if (!answer) return SKH_CANCELLED;
  if (!*answer) return failed(call, answer->failure());
  const Changes &changes = **answer;
  if (changes.revision == before->revision) return out->done(out, since);
  const auto after = std::make_shared<const Snapshot>(snapshotAfter(*before, changes));
  listed_.with([&](auto &current) { current = after; });
  if (const skh_status status = handDocuments(changes.added, 0, *out); status != SKH_OK)
    return status;
  if (const skh_status status = handDocuments(changes.removed, SKH_DOC_REMOVED, *out);
      status != SKH_OK)
    return status;
  return out->done(out, borrow(changes.revision));
}

Result<Document> LentUpstream::listed(const skh_document &which) const {
  Document wanted;
  wanted.skill = view(which.skill);
  wanted.path = view(which.path);
  const auto snapshot = listed_.copy();
  if (!snapshot) return {Fault::Stale, source_->name() + ": has not been listed yet"};
  const auto found = std::lower_bound(snapshot->documents.begin(), snapshot->documents.end(),
                                      wanted, &comesBefore);
  if (found == snapshot->documents.end() || placeOf(*found) != placeOf(wanted))
    return {Fault::NotFound, source_->name() + ": has not listed that document"};
  if (found->revision != view(which.revision))
    return {Fault::Stale, source_->name() + ": the document has another revision"};
  return *found;
}

skh_status LentUpstream::read(const skh_call *call, const skh_document *which,
                              const skh_bytes *out) {
  const CallerPointer caller = callerOf(call);
  if (!caller) return SKH_INVALID;
  const Result<Document> document = listed(*which);
  if (!document) return failed(call, document.failure());
  const auto answer = answerFor<std::string>(*caller, [&](CallOptions options, auto receive) {
    source_->read(std::move(options), *document, maxDocumentBytes, std::move(receive));
  });
  if (!answer) return SKH_CANCELLED;
  if (!*answer) return failed(call, answer->failure());
  return out->write(out, (*answer)->data(), (*answer)->size());
}

skh_status LentUpstream::readBatch(const Caller &caller, std::span<const Wanted> wanted,
                                   std::size_t limit, const skh_readings &out,
                                   std::vector<Wanted> &larger) const {
  struct Arrived {
    std::mutex mutex;
    std::condition_variable more;
    std::deque<std::pair<std::size_t, Result<std::string>>> outcomes;
    bool isDone = false;
  };
  const auto arrived = std::make_shared<Arrived>();
  std::vector<Document> documents;
  documents.reserve(wanted.size());
  for (const auto &[index, document] : wanted) documents.push_back(document);
  CallOptions options = optionsFor(caller.options);
  const CancelToken cancel = options.cancel;
  source_->readEach(
      std::move(options), std::move(documents), limit,
      [arrived](std::size_t i, Result<std::string> bytes) {
        const std::scoped_lock lock(arrived->mutex);
        arrived->outcomes.emplace_back(i, std::move(bytes));
        arrived->more.notify_one();
      },
      [arrived] {
        const std::scoped_lock lock(arrived->mutex);
        arrived->isDone = true;
        arrived->more.notify_one();
      });
  for (std::unique_lock lock(arrived->mutex);;) {
    if (caller.isUnwanted()) {
      cancel.cancel();
      return SKH_CANCELLED;
    }
    if (arrived->outcomes.empty()) {
      if (arrived->isDone) return SKH_OK;
      arrived->more.wait_for(lock, lookInterval);
      continue;
    }
    const auto [i, bytes] = std::move(arrived->outcomes.front());
    arrived->outcomes.pop_front();
    lock.unlock();
    skh_status status = SKH_OK;
    if (!bytes && bytes.failure().fault == Fault::TooLarge && limit < maxDocumentBytes)
      larger.push_back(wanted[i]);
    else
      status = out.add(&out, wanted[i].first, bytes ? SKH_OK : statusOf(bytes.failure().fault),
                       borrow(bytes ? *bytes : bytes.failure().message));
    if (status != SKH_OK) {
      cancel.cancel();
      return status;
    }
    lock.lock();
  }
}

skh_status LentUpstream::readEach(const skh_call *call, const skh_document *const *which,
                                  size_t count, const skh_readings *out) {
  const CallerPointer caller = callerOf(call);
  if (!caller) return SKH_INVALID;
  const std::span all(which, count);
  std::vector<Wanted> batch, larger;
  std::uint64_t bytes = 0; // of the batch
  skh_status status = SKH_OK;
  for (std::size_t i = 0; i < all.size() && status == SKH_OK; ++i) {
    Result<Document> document = listed(*all[i]);
    if (!document) {
      const Failure &why = document.failure();
      status = out->add(out, i, statusOf(why.fault), borrow(why.message));
      continue;
    }
    const bool isKnown = document->length != UINT64_MAX;
    const std::uint64_t length = isKnown ? document->length : maxBytesOfSeveral;
    const bool isLarge = length > maxBytesOfSeveral;
    (isLarge ? larger : batch).emplace_back(i, *std::move(document));
    bytes += isLarge ? 0 : length;
    if (batch.size() < maxBatchDocuments && bytes + maxBytesOfSeveral <= maxUpstreamBatchBytes)
      continue;
    status = readBatch(*caller, std::exchange(batch, {}), maxBytesOfSeveral, *out, larger);
    bytes = 0;
  }
  if (status == SKH_OK && !batch.empty())
    status = readBatch(*caller, batch, maxBytesOfSeveral, *out, larger);
  for (const Wanted &one : std::exchange(larger, {}))
    if (status == SKH_OK) status = readBatch(*caller, {&one, 1}, maxDocumentBytes, *out, larger);
  return status;
}

skh_status LentUpstream::facts(const skh_call *call, skh_str snapshot, const skh_bytes *out) {
  if (!callerOf(call)) return SKH_INVALID;
  const auto listed = listed_.copy();
  if (!listed || listed->revision != view(snapshot))
    return failed(call, {Fault::Stale, source_->name() + ": has not named that snapshot last"});
  const std::string text = textOf(listed->facts);
  return out->write(out, text.data(), text.size());
}

} // namespace skillhost
