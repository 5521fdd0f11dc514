// SPDX-License-Identifier: Apache-2.0
#include "compaction.hpp"

#include "ground/folder.hpp"

#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace skillhost::github {
namespace {

namespace fs = std::filesystem;

using BuilderHandle = Handle<git_packbuilder, git_packbuilder_free>;

constexpr const char *trouble = "the cache cannot be compacted";

std::vector<fs::path> packsIn(const fs::path &folder) {
  std::vector<fs::path> packs;
  std::error_code error;
  for (const std::string &name : namesIn(folder.string(), error))
    if (fs::path(name).extension() == ".pack") packs.push_back(folder / name);
  return packs;
}

// Carries an exception through the stack frames of libgit2.
struct Watch {
  const std::function<void()> &checkpoint;
  std::exception_ptr thrown;

  int checkProgress() noexcept {
    try {
      checkpoint();
      return 0;
    } catch (...) {
      thrown = std::current_exception();
      return GIT_EUSER;
    }
  }
};

void check(int code, const Watch &watch) {
  if (code < 0 && watch.thrown) std::rethrow_exception(watch.thrown);
  checkGit(code, trouble, SKH_UNAVAILABLE);
}

BuilderHandle builderOf(git_repository *repository, Watch &watch) {
  git_packbuilder *raw = nullptr;
  check(git_packbuilder_new(&raw, repository), watch);
  BuilderHandle builder(raw);
  git_packbuilder_set_threads(raw, 1);
  const auto checkProgress = [](int, std::uint32_t, std::uint32_t, void *own) {
    return static_cast<Watch *>(own)->checkProgress();
  };
  check(git_packbuilder_set_callbacks(raw, checkProgress, &watch), watch);
  return builder;
}

struct Insertion {
  git_packbuilder *builder;
  Watch &watch;

  int add(const git_oid *id) noexcept {
    const int checked = watch.checkProgress();
    return checked != 0 ? checked : git_packbuilder_insert(builder, id, nullptr);
  }
};

void insertAll(git_packbuilder *builder, git_repository *repository, Watch &watch) {
  git_odb *raw = nullptr;
  check(git_repository_odb(&raw, repository), watch);
  const DatabaseHandle database(raw);
  Insertion insertion{builder, watch};
  const auto each = [](const git_oid *id, void *own) {
    return static_cast<Insertion *>(own)->add(id);
  };
  check(git_odb_foreach(raw, each, &insertion), watch);
}

void removePack(const fs::path &pack) {
  std::error_code ignored; // a file that stays only takes space
  // Removes the index first, because without it git does not open the pack.
  fs::remove(fs::path(pack).replace_extension(".idx"), ignored);
  fs::remove(pack, ignored);
}

} // namespace

bool compact(ObjectStore &store, const std::function<void()> &checkpoint) {
  const RepositoryHandle repository = store.separate();
  const fs::path folder = fs::path(git_repository_path(repository.get())) / "objects" / "pack";
  const std::vector<fs::path> before = packsIn(folder);
  if (before.size() <= maxPacks) return false;
  Watch watch{checkpoint, nullptr};
  const BuilderHandle builder = builderOf(repository.get(), watch);
  insertAll(builder.get(), repository.get(), watch);
  check(git_packbuilder_write(builder.get(), nullptr, 0, nullptr, nullptr), watch);
  const std::string made = "pack-" + std::string(git_packbuilder_name(builder.get())) + ".pack";
  store.reopen();
  for (const fs::path &pack : before)
    if (pack.filename() != made) removePack(pack);
  return true;
}

} // namespace skillhost::github
