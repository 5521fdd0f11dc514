// SPDX-License-Identifier: Apache-2.0
// Keeps lists of the protocol as JSON, which is made once for each catalogue, and makes the cursors
// with which clients read page after page.
#pragma once

#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "mcp/plugin_tools.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class Listings {
public:
  using Text = std::shared_ptr<const std::string>;

  // Returns the result of make() for this key and this catalogue, which may be one caller's view of
  // a larger one; calls make() again for another catalogue. Keeps the texts of the newest
  // generation, for at most 16 catalogues, and of each at most 256 with 4 MiB together, or one that
  // is larger. Any thread.
  Text get(const std::shared_ptr<const Catalogue> &catalogue, const std::string &key,
           const std::function<std::string()> &make);
  // Returns the text if it is kept; null if get() would make it.
  Text find(const std::shared_ptr<const Catalogue> &catalogue, const std::string &key);

private:
  struct Shelf {
    std::shared_ptr<const Catalogue> catalogue;
    std::map<std::string, Text> texts;
    std::size_t bytes = 0; // of all texts
  };
  static Shelf *shelfOf(std::vector<Shelf> &shelves,
                        const std::shared_ptr<const Catalogue> &catalogue);
  Guarded<std::vector<Shelf>> shelves_; // the most recently used is at the end
};

// The entries of a list, in its order.
struct ListKeys {
  std::size_t total = 0;
  // Returns a name for an entry that stays valid however the list changes.
  std::function<std::string(std::size_t)> at;
  // Returns the position behind the entry of that key, even if the entry is gone; nothing if the
  // list cannot say.
  std::function<std::optional<std::size_t>(std::string_view key)> after;
};

// A page of a list: [begin, end), and if another one follows.
struct Page {
  std::size_t begin = 0, end = 0;
  bool more = false;
};

// Reads the cursor of a request ("" for the first page). A cursor names the last entry of its page,
// so that it stays valid if the list changes: the page begins after that entry. Refuses any text
// that is no cursor of ours.
Result<Page> pageAt(const ListKeys &list, const std::string &cursor, std::size_t size);
// Returns "" if no page follows, else `,"nextCursor":"…"`.
std::string nextCursor(const ListKeys &list, const Page &page);

// Returns the key under which Listings keeps a page of such a list.
inline std::string pageKey(const char *list, const PluginToolSet &pluginTools, const Page &page) {
  return std::string(list) + ' ' + std::to_string(pluginTools.generation()) + ' ' +
         std::to_string(page.begin) + ' ' + pluginTools.hidden();
}

} // namespace skillhost
