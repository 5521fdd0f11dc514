// SPDX-License-Identifier: Apache-2.0
#include "object_store.hpp"

#include "files/whole_file.hpp"
#include "ground/folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace skillhost::github {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxIdleRepositories = 8;
constexpr const char *keptReference = "refs/skillhost/served";

using ContentHandle = Handle<git_odb_object, git_odb_object_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;

RepositoryHandle opened(const std::string &folder) {
  git_repository *raw = nullptr;
  git_repository_open_ext(&raw, folder.c_str(),
                          GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, nullptr);
  return RepositoryHandle(raw);
}

// Removes locks and half-written packs of a killed process. The folder belongs to us alone, unless
// it is a link.
void removeRemains(const std::string &folder) {
  if (!files::isOwnFolder(folder)) return;
  std::error_code error;
  std::vector<std::string> folders{folder}, remains;
  for (std::size_t i = 0; i < folders.size(); ++i)
    for (const std::string &name : namesIn(folders[i], error)) {
      std::string path = folders[i] + '/' + name;
      const bool isHalf = name.starts_with("pack_git2_") || name.starts_with("tmp_") ||
                          name.find("_git2_") != name.npos;
      if (fs::is_directory(fs::symlink_status(path, error)))
        folders.push_back(std::move(path));
      else if ((isHalf || name.ends_with(".lock")) && fs::is_regular_file(path, error))
        remains.push_back(std::move(path));
    }
  for (const std::string &one : remains) fs::remove(one, error);
}

DatabaseHandle databaseOf(git_repository *repository) {
  git_odb *raw = nullptr;
  checkGit(git_repository_odb(&raw, repository), "the cache cannot be read", SKH_UNAVAILABLE);
  return DatabaseHandle(raw);
}

} // namespace

void ObjectStore::open() {
  startLibrary();
  if (!fs::exists(folder_)) return startAnew();
  removeRemains(folder_);
  RepositoryHandle handle = opened(folder_);
  if (!handle) return startAnew();
  give(std::move(handle));
}

void ObjectStore::startAnew() {
  startLibrary();
  idle_.clear();
  std::error_code error;
  fs::remove_all(folder_, error);
  git_repository *raw = nullptr;
  checkGit(git_repository_init(&raw, folder_.c_str(), 1), "the cache cannot be written",
           SKH_UNAVAILABLE);
  give(RepositoryHandle(raw));
}

std::string ObjectStore::commitOf(const std::string &id) {
  return with([&](git_repository *repository) -> std::string {
    git_object *found = nullptr;
    const bool isShort = id.size() < GIT_OID_HEXSZ;
    git_oid wanted{};
    if (isShort)
      git_oid_fromstrp(&wanted, id.c_str());
    else
      wanted = parseId(id);
    const int code = isShort ? git_object_lookup_prefix(&found, repository, &wanted, id.size(),
                                                        GIT_OBJECT_COMMIT)
                             : git_object_lookup(&found, repository, &wanted, GIT_OBJECT_ANY);
    if (code == GIT_EAMBIGUOUS)
      throw skh::Error(SKH_INVALID,
                       "ref: more than one object begins with " + id + ": write more digits");
    if (code != 0) return {};
    const ObjectHandle object(found);
    git_object *commit = nullptr;
    if (git_object_peel(&commit, found, GIT_OBJECT_COMMIT) != 0) return {};
    const ObjectHandle peeled(commit);
    return formatId(*git_object_id(commit));
  });
}

bool ObjectStore::isReachable(const std::string &commit, const std::vector<std::string> &tips) {
  std::vector<git_oid> known;
  for (const std::string &one : tips)
    if (const std::string tip = commitOf(one); !tip.empty()) known.push_back(parseId(tip));
  return with([&](git_repository *repository) {
    const git_oid id = parseId(commit);
    return std::any_of(known.begin(), known.end(), [&](const git_oid &one) {
      return git_oid_equal(&one, &id) != 0 || git_graph_descendant_of(repository, &one, &id) == 1;
    });
  });
}

void ObjectStore::keep(const std::string &commit) {
  with([&](git_repository *repository) {
    const git_oid id = parseId(commit);
    git_reference *raw = nullptr;
    checkGit(git_reference_create(&raw, repository, keptReference, &id, 1, nullptr),
             "the cache cannot be written", SKH_UNAVAILABLE);
    const ReferenceHandle made(raw);
  });
}

std::set<std::string> ObjectStore::missing(std::set<std::string> ids) {
  with([&](git_repository *repository) {
    const DatabaseHandle database = databaseOf(repository);
    checkGit(git_odb_refresh(database.get()), "the cache cannot be read", SKH_UNAVAILABLE);
    std::erase_if(ids, [&](const std::string &one) {
      const git_oid id = parseId(one);
      return git_odb_exists_ext(database.get(), &id, GIT_ODB_LOOKUP_NO_REFRESH) != 0;
    });
  });
  return ids;
}

std::uint64_t ObjectStore::size(const std::string &blob) {
  return with([&](git_repository *repository) {
    const DatabaseHandle database = databaseOf(repository);
    const git_oid id = parseId(blob);
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    const int code = git_odb_read_header(&size, &type, database.get(), &id);
    checkGit(code, "a blob is missing", code == GIT_ENOTFOUND ? SKH_STALE : SKH_CORRUPT);
    return std::uint64_t{size};
  });
}

void ObjectStore::read(const std::string &blob, const std::function<void(std::string_view)> &sink) {
  with([&](git_repository *repository) {
    const DatabaseHandle database = databaseOf(repository);
    const git_oid id = parseId(blob);
    git_odb_object *raw = nullptr;
    const int code = git_odb_read(&raw, database.get(), &id);
    if (code == GIT_ENOTFOUND)
      throw skh::Error(SKH_STALE, "this version is no longer in the cache");
    checkGit(code, "the cache is damaged", SKH_CORRUPT);
    const ContentHandle content(raw);
    if (git_odb_object_type(raw) != GIT_OBJECT_BLOB)
      throw skh::Error(SKH_CORRUPT, "the cache is damaged: no blob");
    sink({static_cast<const char *>(git_odb_object_data(raw)), git_odb_object_size(raw)});
  });
}

void ObjectStore::reopen() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

RepositoryHandle ObjectStore::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      RepositoryHandle one = std::move(idle_.back());
      idle_.pop_back();
      return one;
    }
  }
  return separate();
}

RepositoryHandle ObjectStore::separate() const {
  RepositoryHandle fresh = opened(folder_);
  if (!fresh) throw skh::Error(SKH_UNAVAILABLE, "the cache cannot be opened: " + lastReason());
  return fresh;
}

void ObjectStore::give(RepositoryHandle handle) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < maxIdleRepositories) idle_.push_back(std::move(handle));
}

} // namespace skillhost::github
