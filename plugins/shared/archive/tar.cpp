// SPDX-License-Identifier: Apache-2.0
#include "tar.hpp"

#include "library.hpp"

#include <set>
#include <stdexcept>

namespace skillhost::archive {
namespace {

constexpr mode_t fileMode = 0644;

class Taking {
public:
  Taking(std::string_view bytes, const TarLimits &limits)
      : reader_(libarchive().read_new()), limits_(limits) {
    if (!reader_ || libarchive().read_support_format_tar(reader_.get()) != ARCHIVE_OK ||
        libarchive().read_open_memory(reader_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
      failOf(reader_.get(), "this is no tar archive");
  }

  std::vector<TarFile> all() {
    archive_entry *entry = nullptr;
    while (true) {
      const int status = libarchive().read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_EOF) return std::move(files_);
      // ARCHIVE_WARN only means that the locale lacks characters of a name, which then keeps its
      // bytes.
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
        failOf(reader_.get(), "the archive is damaged");
      take(entry);
    }
  }

private:
  void take(archive_entry *entry) {
    const char *name = libarchive().entry_pathname(entry);
    const std::string path = name == nullptr ? "" : name;
    if (!isSafe(path)) refuse(path, "its path is not safe");
    if (libarchive().entry_hardlink(entry) != nullptr ||
        libarchive().entry_symlink(entry) != nullptr)
      refuse(path, "is a link, which no skill may have");
    const auto type = libarchive().entry_filetype(entry);
    if (type != AE_IFREG && type != AE_IFDIR) refuse(path, "is neither a file nor a folder");
    if (++entries_ > 2 * limits_.files) refuse(path, "is one more than the archive may have");
    if (type == AE_IFDIR) return;
    if (files_.size() == limits_.files) refuse(path, "is one file more than there may be");
    if (!paths_.insert(path).second) refuse(path, "is there twice");
    const std::int64_t size = libarchive().entry_size(entry);
    if (libarchive().entry_size_is_set(entry) == 0 || size < 0 ||
        static_cast<std::uint64_t>(size) > limits_.bytes - bytes_)
      refuse(path, "is larger than there is room for");
    bytes_ += static_cast<std::size_t>(size);
    TarFile file{path, std::string(static_cast<std::size_t>(size), '\0')};
    if (libarchive().read_data(reader_.get(), file.bytes.data(), file.bytes.size()) != size)
      failOf(reader_.get(), "\"" + path + "\" cannot be read");
    files_.push_back(std::move(file));
  }
  [[noreturn]] static void refuse(const std::string &path, const std::string &why) {
    throw std::runtime_error("\"" + path + "\" " + why);
  }

  Reader reader_;
  const TarLimits limits_;
  std::vector<TarFile> files_;
  std::set<std::string> paths_;
  std::size_t entries_ = 0, bytes_ = 0;
};

} // namespace

std::string writeTar(const std::vector<TarFile> &files) {
  TarWriter writer(TarWriter::Form::Blocks);
  for (const TarFile &file : files) writer.add(file.path, file.bytes, fileMode);
  return writer.finish();
}

std::vector<TarFile> readTar(std::string_view bytes, const TarLimits &limits) {
  return Taking(bytes, limits).all();
}

} // namespace skillhost::archive
