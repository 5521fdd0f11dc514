// SPDX-License-Identifier: Apache-2.0
#include "tools_instance.hpp"

#include "exchange_frame.hpp"
#include "sinks.hpp"

namespace skillhost {
namespace {

constexpr std::size_t expectedBytes = 1024;

// Returns what one function of the plugin wrote, or why it wrote nothing.
template <class Ask>
Result<std::string> written(CallFrame &frame, const Instance &instance, std::string_view what,
                            std::size_t limit, const Ask &ask) {
  BytesSink sink(frame, limit, expectedBytes);
  const skh_status status = ask(instance.operations<skh_tools>(), sink.raw());
  if (sink.hasOverflowed())
    // TooLarge would be INVALID_INPUT, which a model reads as a fault of its arguments.
    return {Fault::Internal, instance.name() + ": " + std::string(what) +
                                 ": its result is longer than " + std::to_string(limit) + " bytes"};
  if (status != SKH_OK) return frame.failure(status, instance.name(), what);
  return std::move(sink.bytes());
}

} // namespace

void ToolsInstance::list(CallOptions options, std::size_t limit,
                         ResultCallback<std::string> answer) {
  const auto work = [instance = instance_.get(), limit](CallFrame &frame) {
    return written(frame, *instance, "list", limit, [&](const skh_tools &tools, const auto *out) {
      return tools.list(instance->self(), frame.raw(), out);
    });
  };
  instance_->call<std::string>(std::move(options), "list", work, answer);
}

void ToolsInstance::callTool(CallOptions options, Exchange exchange, std::string tool,
                             std::string arguments, std::size_t limit,
                             ResultCallback<std::string> answer) {
  const auto work = [instance = instance_.get(), limit, exchange = std::move(exchange),
                     tool = std::move(tool), arguments = std::move(arguments)](CallFrame &frame) {
    const ExchangeFrame client(frame, exchange);
    return written(frame, *instance, tool, limit, [&](const skh_tools &tools, const auto *out) {
      return tools.call_tool(instance->self(), frame.raw(), client.raw(), borrow(tool),
                             borrow(arguments), out);
    });
  };
  instance_->call<std::string>(std::move(options), "call_tool", work, answer);
}

void ToolsInstance::getPrompt(CallOptions options, Exchange exchange, std::string prompt,
                              std::string arguments, std::size_t limit,
                              ResultCallback<std::string> answer) {
  const auto work = [instance = instance_.get(), limit, exchange = std::move(exchange),
                     prompt = std::move(prompt),
                     arguments = std::move(arguments)](CallFrame &frame) {
    const ExchangeFrame client(frame, exchange);
    return written(frame, *instance, prompt, limit, [&](const skh_tools &tools, const auto *out) {
      if (!SKH_HAS(&tools, get_prompt) || tools.get_prompt == nullptr)
        return skh_status{SKH_UNSUPPORTED};
      return tools.get_prompt(instance->self(), frame.raw(), client.raw(), borrow(prompt),
                              borrow(arguments), out);
    });
  };
  instance_->call<std::string>(std::move(options), "get_prompt", work, answer);
}

void ToolsInstance::readResource(CallOptions options, Exchange exchange, std::string uri,
                                 std::size_t limit, ResultCallback<std::string> answer) {
  const auto work = [instance = instance_.get(), limit, exchange = std::move(exchange),
                     uri = std::move(uri)](CallFrame &frame) {
    const ExchangeFrame client(frame, exchange);
    return written(frame, *instance, uri, limit, [&](const skh_tools &tools, const auto *out) {
      if (!SKH_HAS(&tools, read_resource) || tools.read_resource == nullptr)
        return skh_status{SKH_UNSUPPORTED};
      return tools.read_resource(instance->self(), frame.raw(), client.raw(), borrow(uri), out);
    });
  };
  instance_->call<std::string>(std::move(options), "read_resource", work, answer);
}

void ToolsInstance::complete(CallOptions options, CompletionRequest request, std::size_t limit,
                             ResultCallback<std::string> answer) {
  const auto work = [instance = instance_.get(), limit,
                     request = std::move(request)](CallFrame &frame) {
    return written(frame, *instance, "complete", limit,
                   [&](const skh_tools &tools, const auto *out) {
                     if (!SKH_HAS(&tools, complete) || tools.complete == nullptr)
                       return skh_status{SKH_UNSUPPORTED};
                     const skh_completion what{sizeof what,
                                               0,
                                               borrow(request.reference),
                                               borrow(request.argument),
                                               borrow(request.value),
                                               borrow(request.context)};
                     return tools.complete(instance->self(), frame.raw(), &what, out);
                   });
  };
  instance_->call<std::string>(std::move(options), "complete", work, answer);
}

} // namespace skillhost
