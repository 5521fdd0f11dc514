// SPDX-License-Identifier: Apache-2.0
#include "mcp/plugin_tool_lists.hpp"

#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "rpc/json_members.hpp"
#include "skillmd/naming.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxPluginToolDepth = 32;
constexpr std::size_t maxEntries = 1000;
constexpr std::size_t maxEntryNameBytes = 128;

bool isName(std::string_view name) {
  return !name.empty() && name.size() <= maxEntryNameBytes &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
                  c == '-';
         });
}

const std::string *textOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : found->get_ptr<const std::string *>();
}

bool isObjectOrAbsent(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_object();
}

// RFC 3986: a scheme, a colon, and something after it; no blanks or control characters.
std::string faultInUri(const std::string &uri) {
  const std::size_t colon = uri.find(':');
  if (uri.size() > maxUriBytes) return "its URI is too long";
  if (colon == std::string::npos || colon == 0 || colon + 1 == uri.size() ||
      std::isalpha(static_cast<unsigned char>(uri[0])) == 0)
    return "its URI has no scheme";
  for (const char c : uri)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F)
      return "its URI has a control character";
  const std::string scheme = asciiLowered(std::string_view(uri).substr(0, colon));
  if (scheme == "skill" || scheme == "skillhost") return "the scheme " + scheme + " is the host's";
  return foreignScheme(uri);
}

// Checks the members that every kind of entry may have.
std::string faultInEntry(const Json &entry) {
  for (const char *name : {"title", "description", "mimeType"})
    if (!isTextOrAbsent(entry, name)) return std::string(name) + " is no string";
  for (const char *name : {"annotations", "_meta"})
    if (!isObjectOrAbsent(entry, name)) return std::string(name) + " is no object";
  return {};
}

std::string faultInTool(const Json &tool) {
  if (!isName(*textOf(tool, "name"))) return "names are 1 to 128 of A-Z a-z 0-9 _ . -";
  const auto input = tool.find("inputSchema");
  if (input == tool.end() || !input->is_object()) return "inputSchema is no object";
  const std::string *const type = textOf(*input, "type");
  if (type == nullptr || *type != "object") return R"(inputSchema has no "type":"object")";
  return isObjectOrAbsent(tool, "outputSchema") ? "" : "outputSchema is no object";
}

std::string faultInPrompt(const Json &prompt) {
  if (!isName(*textOf(prompt, "name"))) return "names are 1 to 128 of A-Z a-z 0-9 _ . -";
  const auto arguments = prompt.find("arguments");
  if (arguments == prompt.end()) return {};
  if (!arguments->is_array()) return "arguments is no array";
  for (const Json &argument : *arguments)
    if (!argument.is_object() || textOf(argument, "name") == nullptr)
      return "an argument has no name";
  return {};
}

std::string faultInResource(const Json &resource) {
  return textOf(resource, "name") == nullptr ? "it has no name"
                                             : faultInUri(*textOf(resource, "uri"));
}

std::string faultInTemplate(const Json &pattern) {
  const std::string &text = *textOf(pattern, "uriTemplate");
  if (textOf(pattern, "name") == nullptr) return "it has no name";
  if (std::count(text.begin(), text.end(), '{') != std::count(text.begin(), text.end(), '}'))
    return "its braces do not match";
  return faultInUri(text);
}

constexpr const char *permissionKey = "org.skillhost/permission";

// Returns the permission that an entry without a fault needs; nothing if it names one that does not
// exist.
std::optional<Permission> neededPermissionOf(const Json &entry) {
  const auto meta = entry.find("_meta");
  if (meta == entry.end() || !meta->contains(permissionKey)) return Permission::Read;
  const std::string *const name = textOf(*meta, permissionKey);
  if (name == nullptr) return std::nullopt;
  if (*name == "read") return Permission::Read;
  if (*name == "manage") return Permission::Manage;
  if (*name == "review") return Permission::Review;
  return std::nullopt;
}

struct ListedKind {
  const char *list, *key;
  std::string (*fault)(const Json &);
  std::vector<PluginTool> PluginToolLists::*into;
};
constexpr std::array kinds{
    ListedKind{"tools", "name", &faultInTool, &PluginToolLists::tools},
    ListedKind{"prompts", "name", &faultInPrompt, &PluginToolLists::prompts},
    ListedKind{"resources", "uri", &faultInResource, &PluginToolLists::resources},
    ListedKind{"resourceTemplates", "uriTemplate", &faultInTemplate, &PluginToolLists::templates}};

bool says(const Json &tool, const char *hint) {
  const auto annotations = tool.find("annotations");
  if (annotations == tool.end()) return false;
  const auto found = annotations->find(hint);
  return found != annotations->end() && found->is_boolean() && found->get<bool>();
}

void readEntry(const ListedKind &kind, const Json &entry,
               const std::shared_ptr<ToolProvider> &provider, PluginToolLists &out) {
  const std::string *const key = entry.is_object() ? textOf(entry, kind.key) : nullptr;
  const auto withhold = [&](const std::string &why) {
    out.problems.push_back(std::string(kind.list) + ": " +
                           (key == nullptr ? "an entry" : mendUtf8(cutUtf8(*key, 100))) + ": " +
                           why);
  };
  if (key == nullptr) return withhold(std::string("it has no ") + kind.key);
  std::string why = faultInEntry(entry);
  if (why.empty()) why = kind.fault(entry);
  const std::optional<Permission> need = why.empty() ? neededPermissionOf(entry) : Permission::Read;
  if (!need) why = std::string("_meta.") + permissionKey + " must be read, manage or review";
  std::vector<PluginTool> &pluginTools = out.*kind.into;
  if (why.empty() && pluginTools.size() >= maxEntries)
    why = "there are more than " + std::to_string(maxEntries);
  std::vector<MirroredArgument> mirrored;
  if (why.empty() && kind.into == &PluginToolLists::tools) {
    Result<std::vector<MirroredArgument>> read = mirroredArguments(entry["inputSchema"]);
    if (read)
      mirrored = *std::move(read);
    else
      why = read.failure().message;
  }
  if (!why.empty()) return withhold(why);
  std::string withoutSchema;
  if (kind.into == &PluginToolLists::tools && entry.contains("outputSchema")) {
    Json rest = entry;
    rest.erase("outputSchema");
    withoutSchema = rest.dump();
  }
  pluginTools.push_back({*key, entry.dump(), says(entry, "readOnlyHint"), *need, provider,
                         std::move(mirrored), std::move(withoutSchema)});
}

} // namespace

Result<PluginToolLists> readPluginTools(std::string_view text,
                                        const std::shared_ptr<ToolProvider> &provider) {
  const Result<Json> parsed = parseJson(text, {maxPluginToolDepth});
  if (!parsed) return {Fault::InvalidFormat, "list: " + parsed.failure().message};
  if (!parsed->is_object()) return {Fault::InvalidFormat, "list: expected a JSON object"};
  PluginToolLists out;
  for (const ListedKind &kind : kinds) {
    const auto list = parsed->find(kind.list);
    if (list == parsed->end()) continue;
    if (!list->is_array())
      return {Fault::InvalidFormat, std::string("list: ") + kind.list + " is no array"};
    for (const Json &entry : *list) readEntry(kind, entry, provider, out);
  }
  return out;
}

} // namespace skillhost
