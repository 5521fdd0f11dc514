// SPDX-License-Identifier: Apache-2.0
#include "layers.hpp"

#include "library.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace skillhost::archive {
namespace {

// Size up to which the ratio is not checked.
constexpr std::uint64_t freeOfLayers = std::uint64_t{1} << 20U;
// Size of a part between two checks of the output. zstd turns one byte into at most 32,768.
constexpr std::size_t partBytes = 4'096;
constexpr int packedOnce = 2; // libarchive counts the uncompressed data as another filter
constexpr std::size_t maxPathBytes = 4'096, maxPathDepth = 128; // bytes, segments
constexpr std::string_view whiteout = ".wh.", opaque = ".wh..wh..opq";

[[noreturn]] void refuseEntry(const std::string &path, const std::string &why) {
  throw std::runtime_error("\"" + path.substr(0, 100) + "\" " + why);
}

bool isTooLong(std::string_view path) {
  return path.size() > maxPathBytes ||
         static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) > maxPathDepth;
}

// True if the path is outside of the layer or has a second spelling.
bool leavesLayer(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..") return true;
    begin = end + 1;
  }
  return false;
}

// Reads one archive entry by entry.
class LayerReading {
public:
  // `budget`: unpacked bytes that all layers may still have.
  LayerReading(std::string_view packed, const LayerLimits &limits, std::uint64_t budget)
      : packed_(packed), limits_(limits), budget_(budget), reader_(libarchive().read_new()) {
    ::archive *const reader = reader_.get();
    // ARCHIVE_WARN means that an external program would be needed, which is not wanted.
    const bool opened = reader != nullptr &&
                        libarchive().read_support_filter_gzip(reader) == ARCHIVE_OK &&
                        libarchive().read_support_filter_zstd(reader) == ARCHIVE_OK &&
                        libarchive().read_support_format_tar(reader) == ARCHIVE_OK;
    if (!opened) failOf(reader, "tar archives packed by gzip and zstd cannot be read here");
    check(libarchive().read_open(reader, this, nullptr, &LayerReading::give, nullptr));
    if (libarchive().filter_count(reader) > packedOnce)
      throw std::runtime_error("it is compressed more than once");
  }

  // Returns nullptr at the end.
  archive_entry *next() {
    if (limits_.checkpoint) limits_.checkpoint();
    archive_entry *entry = nullptr;
    const int status = libarchive().read_next_header(reader_.get(), &entry);
    const bool isEnd = status == ARCHIVE_EOF;
    check(isEnd ? ARCHIVE_OK : status);
    judge();
    return isEnd ? nullptr : entry;
  }

  std::string read(archive_entry *entry, std::uint64_t size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t had = 0;
    while (had < bytes.size()) {
      const la_ssize_t got =
          libarchive().read_data(reader_.get(), bytes.data() + had, bytes.size() - had);
      if (got <= 0) {
        if (isTooMuch_) judge();
        failOf(reader_.get(), "\"" + nameOf(entry) + "\" cannot be unpacked");
      }
      had += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  std::uint64_t unpacked() const { return passed(0); }

private:
  static la_ssize_t give(::archive * /*reader*/, void *self, const void **part) {
    auto &reading = *static_cast<LayerReading *>(self);
    if (reading.isBeyond()) {
      reading.isTooMuch_ = true;
      return ARCHIVE_FATAL;
    }
    const std::string_view next = reading.packed_.substr(reading.given_, partBytes);
    *part = next.data();
    reading.given_ += next.size();
    return static_cast<la_ssize_t>(next.size());
  }

  std::uint64_t passed(int filter) const {
    const std::int64_t bytes = libarchive().filter_bytes(reader_.get(), filter);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }
  bool isBloated() const {
    return unpacked() > freeOfLayers && unpacked() / limits_.ratio > given_;
  }
  bool isBeyond() const { return unpacked() > budget_ || isBloated(); }

  void judge() const {
    if (unpacked() > budget_)
      throw std::runtime_error("the layers unpack to more than the " +
                               std::to_string(limits_.bytes) + " bytes that they may have");
    if (isBloated())
      throw std::runtime_error("a layer unpacks to more than " + std::to_string(limits_.ratio) +
                               " times its size");
  }

  void check(int status) const {
    if (isTooMuch_) judge();
    // ARCHIVE_WARN only means that the locale lacks characters of a name.
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) return;
    failOf(reader_.get(), "the layer is damaged");
  }

  const std::string_view packed_;
  const LayerLimits &limits_;
  const std::uint64_t budget_;
  std::size_t given_ = 0;
  bool isTooMuch_ = false;
  Reader reader_;
};

void removeBelow(LayeredTree &tree, const std::string &folder) {
  const std::string prefix = folder.empty() ? "" : folder + "/";
  auto at = tree.lower_bound(prefix);
  while (at != tree.end() && at->first.starts_with(prefix)) at = tree.erase(at);
}

// The changes of one layer: what it adds, and what it removes from the layers below.
class LayerContent {
public:
  LayerContent(std::size_t number, std::size_t &entriesLeft)
      : number_(number), entriesLeft_(entriesLeft) {}

  void take(archive_entry *entry) {
    std::string path = nameOf(entry);
    const auto type = libarchive().entry_filetype(entry);
    if (entriesLeft_-- == 0) refuseEntry(path, "is one entry more than the layers may have");
    if (type == AE_IFDIR && (path.empty() || path == ".")) return; // the root itself
    if (isTooLong(path)) refuseEntry(path, "is too long a path");
    if (leavesLayer(path)) refuseEntry(path, "is no path within the layer");
    if (path.ends_with('/')) path.pop_back();
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == path.npos ? "" : path.substr(0, slash);
    const std::string name = slash == path.npos ? path : path.substr(slash + 1);
    if (name == opaque) return opaque_.push_back(folder);
    if (name.starts_with(whiteout)) {
      const std::string gone = name.substr(whiteout.size());
      if (gone.empty() || gone == "." || gone == "..") refuseEntry(path, "takes nothing away");
      return removed_.push_back(folder.empty() ? gone : folder + "/" + gone);
    }
    if (type == AE_IFDIR) return folders_.push_back(std::move(path));
    if (!added_.emplace(path, describe(entry, path, type)).second)
      refuseEntry(path, "is there twice");
  }

  void addFile(std::string_view path, std::uint64_t size) {
    if (isTooLong(path)) refuseEntry(std::string(path), "is too long a path");
    if (path.starts_with('/') || leavesLayer(path) || path.ends_with('/'))
      refuseEntry(std::string(path), "is no path within the layer");
    LayeredEntry file;
    file.layer = number_;
    file.size = size;
    added_.emplace(path, std::move(file));
  }

  void layOver(LayeredTree &tree) && {
    for (const std::string &folder : opaque_) removeBelow(tree, folder);
    for (const std::string &path : removed_) {
      tree.erase(path);
      removeBelow(tree, path);
    }
    for (const std::string &path : folders_) tree.erase(path); // a folder replaces a file
    for (auto &[path, entry] : added_) {
      // A file replaces a folder of a lower layer, and folders above the file replace files.
      removeBelow(tree, path);
      for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
        if (const auto file = tree.find(std::string_view(path).substr(0, at)); file != tree.end())
          tree.erase(file);
    }
    for (auto &[path, entry] : added_) tree.insert_or_assign(path, std::move(entry));
  }

private:
  LayeredEntry describe(archive_entry *entry, const std::string &path, mode_t type) const {
    LayeredEntry made;
    made.layer = number_;
    if (const char *const target = libarchive().entry_hardlink(entry); target != nullptr) {
      made.kind = LayeredKind::link;
      // Relative to the root of the layer.
      if (!isTooLong(target)) made.target = followed("", target);
    } else if (type == AE_IFLNK) {
      const char *const target2 = libarchive().entry_symlink(entry);
      made.kind = LayeredKind::link;
      if (target2 != nullptr && !isTooLong(target2)) made.target = followed(path, target2);
    } else if (type == AE_IFREG && libarchive().entry_sparse_count(entry) == 0) {
      const std::int64_t size = libarchive().entry_size(entry);
      made.size = size < 0 ? 0 : static_cast<std::uint64_t>(size);
      made.executable = (libarchive().entry_perm(entry) & 0111U) != 0;
    } else {
      made.kind = LayeredKind::other;
    }
    return made;
  }

  const std::size_t number_;
  std::size_t &entriesLeft_;
  LayeredTree added_;
  std::vector<std::string> opaque_, removed_, folders_;
};

} // namespace

LayeredTree listLayers(const std::vector<Layer> &layers, const LayerLimits &limits) {
  const AllCharacters characters;
  LayeredTree tree;
  std::size_t entriesLeft = limits.entries;
  std::uint64_t budget = limits.bytes;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    LayerContent content(i, entriesLeft);
    if (!layers[i].title.empty()) {
      content.addFile(layers[i].title, layers[i].bytes.size());
    } else {
      LayerReading reading(layers[i].bytes, limits, budget);
      while (archive_entry *const entry = reading.next()) content.take(entry);
      budget -= std::min(budget, reading.unpacked());
    }
    std::move(content).layOver(tree);
  }
  return tree;
}

std::map<std::string, std::string> readLayered(const std::vector<Layer> &layers,
                                               const LayeredTree &tree,
                                               const std::set<std::string> &wanted,
                                               const LayerLimits &limits) {
  const AllCharacters characters;
  std::map<std::string, std::string> files;
  std::set<std::size_t> used;
  for (const std::string &path : wanted) {
    const LayeredEntry &entry = tree.at(path);
    if (entry.kind != LayeredKind::file) refuseEntry(path, "is no file");
    const Layer &layer = layers.at(entry.layer);
    if (!layer.title.empty())
      files.emplace(path, layer.bytes);
    else
      used.insert(entry.layer);
  }
  for (const std::size_t number : used) {
    LayerReading reading(layers[number].bytes, limits, limits.bytes);
    while (archive_entry *const entry = reading.next()) {
      const std::string path = nameOf(entry);
      const auto known = tree.find(path);
      if (libarchive().entry_filetype(entry) != AE_IFREG || known == tree.end() ||
          known->second.layer != number || libarchive().entry_hardlink(entry) != nullptr ||
          !wanted.contains(path))
        continue;
      files.emplace(path, reading.read(entry, known->second.size));
    }
  }
  if (files.size() != wanted.size())
    throw std::runtime_error("the layers changed while they were read");
  return files;
}

} // namespace skillhost::archive
