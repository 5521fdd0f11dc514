// SPDX-License-Identifier: Apache-2.0
// Checks files that decide what is executed, served or believed. Refuses a file that another user
// could change or replace.
#pragma once

#include "ground/result.hpp"

#include <sys/stat.h>

#include <string>

namespace skillhost {

// Fails with Denied, naming the file, the fault and the remedy, if a user other than root and this
// process's user can change or replace the file or folder: each part of the path, and each link on
// the way, must belong to one of the two, and nobody else may write to it. Like OpenSSH on Debian,
// it accepts write access of the user's own private group. Folders with the sticky bit may be
// writable for everybody, and so may one that is itself a read-only mount. The owner of a single
// mounted file is trusted, too; the owner of a mounted folder only if the owner has no name here or
// the mount is read-only. A path to a missing file is accepted, because its reader reports it. May
// be called on any thread.
Status checkTrusted(const std::string &path);

// True if a user other than root and the owner may write to the file or folder at `path`, which has
// this status, by its mode or by an access control list. Write access of the owner's private group
// counts as the owner's, as above. A process that may not read the list goes by the mode alone.
bool mayOthersWrite(const std::string &path, const struct stat &status);

} // namespace skillhost
