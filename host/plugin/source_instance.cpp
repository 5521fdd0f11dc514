// SPDX-License-Identifier: Apache-2.0
#include "source_instance.hpp"

#include "base/log.hpp"
#include "sinks.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>

namespace skillhost {
namespace {

auto place(const Document &document) { return std::tie(document.skill, document.path); }

void sortOnce(std::vector<Document> &documents, const std::string &who) {
  std::sort(documents.begin(), documents.end(),
            [](const Document &a, const Document &b) { return place(a) < place(b); });
  const auto twice =
      std::unique(documents.begin(), documents.end(),
                  [](const Document &a, const Document &b) { return place(a) == place(b); });
  if (twice != documents.end())
    log::warning(who, "left out " + std::to_string(documents.end() - twice) +
                          " documents that were listed twice");
  documents.erase(twice, documents.end());
}

// Why what a plugin told is void; empty when it is good.
std::string faultInOrder(const DocumentsSink &sink, skh_status status) {
  // The sink has refused these, so a plugin that heeds it fails too: this says why.
  if (sink.endings > 1) return "named its snapshot twice (done was called twice)";
  if (sink.late) return "listed documents after it had named its snapshot";
  if (status != SKH_OK) return {};
  if (sink.endings == 0) return "ended without naming its snapshot (done was not called)";
  if (sink.revision.empty()) return "named an empty snapshot";
  return {};
}

void warnOfRefused(const DocumentsSink &sink, const std::string &who) {
  if (sink.refused != 0)
    log::warning(who, "left out " + std::to_string(sink.refused) +
                          " documents, the first because its name " + sink.firstRefusal);
}

Result<std::string> readNow(Instance &instance, CallFrame &frame, const Document &document,
                            std::size_t limit) {
  const skh_document raw{sizeof raw,
                         (document.entry ? std::uint32_t{SKH_DOC_ENTRY} : 0U) |
                             (document.executable ? std::uint32_t{SKH_DOC_EXECUTABLE} : 0U),
                         borrow(document.skill),
                         borrow(document.path),
                         borrow(document.revision),
                         document.length,
                         borrow(document.location)};
  const std::string what = document.skill + "/" + document.path;
  BytesSink sink(limit, document.length == UINT64_MAX ? 0 : document.length);
  const skh_status status =
      instance.operations<skh_source>().read(instance.self(), frame.raw(), &raw, sink.raw());
  if (sink.overflowed())
    return {Fault::TooLarge, what + " is larger than " + std::to_string(limit) + " bytes"};
  if (status != SKH_OK) return frame.failure(status, instance.name(), "read " + what);
  return std::move(sink.bytes());
}

} // namespace

void SourceInstance::list(CallOptions options, Answer<Snapshot> answer) {
  instance_->call<Snapshot>(
      std::move(options), "list",
      [instance = instance_.get()](CallFrame &frame) -> Result<Snapshot> {
        DocumentsSink sink;
        const skh_status status =
            instance->operations<skh_source>().list(instance->self(), frame.raw(), sink.raw());
        if (const std::string fault = faultInOrder(sink, status); !fault.empty())
          return {Fault::OperationFailed, instance->name() + ": list: " + fault};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "list");
        warnOfRefused(sink, instance->name());
        sortOnce(sink.documents, instance->name());
        return Snapshot{std::move(sink.revision), std::move(sink.documents)};
      },
      answer);
}

void SourceInstance::changes(CallOptions options, std::string since, Answer<Changes> answer) {
  instance_->call<Changes>(
      std::move(options), "changes",
      [instance = instance_.get(), since = std::move(since)](CallFrame &frame) -> Result<Changes> {
        const auto &source = instance->operations<skh_source>();
        if (!SKH_HAS(&source, changes) || source.changes == nullptr)
          return {Fault::Stale, instance->name() + ": keeps no history"};
        DocumentsSink sink;
        const skh_status status =
            source.changes(instance->self(), frame.raw(), borrow(since), sink.raw());
        if (const std::string fault = faultInOrder(sink, status); !fault.empty())
          return {Fault::OperationFailed, instance->name() + ": changes: " + fault};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "changes");
        warnOfRefused(sink, instance->name());
        sortOnce(sink.documents, instance->name());
        return Changes{std::move(sink.revision), std::move(sink.documents),
                       std::move(sink.removed)};
      },
      answer);
}

void SourceInstance::read(CallOptions options, Document document, std::size_t limit,
                          Answer<std::string> answer) {
  instance_->call<std::string>(
      std::move(options), "read",
      [instance = instance_.get(), document = std::move(document), limit](CallFrame &frame) {
        return readNow(*instance, frame, document, limit);
      },
      answer);
}

void SourceInstance::readEach(CallOptions options, std::vector<Document> documents,
                              std::size_t limit, Each each, std::function<void()> done) {
  // What the lane's threads share: each takes the next few documents until none is left.
  struct Batch {
    std::vector<Document> documents;
    Each each;
    std::function<void()> done;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> working;
  };
  constexpr std::size_t stride = 8;
  const std::size_t workers =
      std::clamp<std::size_t>(documents.size() / stride, 1, instance_->threads());
  auto batch = std::make_shared<Batch>();
  batch->documents = std::move(documents);
  batch->each = std::move(each);
  batch->done = std::move(done);
  batch->working = workers;
  const auto work = [instance = instance_.get(), batch, limit,
                     cancel = options.cancel](CallFrame &frame) -> Result<Done> {
    for (;;) {
      const std::size_t begin = batch->next.fetch_add(stride);
      const std::size_t end = std::min(begin + stride, batch->documents.size());
      if (begin >= end) return Done{};
      for (std::size_t i = begin; i < end; ++i)
        batch->each(i, cancel.cancelled()
                           ? Result<std::string>(Fault::Cancelled, instance->name() + ": cancelled")
                           : readNow(*instance, frame, batch->documents[i], limit));
    }
  };
  const Answer<Done> finish = [batch](const Result<Done> &result) {
    // A worker that never ran leaves its share to the others; the last one accounts for the rest.
    if (batch->working.fetch_sub(1) != 1) return;
    if (!result)
      for (std::size_t i = batch->next.exchange(batch->documents.size());
           i < batch->documents.size(); ++i)
        batch->each(i, result.failure());
    batch->done();
  };
  for (std::size_t i = 0; i < workers; ++i) instance_->call<Done>(options, "read", work, finish);
}

} // namespace skillhost
