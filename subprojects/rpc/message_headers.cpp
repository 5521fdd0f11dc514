// SPDX-License-Identifier: Apache-2.0
#include "rpc/message_headers.hpp"

#include "base/fault.hpp"
#include "ground/base64.hpp"
#include "ground/json_member.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "rpc/repeated_fields.hpp"

#include <algorithm>
#include <cctype>

namespace skillhost {
namespace {

constexpr std::string_view versionField = "mcp-protocol-version", methodField = "mcp-method",
                           nameField = "mcp-name";

HttpRefusal mismatch(std::string words) { return {400, {headerMismatch, std::move(words), {}}}; }

bool isLegacyVersion(std::string_view version) {
  return std::find(legacyVersions.begin(), legacyVersions.end(), version) != legacyVersions.end();
}

constexpr std::string_view encodedBegin = "=?base64?", encodedEnd = "?=";

bool isEncoded(std::string_view value) {
  return value.starts_with(encodedBegin) && value.ends_with(encodedEnd) &&
         value.size() >= encodedBegin.size() + encodedEnd.size();
}

// Compares one field with its value in the body.
std::optional<HttpRefusal> compare(const HttpRequest &request, std::string_view field,
                                   std::string_view shown, std::string_view body) {
  if (request.count(field) > 1) return mismatch(std::string(shown) + " stands more than once");
  const auto value = request.field(field);
  if (!value) return mismatch("the header lacks " + std::string(shown));
  if (*value == body && !isEncoded(*value)) return std::nullopt;
  const auto decoded = decodedField(*value);
  if (!decoded) return mismatch(std::string(shown) + " is no valid =?base64?…?= value");
  if (*decoded != body)
    return mismatch(std::string(shown) + " says \"" + std::string(cutUtf8(*decoded, 100)) +
                    "\", the body \"" + std::string(cutUtf8(body, 100)) + '"');
  return std::nullopt;
}

// Returns true if a range of an Accept field has the weight 0, so the type is not wanted (RFC 9110
// §12.4.2).
bool isRefused(std::string_view range) {
  for (std::size_t at = range.find(';'); at != range.npos; at = range.find(';', at + 1)) {
    std::string weight;
    for (const char c : range.substr(at + 1, range.find(';', at + 1) - at - 1))
      if (c != ' ' && c != '\t') weight += c;
    if (weight.starts_with("q=0") || weight.starts_with("Q=0"))
      return weight.find_first_not_of("0.", 2) == weight.npos;
  }
  return false;
}

constexpr std::string_view requestIdField = "x-request-id", traceField = "traceparent",
                           stateField = "tracestate";
constexpr std::size_t longestRequestId = 64, longestTrace = 55, longestState = 512;

// Returns a field that is safe to log as it is; empty if it is missing, too long or contains other
// characters.
std::string_view plainField(const HttpRequest &request, std::string_view name,
                            std::size_t longest) {
  const std::string_view value = request.field(name).value_or(std::string_view{});
  const bool isPlain = std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  return isPlain && value.size() <= longest ? value : std::string_view{};
}

} // namespace

std::optional<std::string> decodedField(std::string_view value) {
  if (!isEncoded(value)) return std::string(value);
  value.remove_prefix(encodedBegin.size());
  value.remove_suffix(encodedEnd.size());
  auto decoded = decodeBase64(value);
  if (!decoded || !isUtf8(*decoded)) return std::nullopt;
  return decoded;
}

std::string_view versionOf(const HttpRequest &request) {
  return request.field(versionField).value_or(std::string_view{});
}

std::variant<ProtocolFamily, FamilyRefusal> familyOf(const HttpRequest &request,
                                                     const Message &message) {
  return familyOf(message, isModernVersion(versionOf(request)) ? Opening::Modern : Opening::None);
}

std::optional<HttpRefusal>
findHeaderMismatch(const HttpRequest &request, const Message &message,
                   const std::variant<ProtocolFamily, FamilyRefusal> &family) {
  if (request.count(versionField) > 1)
    return mismatch("MCP-Protocol-Version stands more than once");
  const std::string_view version = versionOf(request), named = versionNamed(message);
  const bool modern = isModernVersion(version);
  if (!version.empty() && !modern && !isLegacyVersion(version) &&
      (named.empty() || named == version))
    return HttpRefusal{400,
                       {unsupportedVersion, "Unsupported protocol version", versionData(version)}};
  // A notification may lack _meta, and a legacy request contains no version.
  if (named.empty() && (!modern || message.kind != Message::Kind::Request)) return std::nullopt;
  if (message.method == "initialize")
    return HttpRefusal{404,
                       {describe(Fault::MethodNotFound).jsonRpc,
                        "Method not found: initialize (not of this revision)",
                        {}}};
  // Two different versions are a mismatch even if one of them is unknown.
  if (!version.empty() && !named.empty())
    if (auto wrong = compare(request, versionField, "MCP-Protocol-Version", named)) return wrong;
  if (const auto *why = std::get_if<FamilyRefusal>(&family)) return HttpRefusal{400, *why};
  if (auto wrong = compare(request, versionField, "MCP-Protocol-Version", named)) return wrong;
  if (auto wrong = compare(request, methodField, "Mcp-Method", message.method)) return wrong;
  const char *const member = memberRepeated(message.method);
  if (member == nullptr) return std::nullopt;
  const Json &repeated = memberOf(message.params, member);
  // The method itself refuses a member that is no string, with a better message.
  if (!repeated.is_string()) return std::nullopt;
  return compare(request, nameField, "Mcp-Name", repeated.get_ref<const std::string &>());
}

bool accepts(std::string_view field, std::string_view type) {
  const std::string_view family = type.substr(0, type.find('/') + 1);
  while (!field.empty()) {
    const std::string_view one = field.substr(0, field.find(','));
    field.remove_prefix(std::min(one.size() + 1, field.size()));
    const std::string_view named = trimmedSpacesAndTabs(one.substr(0, one.find(';')));
    const bool isFamily =
        named.ends_with("/*") && sameText(named.substr(0, named.size() - 1), family);
    if ((named == type || sameText(named, type) || named == "*/*" || isFamily) && !isRefused(one))
      return true;
  }
  return false;
}

std::string originText(const RequestOrigin &origin) {
  std::string text;
  appendPieces(text,
               {"from ", origin.peer, origin.requestId.empty() ? "" : " request=", origin.requestId,
                origin.traceparent.empty() ? "" : " trace=", origin.traceparent});
  return text;
}

RequestOrigin requestOriginOf(const HttpRequest &request) {
  return {std::string(request.peer),
          std::string(plainField(request, requestIdField, longestRequestId)),
          std::string(plainField(request, traceField, longestTrace)),
          std::string(request.field(stateField).value_or("").substr(0, longestState + 1))};
}

} // namespace skillhost
