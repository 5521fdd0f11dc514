// SPDX-License-Identifier: Apache-2.0
// Fetches blobs into the store and verifies each by its id. Only one thread may use it.
#pragma once

#include "client.hpp"
#include "tree_fetch.hpp"

#include <set>

namespace skillhost::github {

struct BlobFetchRules {
  const std::string &commit;
  const FetchedTrees &trees;
  std::uint64_t maxBytes;         // limit of one blob
  std::uint64_t maxUnpackedBytes; // limit of the archive
};

class BlobFetch {
public:
  // If more blobs than this are needed, or more than the budget has requests for, they are fetched
  // with the archive of the whole commit, in one request. That is not done if the archive is too
  // large for the needed part.
  static constexpr std::size_t maxSingleFetches = 20;

  // All arguments must outlive it. `keepable` are further blobs to keep if an archive contains
  // them.
  BlobFetch(ApiClient &client, const Budget &budget, ObjectWriter &writer,
            const BlobFetchRules &wanted, std::set<std::string> keepable);

  // Throws skh::Error, and RemoteError if a blob cannot be fetched. Blobs fetched before that are
  // kept.
  void fetch(std::set<std::string> missing);

private:
  bool isForArchive(const std::set<std::string> &missing) const;
  void fetchArchive(std::set<std::string> &missing);
  void fetchOne(const std::string &blob);

  ApiClient &client_;
  const Budget &budget_;
  ObjectWriter &writer_;
  const BlobFetchRules &wanted_;
  std::set<std::string> keepable_;
  bool hadArchive_ = false;
};

} // namespace skillhost::github
