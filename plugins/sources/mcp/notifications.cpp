// SPDX-License-Identifier: Apache-2.0
#include "notifications.hpp"

#include "ground/json_member.hpp"

namespace skillhost::mcp_source {

bool offersNotifications(const Json &capabilities) {
  return memberOf(memberOf(capabilities, "resources"), "listChanged") == true;
}

Json listenRequest(const Json &params) {
  Json wanted = params;
  wanted["notifications"] = {{"resourcesListChanged", true}};
  return {{"jsonrpc", "2.0"},
          {"id", listenId},
          {"method", "subscriptions/listen"},
          {"params", std::move(wanted)}};
}

bool tellsOfChange(const Json &message) {
  return !message.contains("id") &&
         memberText(message, "method") == "notifications/resources/list_changed";
}

} // namespace skillhost::mcp_source
