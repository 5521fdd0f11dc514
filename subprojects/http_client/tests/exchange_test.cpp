// SPDX-License-Identifier: Apache-2.0
// Sends requests to a server of this test, which sends the given answer.
#include "catch2.hpp"
#include "http_client/exchange.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace web = skillhost::web;

namespace {

// Sends the same bytes to one connection after another, and keeps the requests.
class OneAnswer {
public:
  explicit OneAnswer(std::string answer) : answer_(std::move(answer)) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    REQUIRE(::bind(listening_, reinterpret_cast<const sockaddr *>(&here), size) == 0);
    REQUIRE(::listen(listening_, 4) == 0);
    REQUIRE(::getsockname(listening_, reinterpret_cast<sockaddr *>(&here), &size) == 0);
    port_ = ::ntohs(here.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OneAnswer() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  OneAnswer(const OneAnswer &) = delete;
  OneAnswer &operator=(const OneAnswer &) = delete;

  std::string url(const std::string &path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  // Returns the last request. Call it once the exchange has ended.
  std::string asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

private:
  void serve() {
    for (;;) {
      const int peer = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      if (peer < 0) return;
      std::string asked;
      std::array<char, 4'096> part{};
      while (asked.find("\r\n\r\n") == std::string::npos) {
        const ssize_t size = ::recv(peer, part.data(), part.size(), 0);
        if (size <= 0) break;
        asked.append(part.data(), static_cast<std::size_t>(size));
      }
      {
        const std::lock_guard lock(mutex_);
        asked_ = std::move(asked);
      }
      static_cast<void>(::send(peer, answer_.data(), answer_.size(), MSG_NOSIGNAL));
      ::close(peer);
    }
  }

  const std::string answer_;
  const int listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  mutable std::mutex mutex_;
  std::string asked_;
  std::thread thread_;
};

void carry(web::Connections &connections, const web::Exchange &exchange) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!exchange.hasEnded() && std::chrono::steady_clock::now() < end) {
    connections.perform();
    if (!exchange.hasEnded()) connections.wait(std::chrono::milliseconds(40));
  }
  REQUIRE(exchange.hasEnded());
}

web::Request request(const OneAnswer &server, std::string *body) {
  web::Request request{server.url("/a?b=c")};
  request.take = [body](std::string_view bytes) {
    body->append(bytes);
    return web::Taken::All;
  };
  return request;
}

constexpr const char *good = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\nLink: one\r\n"
                             "Link: two\r\nRetry-After: 7\r\n\r\nhello";

} // namespace

TEST_CASE("a request is answered") {
  const OneAnswer server(good);
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  web::Request asked = request(server, &body);
  asked.agent = "tester/1";
  asked.fields = {"Accept: text/plain"};
  asked.authentication = web::Request::Authentication::Basic;
  asked.user = "ada";
  asked.secret = "secret";
  int heads = 0;
  asked.onHead = [&] {
    ++heads;
    CHECK(exchange.status() == 200);
    CHECK(exchange.field("etag") == "\"x\"");
  };
  exchange.start(std::move(asked));
  carry(connections, exchange);
  CHECK_FALSE(exchange.hasFailed());
  CHECK(exchange.reason().empty());
  CHECK(body == "hello");
  CHECK(heads == 1);
  CHECK(exchange.fields("link") == std::vector<std::string>{"one", "two"});
  CHECK(exchange.field("Location").empty());
  CHECK(exchange.retryAfter() == 7);
  CHECK(exchange.wasSent());
  CHECK(server.asked().starts_with("GET /a?b=c HTTP/1.1\r\n"));
  CHECK(server.asked().find("\r\nAuthorization: Basic YWRhOnNlY3JldA==\r\n") != std::string::npos);
  CHECK(server.asked().find("\r\nUser-Agent: tester/1\r\n") != std::string::npos);
  CHECK(server.asked().find("\r\nAccept: text/plain\r\n") != std::string::npos);
}

TEST_CASE("no end of a line is left in the value of a field") {
  const OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag:\r\n X-Other: 1\r\n"
                         "Link:\r\nLink: two\r\n\tlines\r\nX-Blank: \t \r\n\r\n");
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  exchange.start(request(server, &body));
  carry(connections, exchange);
  CHECK_FALSE(exchange.hasFailed());
  CHECK(exchange.field("etag") == "X-Other: 1");
  CHECK(exchange.field("x-blank").empty());
  const std::vector<std::string> links = exchange.fields("link");
  REQUIRE(links.size() == 2);
  CHECK(links.front().empty());
  for (const std::string &link : links) CHECK(link.find_first_of("\r\n") == std::string::npos);
}

TEST_CASE("an exchange begins anew, with another method and a body") {
  const OneAnswer server("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  for (const char *method : {"POST", "PUT"}) {
    web::Request asked = request(server, &body);
    asked.method = method;
    asked.body = "a=b";
    exchange.start(std::move(asked));
    carry(connections, exchange);
    CHECK(exchange.status() == 204);
    CHECK(server.asked().starts_with(std::string(method) + " /a?b=c"));
    CHECK(server.asked().find("\r\nContent-Length: 3\r\n") != std::string::npos);
  }
  for (const char *method : {"HEAD", "DELETE"}) {
    web::Request asked = request(server, &body);
    asked.method = method;
    exchange.start(std::move(asked));
    carry(connections, exchange);
    CHECK(server.asked().starts_with(std::string(method) + " /a?b=c"));
    CHECK(server.asked().find("Content-Length") == std::string::npos);
  }
}

TEST_CASE("a redirect is told and not followed") {
  const OneAnswer server("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n");
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  exchange.start(request(server, &body));
  carry(connections, exchange);
  CHECK(exchange.status() == 302);
  CHECK(exchange.redirect() == server.url("/there"));
}

TEST_CASE("an answer ends when it is not wanted, when it throws, and when its head is too long") {
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  {
    const OneAnswer server(good);
    web::Request asked = request(server, &body);
    asked.take = [](std::string_view) { return web::Taken::Refused; };
    exchange.start(std::move(asked));
    carry(connections, exchange);
    CHECK(exchange.hasFailed());
    CHECK(exchange.wasRefused());
    asked = request(server, &body);
    asked.take = [](std::string_view) -> web::Taken { throw std::runtime_error("no"); };
    exchange.start(std::move(asked));
    carry(connections, exchange);
    CHECK(exchange.wasRefused());
  }
  const OneAnswer server("HTTP/1.1 200 OK\r\nX: " + std::string(2'000, 'x') + "\r\n\r\n");
  web::Request asked = request(server, &body);
  asked.maxHeadBytes = 1'000;
  exchange.start(std::move(asked));
  carry(connections, exchange);
  CHECK(exchange.wasRefused());
  exchange.start(request(server, &body));
  carry(connections, exchange);
  CHECK_FALSE(exchange.hasFailed());
}

TEST_CASE("the head of an answer may be 64 KiB long unless the request says otherwise") {
  constexpr std::size_t most = 65'536;
  const std::string begin = "HTTP/1.1 200 OK\r\nX: ", end = "\r\nConnection: close\r\n\r\n";
  for (const std::size_t size : {most, most + 1}) {
    const OneAnswer server(begin + std::string(size - begin.size() - end.size(), 'x') + end);
    web::Connections connections;
    web::Exchange exchange(connections);
    std::string body;
    exchange.start(request(server, &body));
    carry(connections, exchange);
    CHECK(exchange.wasRefused() == (size > most));
    CHECK(exchange.hasFailed() == (size > most));
  }
}

TEST_CASE("bytes that cannot be taken yet come again") {
  const OneAnswer server(good);
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  web::Request asked = request(server, &body);
  bool isLater = true;
  asked.take = [&](std::string_view bytes) {
    if (isLater) return web::Taken::Later;
    body.append(bytes);
    return web::Taken::All;
  };
  exchange.start(std::move(asked));
  for (int i = 0; i < 10; ++i) {
    connections.perform();
    connections.wait(std::chrono::milliseconds(20));
  }
  CHECK_FALSE(exchange.hasEnded());
  isLater = false;
  exchange.resume();
  carry(connections, exchange);
  CHECK(body == "hello");
}

TEST_CASE("a name does not lead to a private address") {
  const OneAnswer server(good);
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string body;
  const auto start = [&](bool isNamed, bool isAllowed) {
    web::Request asked = request(server, &body);
    asked.proxy = web::Proxy::Guarded;
    asked.host = "127.0.0.1";
    asked.isSecure = false;
    asked.isNamed = isNamed;
    asked.allowsPrivateAddresses = isAllowed;
    exchange.start(std::move(asked));
    carry(connections, exchange);
  };
  start(false, false);
  CHECK(exchange.hasFailed());
  CHECK(exchange.forbidden() == "127.0.0.1");
  CHECK_FALSE(exchange.wasSent());
  start(true, false); // the operator configured this address
  CHECK_FALSE(exchange.hasFailed());
  start(false, true);
  CHECK_FALSE(exchange.hasFailed());
  CHECK(exchange.forbidden().empty());
}

TEST_CASE("no answer has a reason") {
  web::Connections connections;
  web::Exchange exchange(connections);
  std::string url;
  { url = OneAnswer(good).url(); }
  exchange.start({url});
  carry(connections, exchange);
  CHECK(exchange.hasFailed());
  CHECK_FALSE(exchange.wasSent());
  CHECK_FALSE(exchange.isUntrusted());
  CHECK(exchange.reason().find("connect") != std::string::npos);
  exchange.start({"file:///etc/passwd"});
  carry(connections, exchange);
  CHECK(exchange.hasFailed());
}
