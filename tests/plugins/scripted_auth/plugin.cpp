// SPDX-License-Identifier: Apache-2.0
// An auth provider that behaves as its configuration says, right or wrong. README.md beside this
// file lists the keys.
#include <skillhost/caller.h>
#include <skillhost/config.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace {

using nlohmann::json;

constexpr std::array<std::pair<std::string_view, skh_status>, 8> statuses{{
    {"OK", SKH_OK},
    {"FAILED", SKH_FAILED},
    {"CANCELLED", SKH_CANCELLED},
    {"DEADLINE", SKH_DEADLINE},
    {"INVALID", SKH_INVALID},
    {"DENIED", SKH_DENIED},
    {"UNAVAILABLE", SKH_UNAVAILABLE},
    {"TOO_LARGE", SKH_TOO_LARGE},
}};

// Carries out a misdeed. Returns only when the call is to go on.
void misbehave(const json &how, const skh::Call &call, std::string_view token) {
  const std::string action = how.value("do", "");
  const std::string message = how.value("message", "scripted failure");
  if (action.empty()) return;
  if (action == "abort") std::abort();
  if (action == "throw") throw std::runtime_error(message);
  if (action == "quote") throw skh::Error(SKH_DENIED, "no such token: " + std::string(token));
  if (action == "block") {
    // The read is unbuffered: the next byte belongs to the next blocked call.
    const int pipe = ::open(how.value("fifo", "").c_str(), O_RDONLY | O_CLOEXEC);
    char released = 0;
    [[maybe_unused]] const ssize_t came = ::read(pipe, &released, 1);
    ::close(pipe);
    return;
  }
  if (action == "await_cancel")
    for (;;) {
      call.point();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  const auto *const found = std::find_if(statuses.begin(), statuses.end(),
                                         [&](const auto &one) { return one.first == action; });
  throw skh::Error(found == statuses.end() ? SKH_INVALID : found->second, message);
}

std::string repeated(const std::string &text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

class Scripted {
public:
  Scripted(skh::Host host, const skh::Call &) : host_(host), config_(host) {}

  void check(const skh::Call &call) {
    host_.count("scripted.check");
    misbehave(script().value("check", json::object()), call, {});
  }

  void validate(const skh::Call &call, const skh_credential &credential,
                const skh_principals &out) {
    host_.count("scripted.validate");
    const json now = script();
    const std::string token(skh::view(credential.value));
    const json tokens = now.value("tokens", json::object());
    const auto found = tokens.find(token);
    if (found == tokens.end()) throw skh::Error(SKH_DENIED, "no such token");
    if (now.value("resource", std::string(skh::view(credential.resource))) !=
        skh::view(credential.resource))
      throw skh::Error(SKH_DENIED, "meant for another resource");
    misbehave(*found, call, token);
    accept(*found, token, out);
  }

  // Looks the caller up in the script's "callers" by the subject or a name of its certificate, or
  // by "x-field=value". The claims hold everything that the caller presented.
  skh_status validateCaller(const skh_caller &caller, const skh_principals &out) {
    host_.count("scripted.validate_caller");
    const json now = script();
    const json callers = now.value("callers", json::object());
    std::vector<std::string> shown;
    if (caller.certificate != nullptr) {
      shown.emplace_back(skh::view(caller.certificate->subject));
      for (std::uint32_t i = 0; i < caller.certificate->name_count; ++i)
        shown.emplace_back(skh::view(caller.certificate->names[i]));
    }
    for (std::uint32_t i = 0; i < caller.header_count; ++i)
      shown.push_back(std::string(skh::view(caller.headers[2 * i])) + '=' +
                      std::string(skh::view(caller.headers[2 * i + 1])));
    const std::string scheme(skh::view(caller.credential->scheme));
    for (const std::string &one : shown) {
      const auto found = callers.find(one);
      if (found == callers.end()) continue;
      json answer = *found;
      answer["claims"] = json{{"scheme", scheme}, {"shown", shown}}.dump();
      accept(answer, one, out);
      return SKH_OK;
    }
    if (scheme == "bearer") return SKH_UNSUPPORTED;
    throw skh::Error(SKH_DENIED, "nobody known: " + json(shown).dump());
  }

  std::string describe(const skh::Call &call) {
    host_.count("scripted.describe");
    const json now = script();
    misbehave(now.value("describe", json::object()), call, {});
    return now.value("metadata", R"({"authorization_servers":["https://issuer.example"]})");
  }

private:
  json script() const {
    if (!config_.has("file")) return config_.json();
    std::ifstream file(config_.text("file"), std::ios::binary);
    if (!file) throw skh::Error(SKH_UNAVAILABLE, "the script cannot be opened");
    return json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
  }

  static void accept(const json &answer, const std::string &token, const skh_principals &out) {
    const std::string subject =
        repeated(answer.value("subject", token), answer.value("repeat", std::size_t{1}));
    const std::string issuer = answer.value("issuer", "scripted");
    const std::string claims = answer.value("claims", "");
    const auto scopes = answer.value("scopes", std::vector<std::string>{});
    std::vector<skh_str> borrowed;
    borrowed.reserve(scopes.size());
    for (const std::string &scope : scopes) borrowed.push_back(skh::borrow(scope));
    skh_principal raw{};
    raw.size = sizeof raw;
    raw.scope_count = static_cast<std::uint32_t>(borrowed.size());
    raw.scopes = borrowed.data();
    raw.subject = skh::borrow(subject);
    raw.issuer = skh::borrow(issuer);
    raw.claims = skh::borrow(claims);
    if (answer.contains("expires_in"))
      raw.expires_at = std::chrono::duration_cast<std::chrono::seconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count() +
                       answer.at("expires_in").get<std::int64_t>();
    raw.cache_seconds = answer.value("cache_seconds", 300U);
    // The sink's answer is ignored, because the host must judge by itself, unless the script wants
    // it returned.
    for (std::size_t i = 0; i < answer.value("accepts", std::size_t{1}); ++i)
      if (const skh_status status = out.accept(&out, &raw);
          status != SKH_OK && answer.value("returns_refusal", false))
        throw skh::Error(status, "refused");
  }

  skh::Host host_;
  skh::Config config_;
};

// This table is written by hand, because the wrapper of plugin.hpp makes no mistakes.
skh_status check(void *self, const skh_call *call) noexcept {
  return skh::guard(call, [&] { static_cast<Scripted *>(self)->check(skh::Call{call}); });
}
skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                    const skh_principals *out) noexcept {
  return skh::guard(
      call, [&] { static_cast<Scripted *>(self)->validate(skh::Call{call}, *credential, *out); });
}
skh_status describe(void *self, const skh_call *call, const skh_bytes *out) noexcept {
  return skh::guard(call, [&] {
    skh::Bytes{out}.write(static_cast<Scripted *>(self)->describe(skh::Call{call}));
  });
}
skh_status validateCaller(void *self, const skh_call *call, const skh_caller *caller,
                          const skh_principals *out) noexcept {
  skh_status status = SKH_OK;
  const skh_status guarded = skh::guard(
      call, [&] { status = static_cast<Scripted *>(self)->validateCaller(*caller, *out); });
  return guarded != SKH_OK ? guarded : status;
}
constexpr skh_callers callers{sizeof(skh_callers), SKH_CALLER_MAGIC, &validateCaller};
const void *extension(void * /*self*/, const char *id) noexcept {
  return std::string_view(id) == SKH_CALLER ? &callers : nullptr;
}
constexpr skh_plugin withCallers(skh_plugin plugin) {
  plugin.extension = &extension;
  return plugin;
}
constexpr skh_auth operations{sizeof(skh_auth), 0, &check, &validate, &describe};

} // namespace

SKH_PLUGIN(withCallers(skh::describe<Scripted>("skh.auth/1", &operations, "test.scripted_auth",
                                               "1.0.0", "Does what the test says",
                                               R"({"type": "object"})", 0, "Apache-2.0")));
