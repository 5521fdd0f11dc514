// SPDX-License-Identifier: Apache-2.0
#include "document_digests.hpp"

#include "ground/blake3.hpp"

#include <memory>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 64U << 20U;

} // namespace

LockedDocument digestOf(const Document &document, std::string_view bytes) {
  return {blake3Hex(bytes), bytes.size(), document.executable};
}

std::string contentDigest(const LockedSkill &files) {
  std::string all;
  for (const auto &[path, file] : files) {
    // A path contains no NUL, and the rest has a fixed form, so no two skills result in the same
    // text.
    ((all += path) += '\0') += file.digest;
    all += ' ' + std::to_string(file.size) + (file.executable ? " x\n" : " -\n");
  }
  return "blake3:" + blake3Hex(all);
}

void digestDocuments(Source &source, const CallOptions &options, std::vector<Document> documents,
                     std::function<void(DocumentDigests)> done) {
  struct Work {
    std::vector<Document> documents;
    DocumentDigests digests; // each element is written by one thread
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

} // namespace skillhost
