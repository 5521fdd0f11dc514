// SPDX-License-Identifier: Apache-2.0
#include "tar_stream.hpp"

#include "library.hpp"

#include <exception>
#include <stdexcept>

namespace skillhost::archive {
namespace {

// Size up to which the ratio is not checked.
constexpr std::uint64_t freeBytes = std::uint64_t{1} << 20U;

class Stream {
public:
  Stream(const std::function<std::string_view()> &more, const StreamLimits &limits)
      : more_(more), limits_(limits), reader_(libarchive().read_new()) {
    ::archive *const reader = reader_.get();
    // ARCHIVE_WARN means that an external program would be needed, which is not wanted.
    if (reader == nullptr || libarchive().read_support_filter_gzip(reader) != ARCHIVE_OK ||
        libarchive().read_support_format_tar(reader) != ARCHIVE_OK)
      throw std::runtime_error("tar archives packed by gzip cannot be read here");
    check(libarchive().read_open(reader, this, nullptr, &Stream::give, nullptr));
  }

  void read(const std::function<void(std::string_view)> &take) {
    for (std::size_t entries = 0;; ++entries) {
      archive_entry *entry = nullptr;
      const int status = libarchive().read_next_header(reader_.get(), &entry);
      const bool isEnd = status == ARCHIVE_EOF;
      check(isEnd ? ARCHIVE_OK : status); // a failed part looks like the end
      judge();
      if (isEnd) return;
      if (entries == limits_.entries)
        throw std::runtime_error("the archive has more than " + std::to_string(entries) +
                                 " entries");
      if (libarchive().entry_filetype(entry) == AE_IFLNK) {
        if (const char *const target = libarchive().entry_symlink(entry)) take(target);
      } else if (libarchive().entry_filetype(entry) == AE_IFREG) {
        readFile(entry, take);
      }
    }
  }

private:
  static la_ssize_t give(::archive * /*reader*/, void *self, const void **part) {
    auto &stream = *static_cast<Stream *>(self);
    try {
      stream.judge();
      const std::string_view next = stream.more_();
      *part = next.data();
      return static_cast<la_ssize_t>(next.size());
    } catch (...) {
      stream.failure_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }

  void readFile(archive_entry *entry, const std::function<void(std::string_view)> &take) {
    const std::int64_t size = libarchive().entry_size(entry);
    if (libarchive().entry_hardlink(entry) != nullptr || size < 0 ||
        static_cast<std::uint64_t>(size) > limits_.entryBytes)
      return;
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t had = 0;
    while (had < bytes.size()) {
      const la_ssize_t got =
          libarchive().read_data(reader_.get(), bytes.data() + had, bytes.size() - had);
      if (got <= 0) check(got < 0 ? static_cast<int>(got) : ARCHIVE_FATAL);
      had += static_cast<std::size_t>(got > 0 ? got : 0);
    }
    take(bytes);
  }

  // Returns the bytes that left a filter: 0 is the last one, and -1 is the source before the first.
  std::uint64_t passed(int filter) const {
    const std::int64_t bytes = libarchive().filter_bytes(reader_.get(), filter);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }

  // Called before more is inflated.
  void judge() const {
    const std::uint64_t unpacked = passed(0);
    const std::uint64_t packed = passed(-1);
    if (unpacked > limits_.bytes)
      throw std::runtime_error("the archive holds more than " + std::to_string(limits_.bytes) +
                               " bytes");
    if (unpacked > freeBytes && unpacked / limits_.ratio > packed)
      throw std::runtime_error("the archive grows to more than " + std::to_string(limits_.ratio) +
                               " times its size");
  }

  void check(int status) const {
    if (failure_) std::rethrow_exception(failure_);
    // ARCHIVE_WARN only means that the locale lacks characters of a name.
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) return;
    const char *const why = libarchive().error_string(reader_.get());
    throw std::runtime_error(std::string("the archive is damaged: ") +
                             (why == nullptr ? "it ends too early" : why));
  }

  const std::function<std::string_view()> &more_;
  const StreamLimits &limits_;
  std::exception_ptr failure_;
  Reader reader_;
};

} // namespace

void readTarStream(const std::function<std::string_view()> &more, const StreamLimits &limits,
                   const std::function<void(std::string_view)> &take) {
  Stream(more, limits).read(take);
}

} // namespace skillhost::archive
