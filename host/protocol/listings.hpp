// SPDX-License-Identifier: Apache-2.0
// Lists serialised once per catalogue, and the cursors that lead through their pages.
#pragma once

#include "base/guarded.hpp"
#include "base/result.hpp"
#include "offers.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

class Listings {
public:
  using Text = std::shared_ptr<const std::string>;

  // What make() returned for this key and this catalogue, which may be what one caller sees of a
  // larger one; made anew when the catalogue is another one. Keeps the texts of the newest
  // generation, for at most 16 catalogues and 256 for each. Any thread.
  Text get(const std::shared_ptr<const Catalogue> &catalogue, const std::string &key,
           const std::function<std::string()> &make);

private:
  struct Shelf {
    std::shared_ptr<const Catalogue> catalogue;
    std::map<std::string, Text> texts;
  };
  Guarded<std::vector<Shelf>> shelves_; // used last at the end
};

// A page of `total` things: [begin, end), and whether another one follows.
struct Page {
  std::size_t begin = 0, end = 0;
  bool more = false;
};

// Reads the cursor of a request ("" for the first page). A cursor of another generation of what is
// listed is refused: pages of two of them do not fit together.
Result<Page> pageAt(std::uint64_t generation, const std::string &cursor, std::size_t size,
                    std::size_t total);
inline Result<Page> pageAt(const Catalogue &catalogue, const std::string &cursor, std::size_t size,
                           std::size_t total) {
  return pageAt(catalogue.generation(), cursor, size, total);
}
// "" when no page follows, else `,"nextCursor":"…"`.
std::string nextCursor(std::uint64_t generation, const Page &page);
inline std::string nextCursor(const Catalogue &catalogue, const Page &page) {
  return nextCursor(catalogue.generation(), page);
}

// What Listings keeps a page of such a list under.
inline std::string pageKey(const char *list, const OfferSet &offers, const Page &page) {
  return std::string(list) + ' ' + std::to_string(offers.generation()) + ' ' +
         std::to_string(page.begin) + ' ' + offers.hidden();
}
// Of a list that has skills and what plugins offer.
inline std::uint64_t generationOf(const Catalogue &catalogue, const OfferSet &offers) {
  return catalogue.generation() + (offers.generation() << 32U);
}

} // namespace skillhost
