// SPDX-License-Identifier: Apache-2.0
#include "base/handler_request.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace skillhost {
namespace {

bool isUsualCredential(std::string_view name) noexcept {
  return name == "authorization" || name == "cookie" || name == "proxy-authorization";
}

std::optional<std::uint64_t> declaredLength(const HttpRequest &request) {
  if (request.field("transfer-encoding")) return std::nullopt;
  const std::string_view text = request.field("content-length").value_or("0");
  std::uint64_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  return read.ec == std::errc() ? std::optional(length) : std::nullopt;
}

} // namespace

HandlerRequest handlerRequestOf(const HttpRequest &request,
                                std::span<const std::string> credentialFields) {
  HandlerRequest copy;
  copy.method = request.method == "HEAD" ? "GET" : request.method;
  copy.path = request.path;
  copy.query = request.query;
  copy.peer = request.peer;
  for (const HttpField &field : request.fields)
    if (!isUsualCredential(field.name) &&
        std::find(credentialFields.begin(), credentialFields.end(), field.name) ==
            credentialFields.end())
      copy.fields.emplace_back(field.name, field.value);
  copy.bodyLength = declaredLength(request);
  copy.body = std::make_shared<BodyStream>();
  return copy;
}

} // namespace skillhost
