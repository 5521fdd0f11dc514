// SPDX-License-Identifier: Apache-2.0
// An instance of a plugin that answers HTTP requests, as the host calls it.
#pragma once

#include "base/handler_request.hpp"
#include "base/handler_rules.hpp"
#include "plugin/call.hpp"

#include <string>

namespace skillhost {

class HttpPlugin {
public:
  virtual ~HttpPlugin() = default;

  virtual const std::string &name() const noexcept = 0;
  // Gives all routes, each of which keeps the rules. Fails if one does not.
  virtual void routes(CallOptions options, ResultCallback<HandlerRoutes> answer) = 0;
  // Gives an answer that keeps the rules. Fails with Internal if the plugin's answer does not.
  virtual void handle(CallOptions options, HandlerRequest request,
                      ResultCallback<HandlerAnswer> answer) = 0;
  // True if the last call failed by a fault of the plugin, or calls are refused.
  virtual bool isFailing() const = 0;
  // Shows the operator this reason why the instance is degraded; empty: it is not degraded.
  virtual void setTrouble(std::string text) = 0;
  // Ends the executor, like ToolProvider::stop().
  virtual void stop() = 0;
};

} // namespace skillhost
