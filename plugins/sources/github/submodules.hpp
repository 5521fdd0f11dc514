// SPDX-License-Identifier: Apache-2.0
// .gitmodules: where the submodules of a repository come from. For messages alone.
#pragma once

#include "file_index.hpp"

#include <string>

namespace skillhost::github {

// The address that .gitmodules gives for the submodule at `path`; "" when it gives none.
std::string submoduleUrl(const FileIndex &index, Blobs &blobs, const std::string &path);

// Masks what stands before the host, which may be a password.
std::string withoutUser(const std::string &url);

} // namespace skillhost::github
