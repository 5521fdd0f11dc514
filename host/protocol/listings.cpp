// SPDX-License-Identifier: Apache-2.0
#include "listings.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t mostTexts = 256;  // of one catalogue
constexpr std::size_t mostShelves = 16; // catalogues of one generation, as callers see them

// "<generation>-<begin>" in hexadecimal; nothing else is a cursor of ours.
bool readCursor(std::string_view cursor, std::uint64_t &generation, std::size_t &begin) {
  const char *const begins = cursor.data(); // NOLINT(bugprone-suspicious-stringview-data-usage)
  const char *const end = begins + cursor.size();
  const auto first = std::from_chars(begins, end, generation, 16);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return false;
  const auto second = std::from_chars(first.ptr + 1, end, begin, 16);
  return second.ec == std::errc{} && second.ptr == end;
}

std::string hexadecimal(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  return {digits, end};
}

} // namespace

Listings::Text Listings::get(const std::shared_ptr<const Catalogue> &catalogue,
                             const std::string &key, const std::function<std::string()> &make) {
  const auto shelfOf = [&](std::vector<Shelf> &shelves) -> Shelf * {
    const auto found = std::find_if(shelves.begin(), shelves.end(), [&](const Shelf &shelf) {
      return shelf.catalogue == catalogue;
    });
    if (found == shelves.end()) return nullptr;
    std::rotate(found, found + 1, shelves.end());
    return &shelves.back();
  };
  Text found = shelves_.with([&](std::vector<Shelf> &shelves) -> Text {
    Shelf *const shelf = shelfOf(shelves);
    if (shelf == nullptr) return nullptr;
    const auto text = shelf->texts.find(key);
    return text == shelf->texts.end() ? nullptr : text->second;
  });
  if (found) return found;
  auto made = std::make_shared<const std::string>(make());
  return shelves_.with([&](std::vector<Shelf> &shelves) {
    const std::uint64_t generation = catalogue->generation();
    // A slow caller with an old catalogue does not push out the texts of the newer one.
    if (!shelves.empty() && shelves.back().catalogue->generation() > generation) return made;
    std::erase_if(shelves,
                  [&](const Shelf &shelf) { return shelf.catalogue->generation() < generation; });
    Shelf *shelf = shelfOf(shelves);
    if (shelf == nullptr) {
      if (shelves.size() >= mostShelves) shelves.erase(shelves.begin());
      shelf = &shelves.emplace_back(Shelf{catalogue, {}});
    }
    if (shelf->texts.size() >= mostTexts) shelf->texts.clear();
    shelf->texts.emplace(key, made);
    return made;
  });
}

Result<Page> pageAt(std::uint64_t generation, const std::string &cursor, std::size_t size,
                    std::size_t total) {
  Page page;
  if (!cursor.empty()) {
    std::uint64_t listed = 0;
    if (!readCursor(cursor, listed, page.begin) || page.begin == 0)
      return {Fault::InvalidParams, "Invalid cursor"};
    if (listed != generation)
      return {Fault::InvalidParams, "Invalid cursor: the skills have changed, list them anew"};
    if (page.begin >= total) return {Fault::InvalidParams, "Invalid cursor"};
  }
  page.end = std::min(total, page.begin + size);
  page.more = page.end < total;
  return page;
}

std::string nextCursor(std::uint64_t generation, const Page &page) {
  if (!page.more) return {};
  return R"(,"nextCursor":")" + hexadecimal(generation) + "-" + hexadecimal(page.end) + '"';
}

} // namespace skillhost
