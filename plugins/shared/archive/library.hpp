// SPDX-License-Identifier: Apache-2.0
// Loads libarchive when it is first needed, because it needs ten other libraries, which would delay
// every start. Also has helpers for the sources of this folder, which alone may include this
// header.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <locale.h> // NOLINT(modernize-deprecated-headers): <clocale> promises no newlocale

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost::archive {

// The library's functions without their prefix.
struct LibArchive {
  decltype(&::archive_entry_clear) entry_clear;
  decltype(&::archive_entry_filetype) entry_filetype;
  decltype(&::archive_entry_free) entry_free;
  decltype(&::archive_entry_hardlink) entry_hardlink;
  decltype(&::archive_entry_new) entry_new;
  decltype(&::archive_entry_pathname) entry_pathname;
  decltype(&::archive_entry_pathname_utf8) entry_pathname_utf8;
  decltype(&::archive_entry_perm) entry_perm;
  decltype(&::archive_entry_set_filetype) entry_set_filetype;
  decltype(&::archive_entry_set_mtime) entry_set_mtime;
  decltype(&::archive_entry_set_pathname) entry_set_pathname;
  decltype(&::archive_entry_set_perm) entry_set_perm;
  decltype(&::archive_entry_set_size) entry_set_size;
  decltype(&::archive_entry_size) entry_size;
  decltype(&::archive_entry_size_is_set) entry_size_is_set;
  decltype(&::archive_entry_sparse_count) entry_sparse_count;
  decltype(&::archive_entry_symlink) entry_symlink;
  decltype(&::archive_error_string) error_string;
  decltype(&::archive_filter_bytes) filter_bytes;
  decltype(&::archive_filter_count) filter_count;
  decltype(&::archive_read_data) read_data;
  decltype(&::archive_read_free) read_free;
  decltype(&::archive_read_new) read_new;
  decltype(&::archive_read_next_header) read_next_header;
  decltype(&::archive_read_open) read_open;
  decltype(&::archive_read_open_memory) read_open_memory;
  decltype(&::archive_read_support_filter_gzip) read_support_filter_gzip;
  decltype(&::archive_read_support_filter_zstd) read_support_filter_zstd;
  decltype(&::archive_read_support_format_tar) read_support_format_tar;
  decltype(&::archive_read_support_format_zip_seekable) read_support_format_zip_seekable;
  decltype(&::archive_write_add_filter_gzip) write_add_filter_gzip;
  decltype(&::archive_write_close) write_close;
  decltype(&::archive_write_data) write_data;
  decltype(&::archive_write_free) write_free;
  decltype(&::archive_write_header) write_header;
  decltype(&::archive_write_new) write_new;
  decltype(&::archive_write_open) write_open;
  decltype(&::archive_write_set_bytes_in_last_block) write_set_bytes_in_last_block;
  decltype(&::archive_write_set_bytes_per_block) write_set_bytes_per_block;
  decltype(&::archive_write_set_format_gnutar) write_set_format_gnutar;
  decltype(&::archive_write_set_options) write_set_options;
};

// Any thread may call it. The library stays loaded. Throws std::runtime_error if it is not
// installed.
const LibArchive &libarchive();

template <auto release> struct ReleaseArchive {
  template <class T> void operator()(T *object) const { (libarchive().*release)(object); }
};
using Writer = std::unique_ptr<::archive, ReleaseArchive<&LibArchive::write_free>>;
using Reader = std::unique_ptr<::archive, ReleaseArchive<&LibArchive::read_free>>;
using Entry = std::unique_ptr<archive_entry, ReleaseArchive<&LibArchive::entry_free>>;

// Throws std::runtime_error with the message of libarchive.
[[noreturn]] void failOf(::archive *archive, const std::string &what);
// Writes a tar in GNU's form whose entries have no time and no owner, so that the same files give
// the same bytes. Throws std::runtime_error.
class TarWriter {
public:
  // Blocks: padded to whole blocks of 10 KiB, as tar(1) does. Bare: without padding. Gzip:
  // compressed, without a time.
  enum class Form : std::uint8_t { Blocks, Bare, Gzip };
  explicit TarWriter(Form form);
  TarWriter(const TarWriter &) = delete;
  TarWriter &operator=(const TarWriter &) = delete;
  void add(const std::string &path, std::string_view bytes, mode_t mode);
  std::string finish(); // may be called once

private:
  bool open(Form form);

  std::string out_; // destination of the writer
  Writer writer_;
  Entry entry_;
};

// True if the path has no empty, "." or ".." segment, no backslash and no control character. A
// single slash at the end, as folders have, is allowed.
bool isSafe(std::string_view path);

// libarchive converts some names to the locale's characters and drops those that the locale lacks.
// While this object lives, this thread has a locale with all characters.
class AllCharacters {
public:
  AllCharacters();
  ~AllCharacters();
  AllCharacters(const AllCharacters &) = delete;
  AllCharacters &operator=(const AllCharacters &) = delete;

private:
  locale_t before_;
};

// Returns the name without "./" at its beginning. Names that the locale cannot represent keep their
// bytes.
std::string nameOf(archive_entry *entry);
// Returns the target of a link at `path`, without "." and ".."; "" if it is outside.
std::string followed(const std::string &path, std::string_view target);

} // namespace skillhost::archive
