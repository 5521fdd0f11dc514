// SPDX-License-Identifier: Apache-2.0
#include "tree_fetch.hpp"

#include "file_index.hpp"

#include "paths/names.hpp"

namespace skillhost::github {
namespace {

constexpr std::uint64_t maxListingBytes = std::uint64_t{32}
                                          << 20U; // of a listing; GitHub's limit is 7 MB
constexpr int maxFolderDepth = 64;                // levels of folders

class TreeFetch {
public:
  TreeFetch(ApiClient &client, ObjectWriter &writer, std::string commit, const std::string &subpath,
            std::size_t maxFiles)
      : client_(client), writer_(writer), commit_(std::move(commit)), subpath_(subpath),
        maxFiles_(maxFiles) {}

  FetchedTrees run() {
    folder(commit_, "", 0);
    if (!hasSubpath_)
      throw skh::Error(SKH_NOT_FOUND,
                       "subpath: commit " + commit_ + " has no folder \"" + subpath_ + "\"");
    return std::move(fetched_);
  }

private:
  // True if the trees at `path` are needed: those above the subpath and below it.
  bool isNeeded(const std::string &path) const {
    return isWithin(path, subpath_) || isWithin(subpath_, path);
  }

  void folder(const std::string &id, const std::string &path, int depth) {
    if (depth > maxFolderDepth)
      throw skh::Error(SKH_TOO_LARGE, "the commit has more than " + std::to_string(maxFolderDepth) +
                                          " folders one within the other");
    const bool isAll = path.empty() || isWithin(path, subpath_);
    TreeListing listing = ask(id, isAll);
    const bool isCut = isAll && listing.isTruncated;
    if (isCut) {
      fetched_.isWhole = false;
      listing = ask(id, false);
    }
    if (listing.isTruncated)
      throw skh::Error(SKH_TOO_LARGE, "the API does not list all of the folder \"" +
                                          paths::printable(path) + "\": use git (via)");
    // The answer to a request by commit may contain the commit's own id instead of the tree's.
    const std::string treeId = listing.id == commit_ ? std::string{} : listing.id;
    const bool isDeep = isAll && !isCut;
    note(listing);
    keep(listing, "", path, path.empty() ? treeId : id, isDeep);
    if (isDeep) return;
    for (const ListedEntry &entry : listing.folders[""])
      if (const std::string below = paths::joined(path, entry.name);
          entry.isFolder() && isNeeded(below))
        folder(entry.id, below, depth + 1);
  }

  TreeListing ask(const std::string &id, bool isAll) {
    const ApiAnswer answer =
        client_.get({"/git/trees/" + id + (isAll ? "?recursive=1" : ""),
                     "application/vnd.github+json", "", maxListingBytes, true});
    if (answer.status != 200)
      throw remote::RemoteError("the API answers " + std::to_string(answer.status) +
                                " for the tree of " + commit_ +
                                ": the repository does not have this commit");
    return readListing(answer.body);
  }

  void note(const TreeListing &listing) {
    for (const auto &[path, entries] : listing.folders)
      for (const ListedEntry &entry : entries) {
        if (!entry.isBlob()) continue;
        fetched_.sizes.emplace(entry.id, entry.bytes);
        fetched_.bytes += entry.bytes;
      }
  }

  // Verifies and writes the folder `here` of a listing made at `base`. A deep listing includes the
  // folders below, which are then written as well.
  void keep(const TreeListing &listing, const std::string &here, const std::string &base,
            const std::string &id, bool isDeep) {
    static const std::vector<ListedEntry> none;
    const std::string path = here.empty() ? base : paths::joined(base, here);
    if (path == subpath_) hasSubpath_ = true;
    const auto found = listing.folders.find(here);
    const std::vector<ListedEntry> &entries = found == listing.folders.end() ? none : found->second;
    if (!isNeeded(path)) return;
    if (isWithin(path, subpath_)) seen_ += entries.size();
    if (seen_ > maxFiles_)
      throw skh::Error(SKH_TOO_LARGE, "the commit holds more than " + std::to_string(maxFiles_) +
                                          " files and folders (max_files): name a subpath, or "
                                          "raise it");
    const std::string bytes = treeBytes(entries);
    const std::string expected = id.empty() ? idOf(ObjectKind::tree, bytes) : id;
    if (fetched_.root.empty()) fetched_.root = expected;
    if (!writer_.add(ObjectKind::tree, expected, bytes))
      throw remote::RemoteError("what the API lists as the folder \"" + paths::printable(path) +
                                "\" is not tree " + expected + ": use git (via)");
    if (!isDeep) return;
    for (const ListedEntry &entry : entries)
      if (entry.isFolder()) keep(listing, paths::joined(here, entry.name), base, entry.id, true);
  }

  ApiClient &client_;
  ObjectWriter &writer_;
  std::string commit_;
  const std::string &subpath_;
  std::size_t maxFiles_;
  FetchedTrees fetched_;
  std::size_t seen_ = 0;
  bool hasSubpath_ = false;
};

} // namespace

FetchedTrees fetchTrees(ApiClient &client, ObjectWriter &writer, const std::string &commit,
                        const std::string &subpath, std::size_t maxFiles) {
  return TreeFetch(client, writer, commit, subpath, maxFiles).run();
}

} // namespace skillhost::github
