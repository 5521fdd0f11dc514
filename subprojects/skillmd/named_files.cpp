// SPDX-License-Identifier: Apache-2.0
#include "skillmd/named_files.hpp"

#include "skillmd/characters.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

bool continuesFileName(char before) noexcept {
  return letter(before) || digit(before) || before == '_' || before == '-';
}

// Holds the names of files, sorted and unique, so that names with the same beginning are
// neighbours.
class NamesInOrder {
public:
  explicit NamesInOrder(const std::vector<std::string> &paths) {
    for (const std::string &path : paths) names_.push_back(nameOf(path));
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    found_.resize(names_.size());
    for (const std::string_view name : names_)
      if (!name.empty()) begins_[static_cast<unsigned char>(name[0])] = true;
  }

  static std::string_view nameOf(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
  }
  bool mayBegin(char c) const noexcept { return begins_[static_cast<unsigned char>(c)]; }
  // Marks the names with which `rest` begins.
  void look(std::string_view rest, std::size_t &steps) {
    auto first = names_.begin(), last = names_.end();
    for (std::size_t depth = 0; steps != 0; ++depth, --steps) {
      // The shortest name that begins with these bytes comes first.
      if (first != last && first->size() == depth) {
        found_[static_cast<std::size_t>(first - names_.begin())] = true;
        ++first;
      }
      if (first == last || depth == rest.size()) return;
      const auto byteOf = [depth](std::string_view name) {
        return static_cast<unsigned char>(name[depth]);
      };
      const auto next = static_cast<unsigned char>(rest[depth]);
      first = std::lower_bound(first, last, next, [&](std::string_view name, unsigned char wanted) {
        return byteOf(name) < wanted;
      });
      last = std::upper_bound(first, last, next, [&](unsigned char wanted, std::string_view name) {
        return wanted < byteOf(name);
      });
    }
  }
  bool has(std::string_view name) const {
    const auto at = std::lower_bound(names_.begin(), names_.end(), name);
    return found_[static_cast<std::size_t>(at - names_.begin())];
  }

private:
  std::vector<std::string_view> names_;
  std::vector<bool> found_; // parallel to names_
  std::array<bool, 256> begins_{};
};

} // namespace

std::vector<bool> namedFiles(const std::vector<std::string> &paths, std::string_view text,
                             std::size_t &steps) {
  NamesInOrder names(paths);
  for (std::size_t at = 0; at < text.size() && steps != 0; ++at)
    if (names.mayBegin(text[at]) && (at == 0 || !continuesFileName(text[at - 1])))
      names.look(text.substr(at), steps);
  std::vector<bool> named;
  named.reserve(paths.size());
  for (const std::string &path : paths) named.push_back(names.has(NamesInOrder::nameOf(path)));
  return named;
}

} // namespace skillhost
