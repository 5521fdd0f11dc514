// SPDX-License-Identifier: Apache-2.0
#include "mirrored_fields.hpp"

#include "access/access.hpp"
#include "ground/text.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace skillhost {
namespace {

// Returns null if there is no value, or if it is null in JSON.
const Json *valueAt(const Json &arguments, const std::vector<std::string> &path) {
  const Json *at = &arguments;
  for (const std::string &name : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at->is_null() ? nullptr : at;
}

// Returns true if the whole text is that number.
template <class Number> bool isThatNumber(const std::string &text, Number number) {
  Number read{};
  const char *const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, read);
  return error == std::errc{} && behind == end && !(read < number) && !(number < read);
}

bool saysTheSame(const std::string &text, const Json &value) {
  if (value.is_string()) return text == value.get_ref<const std::string &>();
  if (value.is_boolean()) return text == (value.get<bool>() ? "true" : "false");
  if (!value.is_number()) return false;
  // Text of digits alone is compared as an integer, because a double cannot hold large ones.
  if (value.is_number_integer() && text.find_first_not_of("-0123456789") == std::string::npos)
    return value.is_number_unsigned() ? isThatNumber(text, value.get<std::uint64_t>())
                                      : isThatNumber(text, value.get<std::int64_t>());
  return isThatNumber(text, value.get<double>()); // 42.0 is 42
}

HttpRefusal wrongField(const std::string &field, const char *why) {
  return {400, {headerMismatch, field + ' ' + why, {}}};
}

} // namespace

std::optional<HttpRefusal> mirrorDisagreement(const HttpRequest &request, const Json &arguments,
                                              const std::vector<MirroredArgument> &mirrored) {
  for (const MirroredArgument &one : mirrored) {
    const std::string field = asciiLowered(one.field);
    const std::size_t count = request.count(field);
    const Json *const value = valueAt(arguments, one.path);
    if (count > 1) return wrongField(one.field, "stands more than once");
    if (value == nullptr && count == 0) continue;
    if (value == nullptr)
      return wrongField(one.field, "has a value, the argument it repeats has none");
    if (count == 0) {
      // A field cannot carry an object or an array. The tool itself refuses it, with a better
      // message.
      if (value->is_structured()) continue;
      return wrongField(one.field, "is missing: it repeats an argument of this tool");
    }
    const auto decoded = decodedField(request.field(field).value_or(std::string_view{}));
    if (!decoded) return wrongField(one.field, "is no valid =?base64?…?= value");
    if (!saysTheSame(*decoded, *value))
      return wrongField(one.field, "does not say what the body says in its place");
  }
  return std::nullopt;
}

std::optional<HttpRefusal> mirrorDisagreement(const Services &services, const HttpRequest &request,
                                              const Message &message, const HttpReplyForm &form) {
  if (form.family != ProtocolFamily::Modern || message.method != "tools/call") return std::nullopt;
  const auto name = message.params.find("name");
  const auto arguments = message.params.find("arguments");
  if (name == message.params.end() || !name->is_string()) return std::nullopt;
  const Access *const access = services.access;
  const auto key =
      access == nullptr ? Visibility::Key{} : access->visibility().keyOf(form.principal.get());
  const auto pluginTools = seenPluginTools(key, services.pluginTools.current());
  const PluginTool *const tool = pluginTools->tool(name->get_ref<const std::string &>());
  if (tool == nullptr || tool->mirrored.empty()) return std::nullopt;
  static const Json none = Json::object();
  return mirrorDisagreement(request, arguments == message.params.end() ? none : *arguments,
                            tool->mirrored);
}

} // namespace skillhost
