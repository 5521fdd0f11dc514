// SPDX-License-Identifier: Apache-2.0
#include "rpc/protocol_family.hpp"

#include "base/fault.hpp"
#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "rpc/log_levels.hpp"

namespace skillhost {
namespace {

constexpr const char *versionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char *capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

FamilyRefusal invalid(std::string words) {
  return {describe(Fault::InvalidParams).jsonRpc, std::move(words), {}};
}

} // namespace

std::string versionData(std::string_view requested) {
  std::string data = R"({"supported":[)";
  for (const std::string_view version : modernVersions) {
    if (version != modernVersions.front()) data += ',';
    appendJsonString(data, version);
  }
  data += R"(],"requested":)";
  appendJsonString(data, cutUtf8(requested, 100));
  return data + '}';
}

std::string_view versionNamed(const Message &request) {
  return memberText(memberOf(request.params, "_meta"), versionKey);
}

std::variant<ProtocolFamily, FamilyRefusal> familyOf(const Message &request, Opening opening) {
  const Json *const meta = findMember(request.params, "_meta");
  if (meta != nullptr && !meta->is_object()) return invalid("params._meta must be an object");
  const Json *const version = meta == nullptr ? nullptr : findMember(*meta, versionKey);
  if (version == nullptr) {
    // Before any handshake, a modern method counts as a modern request that lacks its _meta.
    const bool modernOpening =
        opening == Opening::None &&
        (request.method == "server/discover" || request.method == "subscriptions/listen");
    if (opening == Opening::Modern || modernOpening)
      return invalid(std::string("params._meta lacks ") + versionKey);
    return ProtocolFamily::Legacy;
  }
  if (!version->is_string()) return invalid(std::string(versionKey) + " must be a string");
  if (!isModernVersion(version->get_ref<const std::string &>()))
    return FamilyRefusal{unsupportedVersion, "Unsupported protocol version",
                         versionData(version->get_ref<const std::string &>())};
  if (!memberOf(*meta, capabilitiesKey).is_object())
    return invalid(std::string("params._meta lacks ") + capabilitiesKey);
  const Json *const level = findMember(*meta, logLevelKey);
  if (level != nullptr &&
      (!level->is_string() || !logLevelNumber(level->get_ref<const std::string &>())))
    return invalid(std::string(logLevelKey) + " must be one of debug, info, notice, warning, " +
                   "error, critical, alert, emergency");
  return ProtocolFamily::Modern;
}

} // namespace skillhost
