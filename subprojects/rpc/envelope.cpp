// SPDX-License-Identifier: Apache-2.0
#include "rpc/envelope.hpp"

#include "base/fault.hpp"
#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <initializer_list>

namespace skillhost {
namespace {

constexpr std::size_t longestMessage = 1000; // characters of error.message

std::string_view word(bool value) { return value ? "true" : "false"; }

// Adds to `meta` an object that consists of the pieces `said`, for a client that does not get the
// structured form of a result.
void addMeta(std::string &meta, std::initializer_list<std::string_view> said) {
  if (!meta.empty()) meta += ',';
  meta += R"("org.skillhost/result":)";
  appendPieces(meta, said);
}

} // namespace

ToolResult toolResult(const Json &data, std::string_view text) {
  std::string quoted;
  appendJsonString(quoted, text);
  ToolResult result;
  result.data = Fragments(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  result.text = Fragments(std::move(quoted));
  return result;
}

Envelope envelope(const ToolResult &result, std::chrono::milliseconds duration, ResultForm form) {
  constexpr std::size_t usual = 160; // bytes of the usual metadata
  std::string metadata;
  metadata.reserve(usual);
  appendPieces(metadata,
               {R"("metadata":{"durationMs":)", std::to_string(duration.count()), R"(,"cached":)",
                word(result.cached), R"(,"truncated":)", word(result.truncated)});
  if (result.partial) metadata += R"(,"partial":true)";
  if (result.indexed)
    metadata += R"(,"indexed":{"done":)" + std::to_string(result.indexed->done) + R"(,"total":)" +
                std::to_string(result.indexed->total) + '}';
  Envelope out{Fragments(R"("content":[)"), {}};
  out.meta.reserve(result.meta.size() + usual);
  out.meta = result.meta;
  if (form != ResultForm::Structured) {
    out.members.append(R"({"type":"text","text":)").append(result.text).append("}");
    out.members.append(result.blocks);
  } else if (result.blocks.size() != 0) {
    out.members.append(std::string_view(result.blocks.text()).substr(1));
  }
  if (!result.notice.empty()) {
    std::string notice;
    appendJsonString(notice, result.notice);
    if (form != ResultForm::Structured)
      out.members.append(R"(,{"type":"text","text":)").append(notice).append("}");
    if (form != ResultForm::Text) (metadata += R"(,"notice":)") += notice;
  }
  metadata += '}';
  out.members.append("]");
  if (form == ResultForm::Text)
    addMeta(out.meta, {R"({"success":true,)", metadata, "}"});
  else
    out.members.append(R"(,"structuredContent":{"success":true,"data":)")
        .append(result.data)
        .append(",")
        .append(metadata)
        .append("}");
  return out;
}

Envelope envelope(const ToolFailure &failed, std::chrono::milliseconds duration, ResultForm form) {
  const FaultInfo &info = describe(failed.failure.fault);
  std::string message(cutUtf8(failed.failure.message, longestMessage));
  if (message.empty()) message = "unspecified error";
  const bool later = failed.retryAfter.count() > 0 && info.retryable;
  const std::string after = std::to_string(failed.retryAfter.count());
  std::string out = R"({"success":false,"error":{"code":")" + std::string(info.code);
  out += R"(","message":)";
  appendJsonString(out, message);
  if (!failed.context.empty()) (out += R"(,"context":)") += failed.context;
  (out += R"(,"retryable":)") += word(info.retryable);
  if (later) (out += R"(,"retryAfterMs":)") += after;
  out += R"(},"metadata":{"durationMs":)" + std::to_string(duration.count()) + "}}";
  // Some hosts give the model only the text of a failure, so the text repeats all of it.
  message.insert(0, std::string(info.code) + ": ");
  message += info.retryable ? "\nRetryable: yes" : "\nRetryable: no";
  if (later) message += ", after " + after + " ms";
  std::string text = R"("content":[{"type":"text","text":)";
  appendJsonString(text, message + '.');
  Envelope all{Fragments(text + "}]"), {}};
  if (form == ResultForm::Text)
    addMeta(all.meta, {out});
  else
    all.members.append(R"(,"structuredContent":)").append(out);
  all.members.append(R"(,"isError":true)");
  return all;
}

} // namespace skillhost
