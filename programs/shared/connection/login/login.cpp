// SPDX-License-Identifier: Apache-2.0
#include "connection/login.hpp"

#include "base/log.hpp"
#include "ground/base64.hpp"
#include "ground/child_process.hpp"
#include "ground/random.hpp"
#include "ground/sha256.hpp"
#include "ground/shown.hpp"
#include "ground/utf8.hpp"
#include "login/provider.hpp"
#include "login/redirect_listener.hpp"
#include "login/web.hpp"
#include "option_names.hpp"
#include "server_address.hpp"

#include <unistd.h>

#include <exception>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

using SystemClock = std::chrono::system_clock;
constexpr std::chrono::seconds beforeTheEnd{60};
constexpr std::chrono::minutes betweenQuestions{5};

bool stillGood(const KeptLogin &login, const std::string &refused) {
  if (login.accessToken.empty() || login.accessToken == refused) return false;
  return login.expires == 0 || SystemClock::now() + beforeTheEnd <
                                   SystemClock::time_point(std::chrono::seconds(login.expires));
}

void redactTokens(const KeptLogin &login) {
  for (const std::string *secret : {&login.accessToken, &login.refreshToken, &login.clientSecret})
    if (!secret->empty()) log::redact(*secret);
}

// Returns the S256 challenge of RFC 7636, section 4.2.
std::string challengeOf(const std::string &verifier) {
  const std::string hex = sha256Hex(verifier);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return encodeBase64Url(bytes);
}

// A shell starts the browser in the background, because the browser may outlive us and must not
// write to our standard output between the messages.
void openBrowser(const std::string &browser, const std::string &address) {
  if (browser.empty()) return;
  Result<ChildProcess> shell = ChildProcess::start(
      {{"/bin/sh", "-c", R"("$0" "$1" >/dev/null 2>&1 </dev/null &)", browser, address}, {-1}, {}});
  if (shell) shell->reap(ChildProcess::Group::Stays);
}

// Decides about a kept client. If the provider has forgotten it, its page never redirects back
// here, so a sign-in by hand replaces the client.
enum class KeptClient : std::uint8_t { Use, Replace };

bool namesClient(const LoginSettings &settings) {
  return !settings.clientId.empty() || !settings.clientMetadata.empty();
}

// Chooses the client for this sign-in: the configured one, the kept one, or a new registration.
Status chooseClient(const LoginSettings &settings, const Web &web,
                    const AuthorizationServer &server, const std::optional<KeptLogin> &kept,
                    KeptClient client, const RedirectListener &listener, KeptLogin &login) {
  login.redirectPort = listener.port();
  if (!settings.clientId.empty()) {
    login.clientId = settings.clientId;
    return Done{};
  }
  if (!settings.clientMetadata.empty()) {
    if (!server.clientMetadata)
      return {Fault::Denied,
              "the authorization server " + server.issuer +
                  " takes no client metadata documents: leave --client-metadata out"};
    login.clientId = settings.clientMetadata;
    return Done{};
  }
  // A registered client is bound to its redirect, including the port.
  if (kept && kept->issuer == server.issuer && kept->redirectPort == listener.port() &&
      !kept->clientId.empty() &&
      (client == KeptClient::Use || server.registrationEndpoint.empty())) {
    login.clientId = kept->clientId;
    login.clientSecret = kept->clientSecret;
    return Done{};
  }
  return registerClient(web, server, listener.address(), login);
}

std::string authorizationAddress(const AuthorizationServer &server, const KeptLogin &login,
                                 const std::string &redirect, const std::string &state,
                                 const std::string &verifier) {
  FormFields fields{{"response_type", "code"},
                    {"client_id", login.clientId},
                    {"redirect_uri", redirect},
                    {"state", state},
                    {"code_challenge", challengeOf(verifier)},
                    {"code_challenge_method", "S256"},
                    {"resource", server.resource}};
  std::string scope = login.scope;
  if (server.offlineAccess && (' ' + scope + ' ').find(" offline_access ") == std::string::npos)
    scope += scope.empty() ? "offline_access" : " offline_access";
  if (!scope.empty()) fields.emplace_back("scope", scope);
  // OpenID Connect only gives a refresh token after asking for consent.
  if (server.offlineAccess) fields.emplace_back("prompt", "consent");
  const char joint = server.authorizationEndpoint.find('?') == std::string::npos ? '?' : '&';
  return server.authorizationEndpoint + joint + formEncoded(fields);
}

// Returns the code that the browser brought back, or the reason why there is none.
Result<std::string> codeIn(const FormFields &fields, const AuthorizationServer &server) {
  if (const std::string error = valueOf(fields, "error"); !error.empty())
    return {Fault::Denied, "the authorization server " + server.issuer +
                               " refuses: " + shownLine(cutUtf8(error, 100)) + ' ' +
                               shownLine(cutUtf8(valueOf(fields, "error_description"), 300))};
  // Another server's code must not be sent to this one (RFC 9207).
  const std::string issuer = valueOf(fields, "iss");
  if ((server.namesIssuer || !issuer.empty()) && issuer != server.issuer)
    return {Fault::Denied, "the answer to the sign-in came from \"" +
                               shownLine(cutUtf8(issuer, 200)) + "\" and not from " +
                               server.issuer};
  std::string code = valueOf(fields, "code");
  if (code.empty())
    return {Fault::Denied, "the authorization server " + server.issuer + " sent no code"};
  return code;
}

// Forgets the client of `kept` if the provider may have forgotten it and registers clients.
Result<KeptLogin> askThePerson(const LoginSettings &settings,
                               const std::function<void(const std::string &)> &show,
                               std::optional<KeptLogin> &kept, KeptClient client, int stop) {
  const Web web = webOf(settings, stop);
  const Result<AuthorizationServer> server = discover(web, settings.url, optionNames());
  if (!server) return server.failure();
  if (const Status offered = offersSignIn(*server); !offered) return offered.failure();
  const Result<app::HttpTarget> target = app::readTarget(server->authorizationEndpoint);
  if (!target || (!target->secure && !target->loopback && !settings.allowPlainToken))
    return {Fault::Denied, "the authorization server " + server->issuer +
                               " names no https address for signing in"};
  const std::string state = randomHex(16), verifier = randomHex(32);
  log::redact(verifier);
  RedirectListener listener(kept ? kept->redirectPort : std::uint16_t{0}, state);
  KeptLogin login;
  login.url = settings.url;
  login.resource = server->resource;
  login.issuer = server->issuer;
  login.tokenEndpoint = server->tokenEndpoint;
  login.revocationEndpoint = server->revocationEndpoint;
  login.scope = settings.scope.empty() ? server->scope : settings.scope;
  if (Status chosen = chooseClient(settings, web, *server, kept, client, listener, login); !chosen)
    return std::move(chosen).failure();
  const bool isReplaceable = client == KeptClient::Use && !namesClient(settings) && kept &&
                             kept->clientId == login.clientId &&
                             !server->registrationEndpoint.empty();
  const std::string address =
      authorizationAddress(*server, login, listener.address(), state, verifier);
  show(address);
  openBrowser(settings.browser, address);
  const Result<FormFields> back = listener.wait(stop, Deadline::after(settings.patience));
  if (!back && back.failure().fault == Fault::ToolTimeout) {
    if (isReplaceable) kept->forgetClient();
    return {Fault::Denied, "nobody has signed in within " +
                               std::to_string(settings.patience.count() / 1000) + " s"};
  }
  if (!back) return back.failure();
  const Result<std::string> code = codeIn(*back, *server);
  if (!code) return code.failure();
  log::redact(*code);
  if (Status exchanged = exchangeCode(web, login, *code, listener.address(), verifier);
      !exchanged) {
    if (isReplaceable && login.clientId.empty()) kept->forgetClient();
    return std::move(exchanged).failure();
  }
  return login;
}

Result<AccessToken> keep(const std::string &file, const KeptLogin &login) {
  redactTokens(login);
  if (Status written = writeLogin(file, login); !written) return std::move(written).failure();
  return accessToken(login);
}

// Saves a login whose client was forgotten, so that the next start knows it, too.
void keepWithoutClient(const std::string &file, const std::optional<KeptLogin> &login) {
  if (!login || !login->clientId.empty()) return;
  if (const Status written = writeLogin(file, *login); !written)
    log::warning("connect", written.failure().message);
}

std::function<void(const LoginLock::Holder &)>
otherOne(const std::function<void(const SignInAddress &)> &show) {
  return [&show](const LoginLock::Holder &holder) { show({holder.address, holder.process}); };
}

// Turns exceptions into failures: no handle, no socket or no random bytes were available.
template <class Function> auto guarded(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception &why) {
    return {Fault::OperationFailed, why.what()};
  }
}

} // namespace

Login::Login(LoginSettings settings, std::function<void(const SignInAddress &)> show)
    : settings_(std::move(settings)), show_(std::move(show)),
      file_(loginFile(settings_.folder, settings_.url)) {}

Result<AccessToken> Login::token(const std::string &refused, int stop) {
  return guarded([&]() -> Result<AccessToken> {
    const Result<LoginLock> lock = LoginLock::take(file_, stop, otherOne(show_));
    if (!lock) return lock.failure();
    Result<std::optional<KeptLogin>> kept = readLogin(file_, settings_.url);
    if (!kept) return std::move(kept).failure();
    if (*kept) {
      KeptLogin &login = **kept;
      redactTokens(login);
      if (stillGood(login, refused)) return accessToken(login);
      if (!login.refreshToken.empty()) {
        const Status refreshed = refreshTokens(webOf(settings_, stop), login);
        if (refreshed) return keep(file_, login);
        if (refreshed.failure().fault != Fault::Denied) return refreshed.failure();
        log::info("connect", refreshed.failure().message + "; signing in anew");
        keepWithoutClient(file_, *kept);
      }
    }
    const auto now = std::chrono::steady_clock::now();
    if (lastQuestion_ && now < *lastQuestion_ + betweenQuestions)
      return {Fault::Denied, "nobody is signed in; run: skillhost login " + settings_.url};
    const auto show = [&](const std::string &address) {
      lastQuestion_ = std::chrono::steady_clock::now();
      lock->tell(address);
      show_({address});
    };
    const Result<KeptLogin> fresh = askThePerson(settings_, show, *kept, KeptClient::Use, stop);
    if (fresh) return keep(file_, *fresh);
    keepWithoutClient(file_, *kept);
    return fresh.failure();
  });
}

Result<AccessToken> Login::signIn(int stop) {
  return guarded([&]() -> Result<AccessToken> {
    const Result<std::optional<KeptLogin>> before = readLogin(file_, settings_.url);
    if (!before) return before.failure();
    const Result<LoginLock> lock = LoginLock::take(file_, stop, otherOne(show_));
    if (!lock) return lock.failure();
    Result<std::optional<KeptLogin>> kept = readLogin(file_, settings_.url);
    if (!kept) return std::move(kept).failure();
    // The person has just signed in for another process, with the address that was shown here, too.
    if (lock->hasWaitedForPerson() && *kept && !namesClient(settings_) && settings_.scope.empty() &&
        stillGood(**kept, *before ? (*before)->accessToken : std::string())) {
      redactTokens(**kept);
      return accessToken(**kept);
    }
    const auto show = [&](const std::string &address) {
      lock->tell(address);
      show_({address});
    };
    const Result<KeptLogin> fresh = askThePerson(settings_, show, *kept, KeptClient::Replace, stop);
    return fresh ? keep(file_, *fresh) : Result<AccessToken>(fresh.failure());
  });
}

Result<bool> Login::signOut(int stop) {
  return guarded([&]() -> Result<bool> {
    const Result<LoginLock> lock = LoginLock::take(file_, stop, otherOne(show_));
    if (!lock) return lock.failure();
    const Result<std::optional<KeptLogin>> kept = readLogin(file_, settings_.url);
    if (!kept) return kept.failure();
    if (!*kept) return false;
    redactTokens(**kept);
    // Remove the file whatever the provider answers. The caller gets that answer.
    const Status revoked = revokeTokens(webOf(settings_, stop), **kept);
    if (::unlink(file_.c_str()) != 0)
      return {Fault::OperationFailed, file_ + ": cannot be removed"};
    if (!revoked) return revoked.failure();
    return true;
  });
}

} // namespace skillhost
