// SPDX-License-Identifier: Apache-2.0
#include "packed.hpp"

#include "library.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

namespace skillhost::archive {
namespace {

constexpr std::size_t freeOfRatio = std::size_t{1} << 20U;
constexpr int maxLinks = 8;       // links in a row
constexpr int onceCompressed = 2; // libarchive counts the uncompressed data as another filter

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw std::runtime_error("\"" + path + "\" " + why);
}

class Unpacking {
public:
  Unpacking(std::string_view packed, const PackedLimits &limits)
      : reader_(libarchive().read_new()), limits_(limits),
        maxBytes_(std::min(limits.bytes, std::max(freeOfRatio, maxRatio * packed.size()))) {
    const bool isZip = packed.starts_with("PK");
    if (!isZip && !packed.starts_with("\x1f\x8b"))
      throw std::runtime_error("it is neither a .tar.gz nor a .zip");
    const bool opened =
        reader_ &&
        (isZip ? libarchive().read_support_format_zip_seekable(reader_.get())
               : std::min(libarchive().read_support_filter_gzip(reader_.get()),
                          libarchive().read_support_format_tar(reader_.get()))) == ARCHIVE_OK &&
        libarchive().read_open_memory(reader_.get(), packed.data(), packed.size()) == ARCHIVE_OK;
    if (!opened) failOf(reader_.get(), "it cannot be unpacked");
    if (libarchive().filter_count(reader_.get()) > onceCompressed)
      throw std::runtime_error("it is compressed more than once");
  }

  std::vector<PackedFile> all() {
    archive_entry *entry = nullptr;
    while (true) {
      const int status = libarchive().read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_EOF) break;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) failOf(reader_.get(), "it is damaged");
      take(entry);
    }
    for (const auto &[path, target] : links_) link(path);
    std::vector<PackedFile> files;
    files.reserve(files_.size());
    for (auto &[path, file] : files_) files.push_back(std::move(file));
    return files;
  }

private:
  void take(archive_entry *entry) {
    const std::string path = nameOf(entry);
    const auto type = libarchive().entry_filetype(entry);
    if (++entries_ > 2 * limits_.files + 1) refuse(path, "is one more than there may be");
    if (type == AE_IFDIR && (path.empty() || path == ".")) return; // the root itself
    if (!isSafe(path)) refuse(path, "is no safe path");
    if (path.size() > maxPathBytes ||
        static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) > maxSegments)
      refuse(path.substr(0, 100), "is too long a path");
    if (const char *const target = libarchive().entry_hardlink(entry); target != nullptr) {
      std::string to = target;
      if (to.starts_with("./")) to.erase(0, 2);
      return remember(path, std::move(to));
    }
    if (type == AE_IFLNK) {
      const char *const target = libarchive().entry_symlink(entry);
      return remember(path, followed(path, target == nullptr ? "" : target));
    }
    if (type == AE_IFDIR) return;
    if (type != AE_IFREG) refuse(path, "is neither a file nor a folder");
    add(path).executable = (libarchive().entry_perm(entry) & 0111U) != 0;
    read(path, files_.at(path).bytes);
  }

  PackedFile &add(const std::string &path) {
    if (files_.contains(path) || links_.contains(path)) refuse(path, "is there twice");
    if (files_.size() + links_.size() == limits_.files)
      refuse(path,
             "is one file more than the " + std::to_string(limits_.files) + " that there may be");
    PackedFile &file = files_[path];
    file.path = path;
    return file;
  }

  void read(const std::string &path, std::string &into) {
    std::array<char, 65'536> part; // NOLINT(cppcoreguidelines-pro-type-member-init): written first
    while (true) {
      const la_ssize_t got = libarchive().read_data(reader_.get(), part.data(), part.size());
      if (got < 0) failOf(reader_.get(), "\"" + path + "\" cannot be unpacked");
      if (got == 0) return;
      count(path, static_cast<std::size_t>(got));
      into.append(part.data(), static_cast<std::size_t>(got));
    }
  }

  void count(const std::string &path, std::size_t bytes) {
    if (bytes > maxBytes_ - bytes_)
      refuse(path, maxBytes_ < limits_.bytes
                       ? "makes it more than " + std::to_string(maxRatio) +
                             " times as large as it is packed"
                       : "makes it more than the " + std::to_string(limits_.bytes) +
                             " bytes that it may have");
    bytes_ += bytes;
  }

  void remember(const std::string &path, std::string target) {
    add(path);
    files_.erase(path); // the link is added again with the content of its target
    links_.emplace(path, std::move(target));
  }

  void link(const std::string &path) {
    std::string at = path;
    for (int steps = 0; links_.contains(at); ++steps) {
      if (steps == maxLinks) refuse(path, "is a link that leads in a circle");
      at = links_.at(at);
    }
    const auto target = files_.find(at);
    if (target == files_.end()) refuse(path, "is a link that leads to no file of the archive");
    count(path, target->second.bytes.size());
    files_[path] = {path, target->second.bytes, target->second.executable};
  }

  Reader reader_;
  const PackedLimits limits_;
  const std::size_t maxBytes_;
  std::map<std::string, PackedFile> files_;
  std::map<std::string, std::string> links_; // target by path
  std::size_t entries_ = 0, bytes_ = 0;
};

} // namespace

std::vector<PackedFile> readPacked(std::string_view bytes, const PackedLimits &limits) {
  const AllCharacters characters;
  return Unpacking(bytes, limits).all();
}

namespace {

std::string writeArchive(const std::vector<PackedFile> &files, TarWriter::Form form) {
  TarWriter writer(form);
  for (const PackedFile &file : files)
    writer.add(file.path, file.bytes, file.executable ? 0755 : 0644);
  return writer.finish();
}

} // namespace

std::string writePacked(const std::vector<PackedFile> &files) {
  return writeArchive(files, TarWriter::Form::Gzip);
}

std::string writeUnpacked(const std::vector<PackedFile> &files) {
  return writeArchive(files, TarWriter::Form::Bare);
}

} // namespace skillhost::archive
