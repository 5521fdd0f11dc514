// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "raw_client.hpp"
#include "tls_client.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace skillhost::http_test;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

struct Files {
  Files() {
    std::string name = "/tmp/tls-XXXXXX";
    folder = ::mkdtemp(name.data());
    certificate = folder + "/certificate.pem";
    key = folder + "/key.pem";
    writeCertificate("first.test", certificate, key);
  }
  ~Files() { std::filesystem::remove_all(folder); }
  Files(const Files &) = delete;
  Files &operator=(const Files &) = delete;
  HttpSettings settings() const {
    HttpSettings settings;
    settings.addresses.push_back({"127.0.0.1", 0});
    settings.certificateFile = certificate;
    settings.keyFile = key;
    return settings;
  }
  std::string folder, certificate, key;
};

std::string refusal(const HttpSettings &settings) {
  HttpServer server(settings, echo);
  try {
    server.start();
  } catch (const std::runtime_error &why) {
    return why.what();
  }
  return "";
}

} // namespace

TEST_CASE("requests and streams go through TLS as they do without") {
  const Files files;
  const std::string large(3'000'000, 'x');
  RunningServer running(
      [&](const Kept &exchange) {
        if (exchange->request().path == "/large")
          return exchange->respond({200, "text/plain", {}, Fragments(large)});
        if (exchange->request().path != "/stream") return echo(exchange);
        std::thread([exchange] {
          exchange->openStream({});
          exchange->event("1", Fragments("{}"));
          exchange->closeStream();
        }).detach();
      },
      files.settings());
  CHECK(running.server.endpoints().front().secure);
  TlsClient client(running.endpoint());
  CHECK(client.subject() == "first.test");
  client.send(get);
  CHECK(client.until("GET /s  ").find("200 OK") != std::string::npos);
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n" + large);
  CHECK(client.until("POST /  " + large).find("200 OK") != std::string::npos);
  client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.until("\r\n\r\n" + large).size() > large.size());
  client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.until("0\r\n\r\n").find("id: 1\ndata: {}\n\n") != std::string::npos);
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  client.until("GET /  ");
  CHECK(client.ended());
}

TEST_CASE("a client that goes is noticed through TLS, too") {
  const Files files;
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running(
      [&](const Kept &exchange) {
        exchange->whenGone([&] { gone.put(1); });
        inbox.put(exchange);
      },
      files.settings());
  Kept kept;
  {
    TlsClient client(running.endpoint());
    client.send(get);
    kept = inbox.take();
  }
  CHECK(gone.take() == 1);
}

TEST_CASE("a client of TLS that ends its side after a request gets its answer") {
  const Files files;
  Inbox<Kept> inbox;
  Inbox<int> gone;
  RunningServer running(
      [&](const Kept &exchange) {
        exchange->whenGone([&] { gone.put(1); });
        inbox.put(exchange);
      },
      files.settings());
  TlsClient client(running.endpoint());
  client.send(get);
  SECTION("in an orderly way") { client.finish(); }
  SECTION("without a word") { client.cut(); }
  const Kept kept = inbox.take();
  CHECK(client.until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  const std::string large(3'000'000, 'x');
  kept->respond({200, "text/plain", {}, Fragments(large)});
  CHECK(client.until("\r\n\r\n" + large).find("200 OK") != std::string::npos);
  CHECK(client.ended());
  CHECK(gone.empty());
}

TEST_CASE("what is no TLS, or no longer safe, ends the connection, and no other") {
  const Files files;
  HttpSettings settings = files.settings();
  settings.headTimeout = std::chrono::milliseconds(60);
  RunningServer running(echo, settings);
  RawClient plain(running.endpoint());
  plain.send(get);
  CHECK(plain.theRest().find("HTTP/1.1") == std::string::npos);
  RawClient silent(running.endpoint());
  CHECK(silent.ended());
  CHECK_THROWS(TlsClient(running.endpoint(), TlsClient::Version::Tls11));
  CHECK_NOTHROW(TlsClient(running.endpoint(), TlsClient::Version::Tls12));
}

TEST_CASE("a new certificate counts for new connections, a bad one changes nothing") {
  const Files files;
  RunningServer running(echo, files.settings());
  TlsClient before(running.endpoint());
  writeCertificate("second.test", files.certificate, files.key);
  CHECK(running.server.reloadCertificates());
  CHECK(TlsClient(running.endpoint()).subject() == "second.test");
  before.send(get);
  before.until("GET /s  ");

  std::ofstream(files.certificate) << "no certificate";
  const Status bad = running.server.reloadCertificates();
  REQUIRE_FALSE(bad);
  CHECK(bad.failure().message.find(files.certificate) != std::string::npos);
  CHECK(TlsClient(running.endpoint()).subject() == "second.test");
}

TEST_CASE("a certificate that cannot be used keeps the server from starting") {
  const Files files;
  HttpSettings settings = files.settings();
  settings.certificateFile = files.folder + "/missing.pem";
  CHECK(refusal(settings).find("missing.pem: No such file") != std::string::npos);
  settings = files.settings();
  writeCertificate("other.test", files.folder + "/other.pem", files.folder + "/other-key.pem");
  settings.keyFile = files.folder + "/other-key.pem";
  CHECK(refusal(settings).find("other-key.pem") != std::string::npos);
  settings.keyFile = "";
  CHECK(refusal(settings).find("the key ") != std::string::npos);
}
