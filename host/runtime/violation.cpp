// SPDX-License-Identifier: Apache-2.0
#include "runtime/violation.hpp"

#include "base/fault.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {

ToolFailure refusalOf(const std::vector<Violation> &violations) {
  ToolFailure refusal{{violations.front().fault, {}}, {}, {}};
  std::string &message = refusal.failure.message;
  Json errors = Json::array();
  for (const Violation &one : violations) {
    const std::string text = one.path + ": " + one.reason;
    (message += message.empty() ? "" : "; ") += text;
    Json error{{"path", one.path}, {"code", describe(one.fault).code}, {"message", text}};
    if (one.limit) error["limit"] = *one.limit;
    if (one.actual) error["actual"] = *one.actual;
    errors.push_back(std::move(error));
  }
  refusal.context =
      Json{{"errors", std::move(errors)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  return refusal;
}

} // namespace skillhost
