// SPDX-License-Identifier: Apache-2.0
#include "list_pages.hpp"

#include "markdown.hpp"
#include "tool_page.hpp"

#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxPageBytes = std::size_t{256} << 10U;
constexpr std::size_t maxTextBytes = 1'000, maxShortBytes = 200, maxArguments = 100;

std::string described(const Json &entry, const char *key) {
  std::string text = "- " + codeSpan(textMember(entry, key));
  std::string title = textMember(entry, "title");
  if (title.empty() && std::string_view(key) != "name") title = textMember(entry, "name");
  if (!title.empty()) text += ", " + quotedWords(title, maxShortBytes);
  if (const std::string kind = textMember(entry, "mimeType"); !kind.empty())
    text += " (" + codeSpan(kind) + ')';
  if (const std::string words = textMember(entry, "description"); !words.empty())
    text += ": " + quotedWords(words, maxTextBytes);
  return text + '\n';
}

std::string arguments(const Json &prompt) {
  const auto list = prompt.find("arguments");
  if (list == prompt.end() || !list->is_array()) return {};
  std::string text;
  std::size_t count = 0;
  for (const Json &one : *list) {
    if (!one.is_object() || ++count > maxArguments) continue;
    const auto required = one.find("required");
    text += "  - " + codeSpan(textMember(one, "name")) +
            (required != one.end() && *required == true ? ", required" : "");
    if (const std::string words = textMember(one, "description"); !words.empty())
      text += ": " + quotedWords(words, maxShortBytes);
    text += '\n';
  }
  return text;
}

// Appends entries until the page is full, and then the number of the rest.
void append(std::string &page, const std::vector<Json> &entries, const char *key) {
  std::size_t left = entries.size();
  for (const Json &entry : entries) {
    if (page.size() > maxPageBytes) break;
    page += described(entry, key) + arguments(entry);
    --left;
  }
  if (left != 0) page += "\nAnd " + std::to_string(left) + " more: ask the server.\n";
}

} // namespace

std::string resourcesPage(const ServerDescription &server) {
  std::string page = "# Resources\n\nRead one with `resources/read` and its URI. What stands in "
                     "quotation marks is in the server's own words.\n\n";
  append(page, server.resources, "uri");
  if (server.templates.empty()) return page;
  page += "\n## Templates\n\nFill in what stands in braces (RFC 6570), then read the URI.\n\n";
  append(page, server.templates, "uriTemplate");
  return page;
}

std::string promptsPage(const ServerDescription &server) {
  std::string page = "# Prompts\n\nFetch one with `prompts/get`, its name and its arguments, which "
                     "are texts. What stands in quotation marks is in the server's "
                     "own words.\n\n";
  append(page, server.prompts, "name");
  return page;
}

} // namespace skillhost
