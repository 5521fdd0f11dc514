// SPDX-License-Identifier: Apache-2.0
#include "lock/taken_lock.hpp"

#include "base/fault.hpp"
#include "document_digests.hpp"

#include <map>
#include <utility>

namespace skillhost {
namespace {

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

void takeLock(const std::shared_ptr<Source> &source, const CallOptions &options,
              ResultCallback<TakenLock> answer) {
  source->list(options, [source, options, answer = std::move(answer)](Result<Snapshot> listed) {
    if (!listed) return answer(std::move(listed).failure());
    std::string snapshot = source->supportsPinning() ? std::move(listed->revision) : std::string();
    auto documents = std::make_shared<const std::vector<Document>>(std::move(listed->documents));
    digestDocuments(*source, options, *documents,
                    [answer, documents, snapshot](const DocumentDigests &digests) {
                      answer(gathered(snapshot, *documents, digests));
                    });
  });
}

} // namespace skillhost
