// SPDX-License-Identifier: Apache-2.0
// What the sources of this folder, the only ones that include libarchive, have in common.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <string>
#include <string_view>

namespace skillhost::archive {

template <auto release> struct ReleaseArchive {
  template <class T> void operator()(T *object) const { release(object); }
};
using Writer = std::unique_ptr<::archive, ReleaseArchive<&archive_write_free>>;
using Reader = std::unique_ptr<::archive, ReleaseArchive<&archive_read_free>>;
using Entry = std::unique_ptr<archive_entry, ReleaseArchive<&archive_entry_free>>;

// Throws std::runtime_error with what libarchive has to say.
[[noreturn]] void failOf(::archive *archive, const std::string &what);
// Appends to the std::string that `out` is.
la_ssize_t append(::archive *archive, void *out, const void *bytes, std::size_t size);
// No empty, "." or ".." segment, no backslash, no control character; one ending slash, as folders
// have, is no segment.
bool isSafe(std::string_view path);

} // namespace skillhost::archive
