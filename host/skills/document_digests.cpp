// SPDX-License-Identifier: Apache-2.0
#include "skills/document_digests.hpp"

#include "base/fault.hpp"
#include "ground/blake3.hpp"

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 64U << 20U;

Result<TakenLock> gathered(std::string snapshot, const std::vector<Document> &documents,
                           const DocumentDigests &digests) {
  TakenLock taken;
  taken.lock.snapshot = std::move(snapshot);
  std::map<std::string, std::string> left;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Document &document = documents[i];
    if (digests[i]) {
      taken.lock.skills[document.skill][document.path] = *digests[i];
      continue;
    }
    const Failure &failure = digests[i].failure();
    if (isTransient(failure.fault)) return failure;
    left.emplace(document.skill, failure.message);
  }
  for (const auto &[skill, why] : left) {
    taken.lock.skills.erase(skill);
    taken.left.push_back(skill + ": " + why);
  }
  return taken;
}

} // namespace

LockedDocument digestOf(const Document &document, std::string_view bytes) {
  return {blake3Hex(bytes), bytes.size(), document.executable};
}

void digestDocuments(Source &source, const CallOptions &options, std::vector<Document> documents,
                     std::function<void(DocumentDigests)> done) {
  struct Work {
    std::vector<Document> documents;
    DocumentDigests digests; // each slot is filled by one thread
  };
  auto work = std::make_shared<Work>();
  work->documents = std::move(documents);
  work->digests.assign(work->documents.size(), Failure{Fault::Internal, "it was not read"});
  source.readEach(
      options, work->documents, largestDocument,
      [work](std::size_t i, const Result<std::string> &bytes) {
        if (bytes)
          work->digests[i] = digestOf(work->documents[i], *bytes);
        else
          work->digests[i] = bytes.failure();
      },
      [work, done = std::move(done)] { done(std::move(work->digests)); });
}

void takeLock(const std::shared_ptr<Source> &source, const CallOptions &options,
              Answer<TakenLock> answer) {
  source->list(options, [source, options, answer = std::move(answer)](Result<Snapshot> listed) {
    if (!listed) return answer(std::move(listed).failure());
    std::string snapshot = source->goesBack() ? std::move(listed->revision) : std::string();
    auto documents = std::make_shared<const std::vector<Document>>(std::move(listed->documents));
    digestDocuments(*source, options, *documents,
                    [answer, documents, snapshot](const DocumentDigests &digests) {
                      answer(gathered(snapshot, *documents, digests));
                    });
  });
}

} // namespace skillhost
