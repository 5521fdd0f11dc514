// SPDX-License-Identifier: Apache-2.0
#include "runtime/envelope.hpp"

#include "base/json_text.hpp"
#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

constexpr std::size_t longestMessage = 1000; // characters of error.message

std::string_view word(bool value) { return value ? "true" : "false"; }

} // namespace

ToolResult toolResult(const Json &data, std::string_view text) {
  std::string quoted;
  appendJsonString(quoted, text);
  return {Fragments(data.dump(-1, ' ', false, Json::error_handler_t::replace)), Fragments(quoted)};
}

Fragments envelope(const ToolResult &result, std::chrono::milliseconds duration) {
  Fragments out(R"("content":[{"type":"text","text":)");
  out.append(result.text)
      .append(R"(}],"structuredContent":{"success":true,"data":)")
      .append(result.data)
      .append(R"(,"metadata":{"durationMs":)")
      .append(std::to_string(duration.count()))
      .append(R"(,"cached":)")
      .append(word(result.cached))
      .append(R"(,"truncated":)")
      .append(word(result.truncated))
      .append("}}");
  return out;
}

Fragments envelope(const ToolFailure &failed, std::chrono::milliseconds duration) {
  const FaultInfo &info = describe(failed.failure.fault);
  std::string message(cutUtf8(failed.failure.message, longestMessage));
  if (message.empty()) message = "no further words";
  std::string text;
  appendJsonString(text, std::string(info.code) + ": " + message);
  std::string quoted;
  appendJsonString(quoted, message);
  Fragments out(R"("content":[{"type":"text","text":)");
  out.append(text)
      .append(R"(}],"structuredContent":{"success":false,"error":{"code":")")
      .append(info.code)
      .append(R"(","message":)")
      .append(quoted);
  if (!failed.context.empty()) out.append(R"(,"context":)").append(failed.context);
  out.append(R"(,"retryable":)").append(word(info.retryable));
  if (failed.retryAfter.count() > 0 && info.retryable)
    out.append(R"(,"retryAfterMs":)").append(std::to_string(failed.retryAfter.count()));
  out.append(R"(},"metadata":{"durationMs":)")
      .append(std::to_string(duration.count()))
      .append(R"(}},"isError":true)");
  return out;
}

} // namespace skillhost
