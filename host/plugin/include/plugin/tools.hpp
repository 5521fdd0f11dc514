// SPDX-License-Identifier: Apache-2.0
// An instance with tools, prompts and resources of its own, as the host calls it. All texts are
// JSON in the words of MCP; here only their length is checked.
#pragma once

#include "plugin/call.hpp"

#include "base/fault.hpp"
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace skillhost {

// The client behind a call, as its plugin may use it. The functions are called on any of the
// plugin's threads until its function has returned, and never after the call was given up.
struct Exchange {
  bool mayAsk = false, mayRequireInput = false; // at most one of them
  std::string capabilities = "{}";              // of the client
  std::string inputResponses, requestState;     // empty at the first attempt
  std::string issuer, subject;                  // of the caller; empty if it is not identified
  bool mayRead = true, mayManage = false, mayReview = false, seesAll = false; // of the caller
  // Never waits. Fails with InvalidInput if `data` is no JSON.
  std::function<Status(LogLevel level, std::string_view logger, std::string_view data)> log;
  // Waits for the client's answer, at most until the call ends. Fails with NotImplemented if the
  // client cannot be asked, with Denied if it answered with an error, and with Cancelled or
  // ToolTimeout if the call ended.
  std::function<Result<std::string>(std::string_view method, std::string_view params)> ask;
};

struct CompletionRequest {
  std::string reference, argument, value, context;
};

class ToolProvider {
public:
  virtual ~ToolProvider() = default;

  virtual const std::string &name() const noexcept = 0;
  // Calls the listener when list() has changed, even if that was before this call. The listener
  // runs on any thread and must not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;
  // Ends the executor: cancels the calls that wait or run, and refuses later ones. Must not be
  // called on an executor's own thread.
  virtual void stop() = 0;
  // Sets the text that an operator sees beside the state of the instance; may be empty. Any thread.
  virtual void setRemark(std::string text) = 0;

  // Each result has at most `limit` bytes, else the call fails with Internal.
  virtual void list(CallOptions options, std::size_t limit, ResultCallback<std::string> answer) = 0;
  virtual void callTool(CallOptions options, Exchange exchange, std::string tool,
                        std::string arguments, std::size_t limit,
                        ResultCallback<std::string> answer) = 0;
  virtual void getPrompt(CallOptions options, Exchange exchange, std::string prompt,
                         std::string arguments, std::size_t limit,
                         ResultCallback<std::string> answer) = 0;
  virtual void readResource(CallOptions options, Exchange exchange, std::string uri,
                            std::size_t limit, ResultCallback<std::string> answer) = 0;
  virtual void complete(CallOptions options, CompletionRequest request, std::size_t limit,
                        ResultCallback<std::string> answer) = 0;
};

} // namespace skillhost
