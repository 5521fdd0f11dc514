// SPDX-License-Identifier: Apache-2.0
#include "object_writer.hpp"

#include <git2/odb_backend.h>
#include <git2/pack.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>

namespace skillhost::github {
namespace {

constexpr std::size_t maxHeldBytes = std::size_t{32} << 20U; // bytes
constexpr int firstPriority = 999;                           // searched before the backends on disk
constexpr const char *refusal = "the cache cannot be written";

using PackHandle = Handle<git_packbuilder, git_packbuilder_free>;

struct FreedPack {
  void operator()(git_odb_writepack *pack) const noexcept { pack->free(pack); }
};

git_object_t typeOf(ObjectKind kind) {
  return kind == ObjectKind::tree ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB;
}

git_oid hashOf(ObjectKind kind, std::string_view bytes) {
  git_oid id{};
  checkGit(git_odb_hash(&id, bytes.data(), bytes.size(), typeOf(kind)), "an object has no id");
  return id;
}

struct PackBytes : git_buf {
  PackBytes() : git_buf{nullptr, 0, 0} {}
  ~PackBytes() { git_buf_dispose(this); }
  PackBytes(const PackBytes &) = delete;
  PackBytes &operator=(const PackBytes &) = delete;
};

int onProgress(int /*stage*/, std::uint32_t /*done*/, std::uint32_t /*total*/, void *parameter) {
  try {
    static_cast<const remote::Operation *>(parameter)->checkpoint();
    return 0;
  } catch (const skh::Error &) {
    return GIT_EUSER; // flush() checks again and throws
  }
}

} // namespace

std::string idOf(ObjectKind kind, std::string_view bytes) { return formatId(hashOf(kind, bytes)); }

ObjectWriter::ObjectWriter(ObjectStore &store, remote::Operation &operation)
    : operation_(operation), repository_(store.separate()) {
  git_odb *raw = nullptr;
  checkGit(git_repository_odb(&raw, repository_.get()), refusal, SKH_UNAVAILABLE);
  database_.reset(raw);
  checkGit(git_mempack_new(&memory_), refusal, SKH_UNAVAILABLE);
  checkGit(git_odb_add_backend(raw, memory_, firstPriority), refusal, SKH_UNAVAILABLE);
}

bool ObjectWriter::add(ObjectKind kind, const std::string &id, std::string_view bytes) {
  const git_oid wanted = parseId(id);
  const git_oid found = hashOf(kind, bytes);
  if (git_oid_equal(&wanted, &found) == 0) return false;
  if (git_odb_exists_ext(database_.get(), &found, GIT_ODB_LOOKUP_NO_REFRESH) != 0) return true;
  git_oid written{};
  checkGit(git_odb_write(&written, database_.get(), bytes.data(), bytes.size(), typeOf(kind)),
           refusal, SKH_UNAVAILABLE);
  held_.push_back(found);
  heldBytes_ += bytes.size();
  total_ += bytes.size();
  if (heldBytes_ > maxHeldBytes) flush();
  return true;
}

void ObjectWriter::flush() {
  if (held_.empty()) return;
  git_packbuilder *raw = nullptr;
  checkGit(git_packbuilder_new(&raw, repository_.get()), refusal, SKH_UNAVAILABLE);
  const PackHandle builder(raw);
  git_packbuilder_set_threads(raw, 1);
  git_packbuilder_set_callbacks(raw, &onProgress, &operation_);
  for (const git_oid &id : held_)
    checkGit(git_packbuilder_insert(raw, &id, nullptr), refusal, SKH_UNAVAILABLE);
  // Writes the pack as a whole, because libgit2 1.5 rejects the parts that its own builder
  // produces.
  PackBytes bytes;
  const int built = git_packbuilder_write_buf(&bytes, raw);
  operation_.checkpoint();
  checkGit(built, refusal, SKH_UNAVAILABLE);
  git_odb_writepack *opened = nullptr;
  checkGit(git_odb_write_pack(&opened, database_.get(), nullptr, nullptr), refusal,
           SKH_UNAVAILABLE);
  const std::unique_ptr<git_odb_writepack, FreedPack> pack(opened);
  git_indexer_progress progress{};
  checkGit(opened->append(opened, bytes.ptr, bytes.size, &progress), refusal, SKH_UNAVAILABLE);
  checkGit(opened->commit(opened, &progress), refusal, SKH_UNAVAILABLE);
  checkGit(git_mempack_reset(memory_), refusal, SKH_UNAVAILABLE);
  held_.clear();
  heldBytes_ = 0;
}

} // namespace skillhost::github
