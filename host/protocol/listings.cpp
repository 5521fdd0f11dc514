// SPDX-License-Identifier: Apache-2.0
#include "listings.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t mostTexts = 256;

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
  Text found = state_.with([&](State &state) -> Text {
    if (state.catalogue != catalogue) return nullptr;
    const auto text = state.texts.find(key);
    return text == state.texts.end() ? nullptr : text->second;
  });
  if (found) return found;
  auto made = std::make_shared<const std::string>(make());
  return state_.with([&](State &state) {
    // A slow caller with an old catalogue does not push out the texts of the newer one.
    if (state.catalogue && state.catalogue->generation() > catalogue->generation()) return made;
    if (state.catalogue != catalogue || state.texts.size() >= mostTexts) state.texts.clear();
    state.catalogue = catalogue;
    state.texts.emplace(key, made);
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
