// SPDX-License-Identifier: Apache-2.0
#include "rpc/revision.hpp"

#include "ground/json_text.hpp"
#include "ground/text.hpp"

#include <algorithm>

namespace skillhost {

bool isModernVersion(std::string_view version) noexcept {
  return std::find(modernVersions.begin(), modernVersions.end(), version) != modernVersions.end();
}

std::string_view negotiate(std::string_view requested) noexcept {
  const auto found = std::find(legacyVersions.begin(), legacyVersions.end(), requested);
  return found == legacyVersions.end() ? legacyVersions.front() : *found;
}

int resourceNotFound(ProtocolFamily family) noexcept {
  return family == ProtocolFamily::Modern ? -32602 : -32002;
}

Fragments resultMessage(ProtocolFamily family, std::string_view id, Fragments members,
                        Caching caching, std::string_view version, std::string_view meta,
                        std::string_view type) {
  constexpr std::size_t around = 200; // bytes of the words below
  std::string lead;
  lead.reserve(around + id.size() + meta.size());
  appendPieces(lead, {R"({"jsonrpc":"2.0","id":)", id, R"(,"result":{)"});
  if (family == ProtocolFamily::Modern) {
    appendPieces(lead, {R"("resultType":")", type, "\""});
    if (caching.ttlMilliseconds >= 0)
      appendPieces(lead, {R"(,"ttlMs":)", std::to_string(caching.ttlMilliseconds),
                          R"(,"cacheScope":")", caching.shared ? "public" : "private", "\""});
    appendPieces(
        lead, {R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"skillhost","version":")",
               version, R"("})", meta.empty() ? "" : ",", meta, members.size() == 0 ? "}" : "},"});
  }
  return std::move(Fragments(std::move(lead)).append(std::move(members)).append("}}"));
}

Fragments errorMessage(std::string_view id, int code, std::string_view message,
                       std::string_view data) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  text += id;
  text += R"(,"error":{"code":)" + std::to_string(code) + R"(,"message":)";
  appendJsonString(text, message);
  if (!data.empty()) {
    text += R"(,"data":)";
    text += data;
  }
  text += "}}";
  return Fragments(std::move(text));
}

Fragments requestMessage(std::string_view id, std::string_view method, std::string_view params) {
  std::string text = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")";
  text += method;
  text += '"';
  if (!params.empty()) {
    text += R"(,"params":)";
    text += params;
  }
  text += '}';
  return Fragments(std::move(text));
}

Fragments notificationMessage(std::string_view method, std::string_view params) {
  std::string text = R"({"jsonrpc":"2.0","method":")";
  text += method;
  text += '"';
  if (!params.empty()) {
    text += R"(,"params":)";
    text += params;
  }
  text += '}';
  return Fragments(std::move(text));
}

} // namespace skillhost
