// SPDX-License-Identifier: Apache-2.0
// Brings blobs into the store, each one proved by its id. One thread.
#pragma once

#include "client.hpp"
#include "tree_fetch.hpp"

#include <set>

namespace skillhost::github {

struct BlobsWanted {
  const std::string &commit;
  const FetchedTrees &trees;
  std::uint64_t mostBytes;    // of one blob
  std::uint64_t mostUnpacked; // of the archive
};

class BlobFetch {
public:
  // More than so many blobs are fetched with the archive of the whole commit, in one request.
  static constexpr std::size_t mostSingle = 20;

  // All outlive it. `keepable` are the blobs worth keeping when they come along.
  BlobFetch(ApiClient &client, const Budget &budget, ObjectWriter &writer,
            const BlobsWanted &wanted, std::set<std::string> keepable);

  // Throws skh::Error, RemoteError when one of them cannot be had. What came before stays.
  void fetch(std::set<std::string> lacking);

private:
  bool isForArchive(const std::set<std::string> &lacking) const;
  void fetchArchive(std::set<std::string> &lacking);
  void fetchOne(const std::string &blob);

  ApiClient &client_;
  const Budget &budget_;
  ObjectWriter &writer_;
  const BlobsWanted &wanted_;
  std::set<std::string> keepable_;
  bool hadArchive_ = false;
};

} // namespace skillhost::github
