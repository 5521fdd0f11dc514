// SPDX-License-Identifier: Apache-2.0
#include "mcp/listings.hpp"

#include "ground/base64.hpp"

#include <algorithm>
#include <charconv>

namespace skillhost {
namespace {

constexpr std::size_t maxTexts = 256; // of one catalogue
constexpr std::size_t maxBytes = 4U << 20U;
constexpr std::size_t maxCatalogues = 16; // catalogues of one generation, as callers see them

// A cursor has the form "<position of the entry> <its key>".
struct Cursor {
  std::size_t position = 0;
  std::string key;
};

std::optional<Cursor> readCursor(const std::string &text) {
  const std::optional<std::string> plain = decodeBase64(text);
  if (!plain) return std::nullopt;
  Cursor cursor;
  const char *const end = plain->data() + plain->size();
  const auto read = std::from_chars(plain->data(), end, cursor.position);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ' ') return std::nullopt;
  cursor.key.assign(read.ptr + 1, end);
  if (cursor.key.empty()) return std::nullopt;
  return cursor;
}

} // namespace

// Returns null if there is none. The shelf becomes the most recently used one.
Listings::Shelf *Listings::shelfOf(std::vector<Shelf> &shelves,
                                   const std::shared_ptr<const Catalogue> &catalogue) {
  const auto found = std::find_if(shelves.begin(), shelves.end(),
                                  [&](const Shelf &shelf) { return shelf.catalogue == catalogue; });
  if (found == shelves.end()) return nullptr;
  std::rotate(found, found + 1, shelves.end());
  return &shelves.back();
}

Listings::Text Listings::find(const std::shared_ptr<const Catalogue> &catalogue,
                              const std::string &key) {
  return shelves_.with([&](std::vector<Shelf> &shelves) -> Text {
    Shelf *const shelf = shelfOf(shelves, catalogue);
    if (shelf == nullptr) return nullptr;
    const auto text = shelf->texts.find(key);
    return text == shelf->texts.end() ? nullptr : text->second;
  });
}

Listings::Text Listings::get(const std::shared_ptr<const Catalogue> &catalogue,
                             const std::string &key, const std::function<std::string()> &make) {
  if (Text found = find(catalogue, key)) return found;
  auto made = std::make_shared<const std::string>(make());
  return shelves_.with([&](std::vector<Shelf> &shelves) {
    const std::uint64_t generation = catalogue->generation();
    // A slow caller with an old catalogue must not push out the texts of the newer one.
    if (!shelves.empty() && shelves.back().catalogue->generation() > generation) return made;
    std::erase_if(shelves,
                  [&](const Shelf &shelf) { return shelf.catalogue->generation() < generation; });
    Shelf *shelf = shelfOf(shelves, catalogue);
    if (shelf == nullptr) {
      if (shelves.size() >= maxCatalogues) shelves.erase(shelves.begin());
      shelf = &shelves.emplace_back(Shelf{catalogue, {}});
    }
    // Clients choose the keys, so the texts are limited in number and in size.
    if (shelf->texts.size() >= maxTexts || shelf->bytes + made->size() > maxBytes) {
      shelf->texts.clear();
      shelf->bytes = 0;
    }
    if (shelf->texts.emplace(key, made).second) shelf->bytes += made->size();
    return made;
  });
}

Result<Page> pageAt(const ListKeys &list, const std::string &cursor, std::size_t size) {
  Page page;
  if (!cursor.empty()) {
    const std::optional<Cursor> last = readCursor(cursor);
    if (!last) return {Fault::InvalidParams, "Invalid cursor"};
    // If the entry is gone and nothing places it among the others, the entries behind it have moved
    // to its position.
    page.begin = std::min(list.total, list.after(last->key).value_or(last->position));
  }
  page.end = std::min(list.total, page.begin + size);
  page.more = page.end < list.total;
  return page;
}

std::string nextCursor(const ListKeys &list, const Page &page) {
  if (!page.more) return {};
  const std::size_t last = page.end - 1;
  return R"(,"nextCursor":")" + encodeBase64(std::to_string(last) + ' ' + list.at(last)) + '"';
}

} // namespace skillhost
