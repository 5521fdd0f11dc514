// SPDX-License-Identifier: Apache-2.0
// Checks files that decide what is run, served or believed. Refuses a file that another user could
// change or replace.
#pragma once

#include "ground/result.hpp"

#include <sys/stat.h>

#include <string>

namespace skillhost {

// Denied, with the file, what is wrong and what to do, if another user than root and the one that
// runs this process can change the file or folder, or replace it: each part of the path, and each
// link on the way, must belong to one of the two, and nobody else may write to it. As OpenSSH on
// Debian does, it takes what the user's own private group may write. Folders with the sticky bit
// may be written by all, and so may one that is mounted read-only by itself. The owner of a single
// file that is mounted counts, too; that of a folder only if it is nobody's here or mounted
// read-only. A path that leads to no file is good: whoever reads it says so. Any thread.
Status checkTrusted(const std::string &path);

// True if another user than root and the owner may write to the file or folder at `path`, which has
// this status: by its mode or by an access control list. What the owner's own private group may
// write is the owner's, as above. A process that may not read the list goes by the mode alone.
bool mayOthersWrite(const std::string &path, const struct stat &status);

} // namespace skillhost
