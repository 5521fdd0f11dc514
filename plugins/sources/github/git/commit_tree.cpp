// SPDX-License-Identifier: Apache-2.0
#include "commit_tree.hpp"

#include "paths/names.hpp"

namespace skillhost::github {
namespace {

constexpr int maxTreeDepth = 64; // levels of folders
constexpr std::size_t maxPathBytes = 4'096;

using EntryHandle = Handle<git_tree_entry, git_tree_entry_free>;

// A missing object may never have been fetched.
skh_status verdictOf(int code) { return code == GIT_ENOTFOUND ? SKH_STALE : SKH_CORRUPT; }

TreeHandle treeAt(git_repository *repository, const git_oid &id) {
  git_tree *raw = nullptr;
  const int code = git_tree_lookup(&raw, repository, &id);
  checkGit(code, "a tree is missing", verdictOf(code));
  return TreeHandle(raw);
}

TreeHandle rootOf(git_repository *repository, const std::string &from, const std::string &commit,
                  const std::string &subpath) {
  const git_oid id = parseId(from);
  git_object *found = nullptr;
  const int had = git_object_lookup(&found, repository, &id, GIT_OBJECT_ANY);
  checkGit(had, "a commit is missing", verdictOf(had));
  const ObjectHandle object(found);
  git_object *tree = nullptr;
  checkGit(git_object_peel(&tree, found, GIT_OBJECT_TREE), "a tree is missing", SKH_CORRUPT);
  const ObjectHandle root(tree);
  if (subpath.empty()) return treeAt(repository, *git_object_id(tree));
  const TreeHandle top = treeAt(repository, *git_object_id(tree));
  git_tree_entry *raw = nullptr;
  const int code = git_tree_entry_bypath(&raw, top.get(), subpath.c_str());
  const EntryHandle entry(raw);
  if (code != 0 || git_tree_entry_type(raw) != GIT_OBJECT_TREE)
    throw skh::Error(SKH_NOT_FOUND,
                     "subpath: commit " + commit + " has no folder \"" + subpath + "\"");
  return treeAt(repository, *git_tree_entry_id(raw));
}

class Walk {
public:
  Walk(git_repository *repository, std::size_t maxFiles, const std::function<void()> &checkpoint)
      : repository_(repository), maxFiles_(maxFiles), checkpoint_(checkpoint) {}

  void walkFolder(const git_tree *tree, const std::string &path, int depth) {
    checkpoint_();
    const std::size_t count = git_tree_entrycount(tree);
    for (std::size_t i = 0; i < count; ++i) take(*git_tree_entry_byindex(tree, i), path, depth);
  }
  std::vector<TreeEntry> result() { return std::move(entries_); }

private:
  void take(const git_tree_entry &entry, const std::string &folder, int depth) {
    if (++seen_ > maxFiles_)
      throw skh::Error(SKH_TOO_LARGE, "the commit holds more than " + std::to_string(maxFiles_) +
                                          " files and folders (max_files): name a subpath, or "
                                          "raise it");
    const std::string name = git_tree_entry_name(&entry);
    const git_filemode_t mode = git_tree_entry_filemode(&entry);
    const std::size_t length = folder.size() + 1 + name.size();
    const bool isBad = name.empty() || name == "." || name == ".." || !paths::servable(name) ||
                       name.find('/') != std::string::npos || length > maxPathBytes ||
                       (mode == GIT_FILEMODE_TREE && depth >= maxTreeDepth);
    if (isBad) return add(folder, name, entry, EntryKind::badName);
    switch (mode) {
    case GIT_FILEMODE_TREE: {
      const TreeHandle below = treeAt(repository_, *git_tree_entry_id(&entry));
      return walkFolder(below.get(), paths::joined(folder, name), depth + 1);
    }
    case GIT_FILEMODE_BLOB_EXECUTABLE:
      return add(folder, name, entry, EntryKind::executable);
    case GIT_FILEMODE_LINK:
      return add(folder, name, entry, EntryKind::link);
    case GIT_FILEMODE_COMMIT:
      return add(folder, name, entry, EntryKind::submodule);
    default:
      return add(folder, name, entry, EntryKind::file);
    }
  }

  void add(const std::string &folder, const std::string &name, const git_tree_entry &entry,
           EntryKind kind) {
    entries_.push_back({folder, name, formatId(*git_tree_entry_id(&entry)), kind});
  }

  git_repository *repository_;
  std::size_t maxFiles_;
  const std::function<void()> &checkpoint_;
  std::vector<TreeEntry> entries_;
  std::size_t seen_ = 0;
};

} // namespace

std::vector<TreeEntry> readTree(ObjectStore &store, const std::string &root,
                                const std::string &commit, const std::string &subpath,
                                std::size_t maxFiles, const std::function<void()> &checkpoint) {
  return store.with([&](git_repository *repository) {
    const TreeHandle top = rootOf(repository, root, commit, subpath);
    Walk walk(repository, maxFiles, checkpoint);
    walk.walkFolder(top.get(), "", 0);
    return walk.result();
  });
}

} // namespace skillhost::github
