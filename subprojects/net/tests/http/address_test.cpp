// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "catch2.hpp"
#include "raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

HttpSettings at(HttpAddress address) {
  HttpSettings settings;
  settings.addresses.push_back(std::move(address));
  return settings;
}

void tellPeer(const Kept &exchange) {
  exchange->respond({200, "text/plain", {}, Fragments(exchange->request().peer)});
}

class Folder {
public:
  Folder() {
    std::string name = "/tmp/http-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const char *name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

std::string whyNot(HttpSettings settings) {
  HttpServer server(std::move(settings), echo);
  try {
    server.start();
  } catch (const std::runtime_error &why) {
    return why.what();
  }
  return "";
}

} // namespace

TEST_CASE("a unix socket says who its client is, and has the mode it was given") {
  const Folder folder;
  const std::string path = folder / "http.sock";
  {
    RunningServer running(tellPeer, at({"", 0, path, 0640}));
    CHECK(running.server.endpoints().front().local);
    struct stat info{};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777U) == 0640U);
    RawClient client(running.endpoint());
    client.send(get);
    CHECK(client.answer().body == "unix:uid=" + std::to_string(::getuid()));
    CHECK(whyNot(at({"", 0, path})).find("in use") != std::string::npos);
    client.send(get); // the failed start did no harm
    CHECK(client.answer().status == 200);
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a socket's file is replaced when nobody listens there, and no other file is") {
  const Folder folder;
  const std::string stale = folder / "stale.sock";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  stale.copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0);
  ::close(socket);
  RunningServer running(tellPeer, at({"", 0, stale}));
  RawClient client(running.endpoint());
  client.send(get);
  CHECK(client.answer().status == 200);

  const std::string file = folder / "file";
  std::ofstream(file) << "text";
  CHECK(whyNot(at({"", 0, file})).find("there is a file of that name") != std::string::npos);
  CHECK(std::filesystem::file_size(file) == 4);
  CHECK(whyNot(at({"", 0, folder / std::string(200, 'x').c_str()})).find("107 bytes") !=
        std::string::npos);
}

TEST_CASE("TCP addresses are opened by number and by name, and refused with the reason") {
  RunningServer running(tellPeer, at({"localhost", 0}));
  for (const HttpEndpoint &endpoint : running.server.endpoints()) {
    CHECK(endpoint.local);
    RawClient client(endpoint.name);
    client.send(get);
    const std::string peer = client.answer().body;
    CHECK(peer.substr(0, peer.rfind(':')) == endpoint.name.substr(0, endpoint.name.rfind(':')));
  }
  const std::string name = running.endpoint();
  const auto port = static_cast<std::uint16_t>(std::stoi(name.substr(name.rfind(':') + 1)));
  const std::string host = name[0] == '[' ? "::1" : "127.0.0.1";
  CHECK(whyNot(at({host, port})) == "cannot listen to " + name + ": the address is in use");
  CHECK(whyNot(at({"192.0.2.1", 0})).find("no such address") != std::string::npos);
  CHECK(whyNot(at({"no.such.name.invalid", 0})).starts_with("cannot listen to no.such"));
  CHECK(whyNot(HttpSettings{}) == "there is no address to listen on");
  HttpServer everywhere(at({"0.0.0.0", 0}), echo);
  everywhere.start();
  CHECK_FALSE(everywhere.endpoints().front().local);
}

TEST_CASE("sockets that were opened for this process are served") {
  constexpr int first = 3; // the first descriptor of systemd
  const int kept = ::dup(first);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0);
  REQUIRE(::listen(socket, 16) == 0);
  if (socket != first) {
    ::dup2(socket, first);
    ::close(socket);
  }
  HttpSettings settings;
  settings.usesSystemdSockets = true;
  SECTION("with our number") {
    ::setenv("LISTEN_PID", std::to_string(::getpid()).c_str(), 1);
    ::setenv("LISTEN_FDS", "1", 1);
    RunningServer running(tellPeer, settings);
    RawClient client(running.endpoint());
    client.send(get);
    CHECK(client.answer().body.starts_with("127.0.0.1:"));
  }
  SECTION("but not those of another") {
    ::setenv("LISTEN_PID", "1", 1);
    ::setenv("LISTEN_FDS", "1", 1);
    CHECK(whyNot(settings).find("LISTEN_FDS") != std::string::npos);
  }
  CHECK(std::getenv("LISTEN_FDS") == nullptr);
  if (kept >= 0) {
    ::dup2(kept, first);
    ::close(kept);
  } else {
    ::close(first);
  }
}

TEST_CASE("without descriptors nobody is accepted, until there are some again") {
  Inbox<std::string> lines;
  RunningServer running(echo);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  log::listen([&](LogLevel, std::string_view, std::string_view text) {
    if (text.find("accepts nobody") != std::string_view::npos) lines.put(std::string(text));
  });
  const int next = ::dup(0);
  ::close(next);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next) + 1; // one for the client
  ::setrlimit(RLIMIT_NOFILE, &few);
  RawClient client(running.endpoint());
  client.send(get);
  CHECK(lines.take().find("Too many open files") != std::string::npos);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(client.answer().status == 200);
  log::listen(nullptr);
}
