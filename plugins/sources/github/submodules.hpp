// SPDX-License-Identifier: Apache-2.0
// Reads from .gitmodules where the submodules of a repository are, for messages only.
#pragma once

#include "file_index.hpp"

#include <string>

namespace skillhost::github {

// Returns the address of the submodule at `path`; "" if .gitmodules has none.
std::string submoduleUrl(const FileIndex &index, Blobs &blobs, const std::string &path);

// Masks the text before the host, which may contain a password.
std::string withoutUser(const std::string &url);

} // namespace skillhost::github
