// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <array>

namespace skillhost::github {
namespace {

int startGit() {
  const int started = git_libgit2_init();
  if (started < 0) return started;
  // Only the configuration of the instance counts, not the git configuration of the user who runs
  // the host. An "insteadOf" there could send a token to another address.
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                          GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
  // A repository named by file:// may belong to another user. That is safe, because nothing in it
  // is executed.
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  return started;
}

} // namespace

void startLibrary() {
  static const int started = startGit();
  checkGit(started, "libgit2 does not start");
}

std::string lastReason() {
  const git_error *const error = git_error_last();
  return error == nullptr || error->message == nullptr ? "no reason given" : error->message;
}

void checkGit(int code, const std::string &what, skh_status status) {
  if (code < 0) throw skh::Error(status, what + ": " + lastReason());
}

git_oid parseId(const std::string &id) {
  git_oid parsed{};
  if (id.size() != GIT_OID_HEXSZ || git_oid_fromstr(&parsed, id.c_str()) != 0)
    throw skh::Error(SKH_INVALID, "not the id of a git object");
  return parsed;
}

std::string formatId(const git_oid &id) {
  std::array<char, GIT_OID_HEXSZ> text{};
  git_oid_fmt(text.data(), &id);
  return {text.data(), text.size()};
}

} // namespace skillhost::github
