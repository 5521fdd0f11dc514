// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include "packed.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace skillhost::archive {
namespace {

constexpr const char *fileName = "libarchive.so.13"; // its ABI has not changed since 2013

constexpr int blockBytes = 20 * 512;

LibArchive loadLibrary() {
  void *const library = ::dlopen(fileName, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  LibArchive found{};
  const auto find = [library](auto &function, const char *name) {
    void *const symbol = ::dlsym(library, name);
    if (symbol == nullptr) throw std::runtime_error(std::string(fileName) + " has no " + name);
    function = std::bit_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(found.entry_clear, "archive_entry_clear");
  find(found.entry_filetype, "archive_entry_filetype");
  find(found.entry_free, "archive_entry_free");
  find(found.entry_hardlink, "archive_entry_hardlink");
  find(found.entry_new, "archive_entry_new");
  find(found.entry_pathname, "archive_entry_pathname");
  find(found.entry_pathname_utf8, "archive_entry_pathname_utf8");
  find(found.entry_perm, "archive_entry_perm");
  find(found.entry_set_filetype, "archive_entry_set_filetype");
  find(found.entry_set_mtime, "archive_entry_set_mtime");
  find(found.entry_set_pathname, "archive_entry_set_pathname");
  find(found.entry_set_perm, "archive_entry_set_perm");
  find(found.entry_set_size, "archive_entry_set_size");
  find(found.entry_size, "archive_entry_size");
  find(found.entry_size_is_set, "archive_entry_size_is_set");
  find(found.entry_sparse_count, "archive_entry_sparse_count");
  find(found.entry_symlink, "archive_entry_symlink");
  find(found.error_string, "archive_error_string");
  find(found.filter_bytes, "archive_filter_bytes");
  find(found.filter_count, "archive_filter_count");
  find(found.read_data, "archive_read_data");
  find(found.read_free, "archive_read_free");
  find(found.read_new, "archive_read_new");
  find(found.read_next_header, "archive_read_next_header");
  find(found.read_open, "archive_read_open");
  find(found.read_open_memory, "archive_read_open_memory");
  find(found.read_support_filter_gzip, "archive_read_support_filter_gzip");
  find(found.read_support_filter_zstd, "archive_read_support_filter_zstd");
  find(found.read_support_format_tar, "archive_read_support_format_tar");
  find(found.read_support_format_zip_seekable, "archive_read_support_format_zip_seekable");
  find(found.write_add_filter_gzip, "archive_write_add_filter_gzip");
  find(found.write_close, "archive_write_close");
  find(found.write_data, "archive_write_data");
  find(found.write_free, "archive_write_free");
  find(found.write_header, "archive_write_header");
  find(found.write_new, "archive_write_new");
  find(found.write_open, "archive_write_open");
  find(found.write_set_bytes_in_last_block, "archive_write_set_bytes_in_last_block");
  find(found.write_set_bytes_per_block, "archive_write_set_bytes_per_block");
  find(found.write_set_format_gnutar, "archive_write_set_format_gnutar");
  find(found.write_set_options, "archive_write_set_options");
  return found;
}

// Created once and kept. Null if the system has no such locale; it then changes nothing.
locale_t allCharacters() {
  static const locale_t made = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return made;
}

// Appends to `out`, a std::string.
la_ssize_t append(::archive * /*archive*/, void *out, const void *bytes, std::size_t size) {
  static_cast<std::string *>(out)->append(static_cast<const char *>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

} // namespace

const LibArchive &libarchive() {
  static const LibArchive loaded = loadLibrary();
  return loaded;
}

void requireLibrary() { libarchive(); }

void failOf(::archive *archive, const std::string &what) {
  const char *why = archive == nullptr ? nullptr : libarchive().error_string(archive);
  throw std::runtime_error(what + ": " + (why == nullptr ? "out of memory" : why));
}

TarWriter::TarWriter(Form form)
    : writer_(libarchive().write_new()), entry_(libarchive().entry_new()) {
  if (!writer_ || !entry_ || !open(form)) failOf(writer_.get(), "an archive cannot be made");
}

bool TarWriter::open(Form form) {
  const LibArchive &library = libarchive();
  ::archive *const writer = writer_.get();
  if (library.write_set_format_gnutar(writer) != ARCHIVE_OK) return false;
  if (form == Form::Gzip && (library.write_add_filter_gzip(writer) != ARCHIVE_OK ||
                             library.write_set_options(writer, "gzip:!timestamp") != ARCHIVE_OK))
    return false;
  const int framed = form == Form::Blocks ? library.write_set_bytes_per_block(writer, blockBytes)
                                          : library.write_set_bytes_in_last_block(writer, 1);
  return framed == ARCHIVE_OK &&
         library.write_open(writer, &out_, nullptr, &append, nullptr) == ARCHIVE_OK;
}

void TarWriter::add(const std::string &path, std::string_view bytes, mode_t mode) {
  const LibArchive &library = libarchive();
  archive_entry *const entry = entry_.get();
  library.entry_clear(entry);
  library.entry_set_pathname(entry, path.c_str());
  library.entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
  library.entry_set_filetype(entry, AE_IFREG);
  library.entry_set_perm(entry, mode);
  library.entry_set_mtime(entry, 0, 0);
  if (library.write_header(writer_.get(), entry) != ARCHIVE_OK ||
      library.write_data(writer_.get(), bytes.data(), bytes.size()) !=
          static_cast<la_ssize_t>(bytes.size()))
    failOf(writer_.get(), "\"" + path + "\" cannot be written");
}

std::string TarWriter::finish() {
  if (libarchive().write_close(writer_.get()) != ARCHIVE_OK)
    failOf(writer_.get(), "cannot be finished");
  return std::move(out_);
}

bool isSafe(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (path.find('\\') != path.npos || std::any_of(path.begin(), path.end(), control)) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return true;
}

AllCharacters::AllCharacters() : before_(::uselocale(allCharacters())) {}
AllCharacters::~AllCharacters() { ::uselocale(before_); }

std::string nameOf(archive_entry *entry) {
  const char *name = libarchive().entry_pathname_utf8(entry);
  if (name == nullptr) name = libarchive().entry_pathname(entry);
  std::string_view path = name == nullptr ? "" : name;
  while (path.starts_with("./"))
    path.remove_prefix(std::min(path.find_first_not_of('/', 1), path.size()));
  return std::string(path);
}

std::string followed(const std::string &path, std::string_view target) {
  if (target.empty() || target.front() == '/') return {};
  std::string folder = path.substr(0, path.rfind('/') == path.npos ? 0 : path.rfind('/'));
  while (!target.empty()) {
    const std::string_view part = target.substr(0, target.find('/'));
    target.remove_prefix(std::min(target.size(), part.size() + 1));
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      folder += (folder.empty() ? "" : "/") + std::string(part);
      continue;
    }
    if (folder.empty()) return {};
    folder.resize(folder.rfind('/') == folder.npos ? 0 : folder.rfind('/'));
  }
  return folder;
}

} // namespace skillhost::archive
