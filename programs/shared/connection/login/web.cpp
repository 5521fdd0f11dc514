// SPDX-License-Identifier: Apache-2.0
#include "login/web.hpp"

#include "ground/percent.hpp"
#include "ground/readiness.hpp"
#include "http_client/url.hpp"
#include "server_address.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxBodyBytes = 1U << 20U;
constexpr std::chrono::seconds answerTime{30};

class WholeAnswer final : public HttpReceiver {
public:
  void head(const HttpHead &head) override { answer.head = head; }
  bool take(std::string_view bytes) override {
    answer.body += bytes;
    return answer.body.size() <= maxBodyBytes;
  }
  void end(const HttpEnd &end) override { ended = end; }

  WebAnswer answer;
  std::optional<HttpEnd> ended;
};

std::string withoutQuery(const std::string &url) { return std::string(web::withoutQuery(url)); }

// Returns nothing if the text has control characters, which no value of a form contains.
std::optional<std::string> decodedPart(std::string text) {
  std::replace(text.begin(), text.end(), '+', ' ');
  std::string decoded = decodePercents(text);
  const bool isText =
      std::none_of(decoded.begin(), decoded.end(), [](unsigned char byte) { return byte < 0x20; });
  return isText ? std::optional(std::move(decoded)) : std::nullopt;
}

} // namespace

Web webOf(const LoginSettings &settings, int stop) {
  const Result<app::HttpTarget> server = app::readTarget(settings.url);
  return {settings.authorities,
          settings.connecting,
          settings.allowPlainToken,
          "skillhost/" + settings.version,
          stop,
          server && server->loopback};
}

Result<WebAnswer> request(const Web &web, const std::string &url, HttpCall ask) {
  const Result<app::HttpTarget> target = app::readTarget(url);
  if (!target) return {Fault::Denied, target.failure().message};
  if (!target->secure && !target->loopback && !web.allowPlain)
    return {Fault::Denied, withoutQuery(url) +
                               ": what is sent there could be read on the way: https is needed, or "
                               "--allow-plain-token when the network is trusted"};
  if (target->loopback && !web.allowLoopback)
    return {Fault::Denied, withoutQuery(url) +
                               ": the server is on another machine, and yet names an address of "
                               "this one for signing in"};
  ask.fields.emplace_back("User-Agent", web.agent);
  if (std::none_of(ask.fields.begin(), ask.fields.end(),
                   [](const auto &field) { return field.first == "Accept"; }))
    ask.fields.emplace_back("Accept", "application/json");
  const auto receiver = std::make_shared<WholeAnswer>();
  HttpClient client({url, web.authorities, web.connecting, target->loopback});
  client.start(std::move(ask), receiver);
  const Deadline deadline = Deadline::after(answerTime);
  while (!receiver->ended) {
    if (deadline.passed())
      return {Fault::Unavailable, withoutQuery(url) + ": no answer within 30 s"};
    if (const Status stopped = awaitReadiness({web.stop, Direction::In}, -1, Deadline::after({}));
        stopped)
      return {Fault::Cancelled, "stopped"};
    client.work(std::chrono::milliseconds(500), web.stop);
  }
  const HttpEnd &end = *receiver->ended;
  if (end.kind == HttpEnd::Kind::Untrusted)
    return {Fault::Denied, withoutQuery(url) + ": its certificate is not trusted: " + end.why +
                               "; name the authority that signed it with --ca-file"};
  if (end.kind != HttpEnd::Kind::Complete)
    return {Fault::Unavailable, withoutQuery(url) + ": " + end.why};
  return std::move(receiver->answer);
}

Result<Json> fetchObject(const Web &web, const std::string &url) {
  Result<WebAnswer> answer = request(web, url, {"GET", {}, {}});
  if (!answer) return std::move(answer).failure();
  if (answer->head.status >= 500)
    return {Fault::Unavailable,
            withoutQuery(url) + ": HTTP status " + std::to_string(answer->head.status)};
  if (answer->head.status != 200)
    return {Fault::NotFound,
            withoutQuery(url) + ": HTTP status " + std::to_string(answer->head.status)};
  Result<Json> read = parseJson(answer->body);
  if (!read || !read->is_object())
    // Many servers send an HTML page for unknown paths.
    return {Fault::NotFound, withoutQuery(url) + ": expected a JSON object"};
  return read;
}

std::string formEncoded(const FormFields &fields) {
  std::string encoded;
  for (const auto &[name, value] : fields)
    encoded += (encoded.empty() ? "" : "&") + name + "=" + web::formEncoded(value);
  return encoded;
}

FormFields formDecoded(std::string_view text) {
  FormFields fields;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    auto value = decodedPart(std::string(one.substr(equals + 1)));
    if (value) fields.emplace_back(one.substr(0, equals), *std::move(value));
  }
  return fields;
}

std::string valueOf(const FormFields &fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto &field) { return field.first == name; });
  return found == fields.end() ? std::string() : found->second;
}

std::string textOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace skillhost
