// SPDX-License-Identifier: Apache-2.0
// Lists serialised once per catalogue, and the cursors that lead through their pages.
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

// What stands in a list, in its order.
struct ListKeys {
  std::size_t total = 0;
  // Names an entry whatever becomes of the list.
  std::function<std::string(std::size_t)> at;
  // Where begins what follows the entry of that key, be the entry still there or not; nothing when
  // the list cannot say.
  std::function<std::optional<std::size_t>(std::string_view key)> after;
};

// A page of a list: [begin, end), and whether another one follows.
struct Page {
  std::size_t begin = 0, end = 0;
  bool more = false;
};

// Reads the cursor of a request ("" for the first page). A cursor names the last entry of its page,
// so that it holds when the list is another one by now: the page begins after that entry. Refused
// is what is no cursor of ours.
Result<Page> pageAt(const ListKeys &list, const std::string &cursor, std::size_t size);
// "" when no page follows, else `,"nextCursor":"…"`.
std::string nextCursor(const ListKeys &list, const Page &page);

// What Listings keeps a page of such a list under.
inline std::string pageKey(const char *list, const PluginToolSet &pluginTools, const Page &page) {
  return std::string(list) + ' ' + std::to_string(pluginTools.generation()) + ' ' +
         std::to_string(page.begin) + ' ' + pluginTools.hidden();
}

} // namespace skillhost
