// SPDX-License-Identifier: Apache-2.0
// Wraps libgit2: it is started once, handles free themselves, and errors become skh::Error.
#pragma once

#include <skillhost/plugin.hpp>

#include <memory>
#include <string>

#include <git2.h>

namespace skillhost::github {

// Starts the library once for the process and never ends it. Throws skh::Error.
void startLibrary();

template <auto free> struct Freed {
  template <class T> void operator()(T *handle) const noexcept { free(handle); }
};
template <class T, auto free> using Handle = std::unique_ptr<T, Freed<free>>;

using RepositoryHandle = Handle<git_repository, git_repository_free>;
using DatabaseHandle = Handle<git_odb, git_odb_free>;
using ObjectHandle = Handle<git_object, git_object_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;

// Returns the last error message of libgit2 on this thread.
std::string lastReason();

// Throws skh::Error(`status`, "<what>: <libgit2's reason>") if `code` is an error.
void checkGit(int code, const std::string &what, skh_status status = SKH_FAILED);

// Convert 40 hexadecimal digits to an id and back. parseId() throws skh::Error(SKH_INVALID).
git_oid parseId(const std::string &id);
std::string formatId(const git_oid &id);

} // namespace skillhost::github
