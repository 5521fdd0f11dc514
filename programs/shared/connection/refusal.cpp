// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"
#include "client_message.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxMessageBytes = 1000; // most bytes of a server's message that are passed on

// Masks secrets, because a server may quote the token that it received.
std::string shown(std::string_view text) {
  return mendUtf8(cutUtf8(log::masked(text), maxMessageBytes));
}

RemoteRefusal refusal(Fault fault, std::string words, int status, std::string_view challenge = {},
                      std::string advice = {}) {
  const FaultInfo &info = describe(fault);
  std::string data = R"({"code":")";
  data += info.code;
  data += info.retryable ? R"(","retryable":true)" : R"(","retryable":false)";
  if (status != 0) data += R"(,"status":)" + std::to_string(status);
  if (!challenge.empty()) {
    data += R"(,"challenge":)";
    appendJsonString(data, shown(challenge));
  }
  return {info.jsonRpc, std::move(words), data + '}', std::move(advice)};
}

RemoteRefusal unauthorized(const AnswerEnd &end) {
  const bool unknown = end.head.status == 401;
  std::string words =
      unknown ? "the server wants to know who asks (401)" : "the server does not allow it (403)";
  if (!end.head.challenge.empty()) words += ": " + shown(end.head.challenge);
  return refusal(Fault::Denied, std::move(words), end.head.status, end.head.challenge,
                 unknown ? "give a valid token with --token-env, --token-file or --token-command, "
                           "sign in with --login, or check the client and the scopes that "
                           "--client-id and --scope name"
                         : "the token is good but not for this: ask who runs the server for the "
                           "scopes that the challenge names");
}

// Returns the error in a body, with the server's code; nothing if there is none.
std::optional<RemoteRefusal> errorIn(std::string_view body) {
  const auto message = readServerMessage(body);
  if (!message || !message->answer) return std::nullopt;
  const auto error = message->json.find("error");
  if (error == message->json.end() || !error->is_object()) return std::nullopt;
  const auto code = error->find("code"), words = error->find("message"), data = error->find("data");
  if (code == error->end() || !code->is_number_integer() || words == error->end() ||
      !words->is_string())
    return std::nullopt;
  return RemoteRefusal{code->get<int>(),
                       shown(words->get_ref<const std::string &>()),
                       data == error->end() ? std::string{} : log::masked(data->dump()),
                       {}};
}

} // namespace

bool holdsError(const AnswerEnd &end) {
  const auto message = readServerMessage(end.body);
  if (!message) return false;
  const auto version = message->json.find("jsonrpc");
  return version != message->json.end() && version->is_string() &&
         version->get_ref<const std::string &>() == "2.0" && errorIn(end.body).has_value();
}

bool mayRepeat(std::string_view method) noexcept {
  constexpr std::array<std::string_view, 17> reading{
      "ping", "server/discover", "tools/list", "prompts/list", "prompts/get", "resources/list",
      "skills/list", "resources/templates/list", "skills/get", "resources/read", "list_tools",
      "resources/directory/read", "subscriptions/listen", "completion/complete",
      // These methods have the same effect when they run twice.
      "resources/subscribe", "resources/unsubscribe", "logging/setLevel"};
  return std::find(reading.begin(), reading.end(), method) != reading.end();
}

RemoteRefusal refusalOf(const AnswerEnd &end) {
  const int status = end.head.status;
  switch (end.end.kind) {
  case HttpEnd::Kind::Untrusted:
    return refusal(Fault::Denied, "the server's certificate is not trusted: " + end.end.why, 0, {},
                   "name the authority that signed it with --ca-file");
  case HttpEnd::Kind::TooLarge:
    return refusal(Fault::TooLarge, "the server's answer is too large to be passed on", status);
  case HttpEnd::Kind::NeverSent:
    return refusal(Fault::Unavailable, "the server cannot be reached: " + end.end.why, 0);
  case HttpEnd::Kind::Broken:
    return refusal(Fault::Unavailable, "the connection to the server broke: " + end.end.why, 0);
  case HttpEnd::Kind::Complete:
    break;
  }
  if (status == 401 || status == 403) {
    // A 403 without a challenge refuses a Host or an Origin; its body says which.
    if (status == 403 && end.head.challenge.empty())
      if (auto error = errorIn(end.body)) return *error;
    return unauthorized(end);
  }
  if (status >= 300 && status < 400) {
    return refusal(Fault::Denied,
                   "the server leads elsewhere (" + std::to_string(status) + "), to \"" +
                       shown(end.head.location) + "\": redirects are not followed",
                   status, {}, "if that is the right server, connect to its URL");
  }
  if (auto error = errorIn(end.body)) return *error;
  const std::string answered = "the server answered with HTTP status " + std::to_string(status);
  if (status == 429) return refusal(Fault::RateLimited, answered, status);
  if (status == 502 || status == 503 || status == 504)
    return refusal(Fault::Unavailable, answered, status);
  if (status == 404 || status == 405)
    return refusal(Fault::NotFound, answered, status, {},
                   "check the path of the URL: usually /mcp");
  return refusal(Fault::OperationFailed,
                 status == 200 ? "the server's answer is no MCP (" + shown(end.head.type) + ')'
                               : answered,
                 status);
}

} // namespace skillhost
