// SPDX-License-Identifier: Apache-2.0
#include "rpc/mirrored_fields.hpp"

#include "ground/text.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace skillhost {
namespace {

// Returns the value at the path; null if there is none, or if it is null.
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

// True if the whole text is that number.
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
  // A text of digits only is compared as an integer, because a double cannot represent every large
  // integer.
  if (value.is_number_integer() && text.find_first_not_of("-0123456789") == std::string::npos)
    return value.is_number_unsigned() ? isThatNumber(text, value.get<std::uint64_t>())
                                      : isThatNumber(text, value.get<std::int64_t>());
  return isThatNumber(text, value.get<double>()); // 42.0 is 42
}

HttpRefusal wrongField(const std::string &field, const char *why) {
  return {400, {headerMismatch, field + ' ' + why, {}}};
}

} // namespace

std::optional<HttpRefusal> findMirrorMismatch(const HttpRequest &request, const Json &arguments,
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
      // A list or an object cannot stand in a field. The tool refuses it itself, with a better
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

} // namespace skillhost
