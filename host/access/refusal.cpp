// SPDX-License-Identifier: Apache-2.0
#include "access/refusal.hpp"

#include "base/fault.hpp"
#include "ground/json_text.hpp"

namespace skillhost {

int AccessRefusal::status() const noexcept {
  switch (failure.fault) {
  case Fault::InvalidRequest:
  case Fault::Unauthenticated:
  case Fault::Denied:
    return describe(failure.fault).http;
  default:
    return describe(Fault::Unavailable).http;
  }
}

int AccessRefusal::code(std::string_view method) const noexcept {
  return method == "call_tool" || method == "list_tools" ? status()
                                                         : describe(failure.fault).jsonRpc;
}

std::string AccessRefusal::data() const {
  if (failure.fault == Fault::Unavailable) return R"({"retryable":true})";
  if (neededScopes.empty()) return {};
  std::string scopes;
  for (const std::string &scope : neededScopes) (scopes += scopes.empty() ? "" : " ") += scope;
  std::string data = R"({"scope":)";
  appendJsonString(data, scopes);
  return data + '}';
}

} // namespace skillhost
