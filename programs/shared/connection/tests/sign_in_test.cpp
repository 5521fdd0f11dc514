// SPDX-License-Identifier: Apache-2.0
// Signs in from end to end at a made-up provider. The person does at once what is asked.
#include "catch2.hpp"
#include "connection/login.hpp"
#include "ground/descriptor.hpp"
#include "login/kept_login.hpp"
#include "login/web.hpp"
#include "net/http_server.hpp"
#include "temporary_folder.hpp"

#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;

namespace {

constexpr std::chrono::seconds maxWait{60};

// An MCP server and its authorization server in one. It serves an HTML page with status 200 for
// every unknown path.
class Provider {
public:
  Provider() : server_(settings(), [this](const auto &exchange) { answer(exchange); }) {
    server_.start();
    origin = "http://" + server_.endpoints().front().name;
    thread_ = std::thread([this] { server_.run(); });
  }
  ~Provider() {
    server_.stop();
    thread_.join();
  }
  Provider(const Provider &) = delete;
  Provider &operator=(const Provider &) = delete;

  bool knows(const std::string &client) const { return std::stoi(client) > forgotten; }

  std::string origin;
  std::atomic<bool> away = false, refreshes = true;
  std::atomic<int> registered = 0, forgotten = 0; // number of the last client
  std::atomic<std::size_t> maxAccepts = 0;        // most Accept fields in one request
  std::atomic<int> tokens = 0;
  std::string type = "bearer"; // type of the tokens

private:
  using Exchange = std::shared_ptr<HttpExchange>;

  static HttpSettings settings() {
    HttpSettings settings;
    settings.addresses = {{"127.0.0.1", 0}};
    settings.stopTimeout = std::chrono::milliseconds(500);
    return settings;
  }

  static void say(const Exchange &exchange, int status, const std::string &text,
                  HttpFields fields = {}) {
    exchange->respond({status, "application/json", std::move(fields), Fragments(text)});
  }

  void answer(const Exchange &exchange) {
    const HttpRequest &request = exchange->request();
    maxAccepts = std::max<std::size_t>(maxAccepts, request.count("accept"));
    if (away) return say(exchange, 503, "");
    exchange->readBody([this, exchange] { answerWhole(exchange); });
  }

  void answerWhole(const Exchange &exchange) {
    const std::string_view path = exchange->request().path;
    if (path == "/mcp") return say(exchange, 401, "", {{"WWW-Authenticate", "Bearer"}});
    if (path == "/.well-known/oauth-protected-resource")
      return say(exchange, 200,
                 R"({"resource":")" + origin + R"(/mcp","authorization_servers":[")" + origin +
                     R"("]})");
    if (path == "/.well-known/openid-configuration")
      return say(exchange, 200,
                 R"({"authorization_endpoint":")" + origin + R"(/authorize","token_endpoint":")" +
                     origin + R"(/token","registration_endpoint":")" + origin +
                     R"(/register","issuer":")" + origin +
                     R"(","code_challenge_methods_supported":["S256"]})");
    if (path == "/register")
      return say(exchange, 201, R"({"client_id":")" + std::to_string(++registered) + R"("})");
    if (path == "/token") return giveToken(exchange);
    say(exchange, 200, "<!doctype html><p>Welcome");
  }

  void giveToken(const Exchange &exchange) {
    const FormFields form = formDecoded(exchange->request().body);
    if (!knows(valueOf(form, "client_id")))
      return say(exchange, 401, R"({"error":"invalid_client"})");
    const std::string number = std::to_string(++tokens);
    say(exchange, 200,
        R"({"token_type":")" + type + R"(","access_token":"access-)" + number + '"' +
            (refreshes ? R"(,"refresh_token":"refresh-)" + number + '"' : "") + '}');
  }

  HttpServer server_;
  std::thread thread_;
};

struct Stop {
  const int number = ::eventfd(0, EFD_CLOEXEC);
  Stop() = default;
  Stop(const Stop &) = delete;
  Stop &operator=(const Stop &) = delete;
  ~Stop() { ::close(number); }
};

// A home with a browser. It records what was shown, and acts for the person.
struct Desk {
  Provider provider;
  TemporaryFolder folder;
  Stop stop;
  std::vector<std::string> clients; // one entry for each address that was shown
  std::chrono::milliseconds patience = maxWait;

  LoginSettings settings() const {
    LoginSettings settings;
    settings.url = provider.origin + "/mcp";
    settings.folder = folder.path();
    settings.patience = patience;
    return settings;
  }

  // Acts as a browser: the provider redirects back, unless it does not know the client.
  void signIn(const std::string &address) {
    const FormFields asked = formDecoded(address.substr(address.find('?') + 1));
    if (!provider.knows(valueOf(asked, "client_id"))) return;
    const std::string back =
        valueOf(asked, "redirect_uri") + "?code=1&state=" + valueOf(asked, "state");
    CHECK(request({{}, maxWait, false, "browser", stop.number, true}, back, {"GET", {}, {}}));
  }

  Login login() {
    return Login(settings(), [this](const SignInAddress &address) {
      clients.push_back(valueOf(formDecoded(address.text), "client_id"));
      signIn(address.text);
    });
  }

  std::string token(Login &login, const std::string &refused = {}) const {
    const Result<AccessToken> token = login.token(refused, stop.number);
    return token ? token->text : token.failure().message;
  }
};

using Clients = std::vector<std::string>;

} // namespace

TEST_CASE("a provider that answers every path with a page is found, with one Accept field") {
  Desk desk;
  Login login = desk.login();
  CHECK(desk.token(login) == "access-1");
  CHECK(desk.provider.maxAccepts == 1);
}

TEST_CASE("a token that is bound to a key is refused, a bearer in any letters is not") {
  Desk desk;
  Login login = desk.login();
  desk.provider.type = "DPoP";
  const std::string words = desk.token(login);
  CHECK(words.find("a token of the type \"DPoP\", and only Bearer tokens") != std::string::npos);
  desk.provider.type = "BEARER";
  Login again = desk.login();
  CHECK(desk.token(again) == "access-2");
}

TEST_CASE("many that say nothing do not keep the person out") {
  Desk desk;
  std::vector<std::unique_ptr<Descriptor>> silent;
  Login login(desk.settings(), [&](const SignInAddress &address) {
    const FormFields asked = formDecoded(address.text.substr(address.text.find('?') + 1));
    const std::string redirect = valueOf(asked, "redirect_uri");
    const std::size_t colon = redirect.rfind(':');
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(redirect.substr(colon + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < 100; ++i) {
      silent.push_back(
          std::make_unique<Descriptor>(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
      REQUIRE(::connect(silent.back()->number(), reinterpret_cast<const sockaddr *>(&to),
                        sizeof to) == 0);
    }
    desk.signIn(address.text);
  });
  CHECK(desk.token(login) == "access-1");
}

TEST_CASE("a server that is away has not asked the person") {
  Desk desk;
  desk.provider.away = true;
  Login login = desk.login();
  const Result<AccessToken> none = login.token({}, desk.stop.number);
  REQUIRE_FALSE(none);
  CHECK(none.failure().fault == Fault::Unavailable);
  desk.provider.away = false;
  CHECK(desk.token(login) == "access-1");
  // A person who was asked is not asked again at once.
  desk.provider.refreshes = false;
  desk.provider.forgotten = 1;
  CHECK(desk.token(login, "access-1").starts_with("nobody is signed in"));
  CHECK(desk.clients == Clients{"1"});
}

TEST_CASE("a client that the provider says it does not know is replaced at once") {
  Desk desk;
  Login first = desk.login();
  CHECK(desk.token(first) == "access-1");
  desk.provider.forgotten = 1;
  Login second = desk.login();
  CHECK(desk.token(second, "access-1") == "access-2");
  CHECK(desk.clients == Clients{"1", "2"});
}

TEST_CASE("a client with which nobody comes back is replaced the next time") {
  Desk desk;
  desk.provider.refreshes = false;
  Login first = desk.login();
  CHECK(desk.token(first) == "access-1");
  desk.provider.forgotten = 1;
  desk.patience = std::chrono::milliseconds(1);
  Login second = desk.login();
  CHECK(desk.token(second, "access-1").starts_with("nobody has signed in within"));
  desk.patience = maxWait;
  Login third = desk.login();
  CHECK(desk.token(third, "access-1") == "access-2");
  CHECK(desk.clients == Clients{"1", "1", "2"});
}

TEST_CASE("who signs in by hand is registered anew") {
  Desk desk;
  Login first = desk.login();
  CHECK(desk.token(first) == "access-1");
  desk.provider.forgotten = 1;
  Login second = desk.login();
  CHECK(second.signIn(desk.stop.number));
  CHECK(desk.clients == Clients{"1", "2"});
}

TEST_CASE("who waits for another's sign-in is shown its address, and needs no other") {
  Desk desk;
  std::promise<SignInAddress> shown;
  std::promise<void> mayLeave;
  std::future<Result<AccessToken>> byHand;
  std::future<Result<bool>> leaving;
  Login waiting(desk.settings(), [&](const SignInAddress &address) { shown.set_value(address); });
  Login signingOut(desk.settings(), [&](const SignInAddress &) { mayLeave.set_value(); });
  Login first(desk.settings(), [&](const SignInAddress &address) {
    CHECK(address.process == 0);
    byHand = std::async(std::launch::async, [&] { return waiting.signIn(desk.stop.number); });
    auto other = shown.get_future();
    REQUIRE(other.wait_for(maxWait) == std::future_status::ready);
    const SignInAddress seen = other.get();
    CHECK(seen.process == ::getpid());
    CHECK(seen.text == address.text);
    desk.signIn(seen.text);
  });
  CHECK(desk.token(first) == "access-1");
  const Result<AccessToken> same = byHand.get();
  REQUIRE(same);
  CHECK(same->text == "access-1");

  // A sign-out also waits for a sign-in, and sees its address.
  Login again(desk.settings(), [&](const SignInAddress &address) {
    leaving = std::async(std::launch::async, [&] { return signingOut.signOut(desk.stop.number); });
    REQUIRE(mayLeave.get_future().wait_for(maxWait) == std::future_status::ready);
    desk.signIn(address.text);
  });
  CHECK(again.signIn(desk.stop.number));
  const Result<bool> left = leaving.get();
  REQUIRE(left);
  CHECK(*left);
}
