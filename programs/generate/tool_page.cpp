// SPDX-License-Identifier: Apache-2.0
#include "tool_page.hpp"

#include "example_value.hpp"
#include "markdown.hpp"
#include "schema_document.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxDescriptionBytes = std::size_t{8} << 10U, maxToolTitleBytes = 200;
constexpr std::size_t maxSchemaBytes = std::size_t{256} << 10U;

std::string shownJson(const Json &json) { return jsonBlock(json.dump(2)); }

std::string schemaSection(const char *heading, const Json &tool, const char *key,
                          const std::string &type) {
  std::string text = std::string("\n## ") + heading + "\n\n";
  const Json schema = usableSchema(tool, key);
  if (schema.is_null()) {
    const bool said = tool.contains(key) && !tool[key].is_null();
    if (!said) return text + "The server gives no schema.\n";
    return text + "What the server gives is no schema that can be used" +
           (tool[key].is_object() ? ", or is larger than 256 KiB: ask it by `tools/list`.\n"
                                  : ".\n");
  }
  if (!type.empty()) text += "As a type: `" + type + "` in [types.ts](../types.ts).\n\n";
  return text + shownJson(schema);
}

std::string hints(const Json &tool) {
  constexpr std::array<std::pair<const char *, std::array<const char *, 2>>, 4> known{{
      {"readOnlyHint", {"changes things", "changes nothing"}},
      {"destructiveHint", {"destroys nothing", "may destroy what is there"}},
      {"idempotentHint",
       {"a second call may do more", "a second call does no more than the first"}},
      {"openWorldHint", {"stays within its own data", "reaches things outside of the server"}},
  }};
  const auto annotations = tool.find("annotations");
  if (annotations == tool.end() || !annotations->is_object()) return {};
  std::string text;
  for (const auto &[key, words] : known)
    if (const auto hint = annotations->find(key); hint != annotations->end() && hint->is_boolean())
      text += std::string("- `") + key + "`: " + (hint->get<bool>() ? "true" : "false") + ", " +
              words.at(hint->get<bool>() ? 1 : 0) + '\n';
  if (text.empty()) return {};
  return "\n## Annotations\n\nThe server's own word; it binds nobody.\n\n" + text;
}

std::string example(const Json &tool) {
  std::string text = "\n## Example call\n\n";
  const Json schema = usableSchema(tool, "inputSchema");
  if (schema.is_null()) return text + "Without a schema none can be made.\n";
  const ExampleValue arguments = exampleValue(schema);
  if (arguments.fit == Fit::No || !arguments.value.is_object())
    return text + "No arguments could be made that fit the schema: read it closely.\n";
  if (arguments.fit == Fit::Unsure)
    text += "The schema has rules that were not checked here, such as patterns: take the values "
            "for placeholders.\n\n";
  return text + shownJson({{"method", "tools/call"},
                           {"params", {{"name", tool["name"]}, {"arguments", arguments.value}}}});
}

} // namespace

std::string textMember(const Json &object, const char *key) {
  if (!object.is_object()) return {};
  const auto text = object.find(key);
  return text != object.end() && text->is_string() ? text->get<std::string>() : std::string{};
}

Json usableSchema(const Json &tool, const char *key) {
  const auto schema = tool.find(key);
  if (schema == tool.end() || !schema->is_object()) return nullptr;
  const auto kind = schema->find("type");
  if (std::string_view(key) == "inputSchema" && (kind == schema->end() || *kind != "object"))
    return nullptr;
  if (schema->dump().size() > maxSchemaBytes) return nullptr;
  return canonicalJson(*schema);
}

std::string toolPage(const ToolPage &page) {
  const Json &tool = page.tool;
  std::string title = textMember(tool, "title");
  if (title.empty() && tool.contains("annotations"))
    title = textMember(tool["annotations"], "title");
  std::string text = "# The tool " + codeSpan(textMember(tool, "name")) + "\n\n";
  if (!title.empty()) text += "Its title: " + quotedWords(title, maxToolTitleBytes) + "\n\n";
  const std::string description = textMember(tool, "description");
  text += description.empty()
              ? "The server does not describe it.\n"
              : "The server says:\n\n" + quotedMarkdown(description, maxDescriptionBytes);
  text += schemaSection("Arguments", tool, "inputSchema", page.argumentsType);
  text += schemaSection("Structured result", tool, "outputSchema", page.resultType);
  return text + hints(tool) + example(tool);
}

} // namespace skillhost
