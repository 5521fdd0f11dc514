// SPDX-License-Identifier: Apache-2.0
#include "source_instance.hpp"

#include "base/log.hpp"
#include "sinks.hpp"
#include "skill_facts.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <tuple>

namespace skillhost {
namespace {

auto place(const Document &document) { return std::tie(document.skill, document.path); }

void sortOnce(std::vector<Document> &documents, const std::string &who) {
  // Sources mostly list in this order; comparing neighbours costs far less than sorting.
  const auto unordered = std::adjacent_find(
      documents.begin(), documents.end(),
      [](const Document &a, const Document &b) { return !(place(a) < place(b)); });
  if (unordered == documents.end()) return;
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

// Returns why a plugin's answer is void; empty if it is good.
std::string faultInOrder(const DocumentsSink &sink, skh_status status) {
  // The sink has refused these, so a plugin that checks its results fails too. This gives the
  // reason.
  if (sink.endings > 1) return "named its snapshot twice (done was called twice)";
  if (sink.hasOverflowed) return "listed more than a million documents or 256 MiB of names";
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
  constexpr std::size_t maxNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(maxNamed, sink.secrets.size()); ++i)
    names += (i == 0 ? "" : ", ") + sink.secrets[i];
  if (sink.secrets.size() > maxNamed)
    names += " and " + std::to_string(sink.secrets.size() - maxNamed) + " more";
  if (!names.empty())
    log::warning(who, "left out: " + names +
                          " (by its name such a file holds a secret: take it out of the skill, or "
                          "give it another name)");
}

Result<std::string> readNow(Instance &instance, CallFrame &frame, const Document &document,
                            std::size_t limit) {
  const skh_document raw = borrow(document);
  const std::string what = document.skill + "/" + document.path;
  BytesSink sink(frame, limit, document.length == UINT64_MAX ? 0 : document.length);
  const skh_status status =
      instance.operations<skh_source>().read(instance.self(), frame.raw(), &raw, sink.raw());
  if (sink.hasOverflowed())
    return {Fault::TooLarge, what + " is larger than " + std::to_string(limit) + " bytes"};
  if (status != SKH_OK) return frame.failure(status, instance.name(), "read " + what);
  if (document.length != UINT64_MAX && sink.bytes().size() != document.length)
    return {Fault::Corrupt, instance.name() + ": read " + what + ": " +
                                std::to_string(sink.bytes().size()) +
                                (sink.bytes().size() == 1 ? " byte" : " bytes") + " came where " +
                                std::to_string(document.length) + " were listed"};
  return std::move(sink.bytes());
}

} // namespace

void SourceInstance::list(CallOptions options, ResultCallback<Snapshot> answer) {
  instance_->call<Snapshot>(
      std::move(options), "list",
      [instance = instance_.get()](CallFrame &frame) -> Result<Snapshot> {
        DocumentsSink sink(frame);
        const skh_status status =
            instance->operations<skh_source>().list(instance->self(), frame.raw(), sink.raw());
        if (const std::string fault = faultInOrder(sink, status); !fault.empty())
          return {Fault::OperationFailed, instance->name() + ": list: " + fault};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "list");
        warnOfRefused(sink, instance->name());
        sortOnce(sink.documents, instance->name());
        SkillFacts facts = askForFacts(*instance, frame, sink.revision);
        return Snapshot{std::move(sink.revision), std::move(sink.documents), std::move(facts), {}};
      },
      answer);
}

void SourceInstance::changes(CallOptions options, std::string since,
                             ResultCallback<Changes> answer) {
  instance_->call<Changes>(
      std::move(options), "changes",
      [instance = instance_.get(), since = std::move(since)](CallFrame &frame) -> Result<Changes> {
        const auto &source = instance->operations<skh_source>();
        if (!SKH_HAS(&source, changes) || source.changes == nullptr)
          return {Fault::Stale, instance->name() + ": keeps no history"};
        DocumentsSink sink(frame);
        const skh_status status =
            source.changes(instance->self(), frame.raw(), borrow(since), sink.raw());
        if (const std::string fault = faultInOrder(sink, status); !fault.empty())
          return {Fault::OperationFailed, instance->name() + ": changes: " + fault};
        if (status != SKH_OK) return frame.failure(status, instance->name(), "changes");
        warnOfRefused(sink, instance->name());
        sortOnce(sink.documents, instance->name());
        SkillFacts facts;
        if (sink.revision != since) facts = askForFacts(*instance, frame, sink.revision);
        return Changes{std::move(sink.revision), std::move(sink.documents), std::move(sink.removed),
                       std::move(facts)};
      },
      answer);
}

void SourceInstance::read(CallOptions options, Document document, std::size_t limit,
                          ResultCallback<std::string> answer) {
  instance_->call<std::string>(
      std::move(options), "read",
      [instance = instance_.get(), document = std::move(document), limit](CallFrame &frame) {
        return readNow(*instance, frame, document, limit);
      },
      answer);
}

namespace {

// Several documents, read by as many threads as the executor has: each thread takes the next few
// until none is left. Outlives the call if a thread does not come back.
class Batch {
public:
  Batch(std::vector<Document> documents, Source::Each each, std::function<void()> done,
        std::size_t workers)
      : documents_(std::move(documents)), each_(std::move(each)), done_(std::move(done)),
        settled_(documents_.size()), unsettled_(documents_.size()), working_(workers) {}

  void readSome(Instance &instance, CallFrame &frame, std::size_t limit) {
    for (;;) {
      const std::size_t begin = next_.fetch_add(stride);
      const std::size_t end = std::min(begin + stride, documents_.size());
      if (begin >= end) return;
      for (std::size_t i = begin; i < end; ++i)
        settle(i, frame.raw()->cancelled(frame.raw()) != 0
                      ? Result<std::string>(Fault::Cancelled, instance.name() + ": cancelled")
                      : readNow(instance, frame, documents_[i], limit));
    }
  }
  // A worker is done or was given up. The last one settles the documents that nobody read.
  void workerEnded(const Result<Done> &result) {
    if (!result) failure_.with([&](Failure &failure) { failure = copyOf(result.failure()); });
    if (working_.fetch_sub(1) != 1) return;
    if (documents_.empty()) return done_();
    const Failure failure = failure_.with([](const Failure &last) { return copyOf(last); });
    for (std::size_t i = 0; i < documents_.size(); ++i) settle(i, copyOf(failure));
  }

  static constexpr std::size_t stride = 8;

private:
  // Without memory for the text, the copy has none.
  static Failure copyOf(const Failure &failure) noexcept {
    try {
      return failure;
    } catch (const std::bad_alloc &) {
      return {failure.fault, {}};
    }
  }
  void settle(std::size_t index, Result<std::string> result) {
    if (settled_[index].exchange(true)) return; // by a given-up call, or a late thread
    tell(index, std::move(result));
    if (unsettled_.fetch_sub(1) == 1) done_();
  }
  // A receiver that has no memory for the bytes receives a failure, so that the others go on.
  void tell(std::size_t index, Result<std::string> result) {
    try {
      return each_(index, std::move(result));
    } catch (const std::exception &why) {
      skillhost::log::failure("plugin", {"a document that was read is lost"}, why);
    }
    try {
      each_(index, Failure{Fault::MemoryPressure, "no memory"});
    } catch (const std::exception &) {
      return; // the receiver has no result for this document when done_() is called
    }
  }

  const std::vector<Document> documents_;
  const Source::Each each_;
  const std::function<void()> done_;
  std::vector<std::atomic<bool>> settled_;
  std::atomic<std::size_t> next_{0}, unsettled_;
  std::atomic<std::size_t> working_;
  Guarded<Failure> failure_;
};

} // namespace

void SourceInstance::readEach(CallOptions options, std::vector<Document> documents,
                              std::size_t limit, Each each, std::function<void()> done) {
  const std::size_t workers =
      std::clamp<std::size_t>(documents.size() / Batch::stride, 1, instance_->threads());
  const auto batch =
      std::make_shared<Batch>(std::move(documents), std::move(each), std::move(done), workers);
  const auto work = [instance = instance_.get(), batch, limit](CallFrame &frame) -> Result<Done> {
    batch->readSome(*instance, frame, limit);
    return Done{};
  };
  const ResultCallback<Done> finish = [batch](const Result<Done> &result) {
    batch->workerEnded(result);
  };
  for (std::size_t i = 0; i < workers; ++i) instance_->call<Done>(options, "read", work, finish);
}

} // namespace skillhost
