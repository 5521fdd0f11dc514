// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "forwarded.hpp"
#include "proxy_header.hpp"
#include "raw_client.hpp"
#include "tls_client.hpp"

#include <cstdlib>
#include <filesystem>

using namespace skillhost;
using namespace skillhost::http;
using namespace skillhost::http_test;
using namespace std::string_literals;

namespace {

using Kept = std::shared_ptr<HttpExchange>;

TrustedProxies trusting(const std::vector<std::string> &texts) {
  Result<TrustedProxies> proxies = TrustedProxies::of(texts);
  REQUIRE(proxies);
  return *std::move(proxies);
}

HttpSettings behind(const std::vector<std::string> &proxies, bool proxyProtocol = false) {
  HttpSettings settings;
  settings.addresses.push_back({"127.0.0.1", 0});
  settings.trustedProxies = trusting(proxies);
  settings.proxyProtocol = proxyProtocol;
  return settings;
}

void tellClient(const Kept &exchange) {
  exchange->respond({200, "text/plain", {}, Fragments(exchange->request().peer)});
}

ForwardedClient walked(std::vector<HttpField> fields, ForwardedField which = ForwardedField::Auto) {
  HttpRequest request;
  request.fields = std::move(fields);
  return forwardedClient(request, trusting({"10.0.0.0/8", "2001:db8::/32"}), which);
}

std::string block(char command, char family, const std::string &addresses) {
  const auto size = addresses.size();
  return "\r\n\r\n\0\r\nQUIT\n"s + command + family + static_cast<char>(size >> 8U) +
         static_cast<char>(size & 0xffU) + addresses;
}
const std::string four = "\xcb\x00\x71\x09\x0a\x00\x00\x01\x12\x67\x00\x50"s; // 203.0.113.9:4711

} // namespace

TEST_CASE("a trusted proxy is an address or a network") {
  const TrustedProxies proxies = trusting({"192.0.2.7", "10.0.0.0/9", "2001:db8::/33"});
  const auto trusts = [&](const char *text) { return proxies.trusts(*IpAddress::of(text)); };
  CHECK(trusts("192.0.2.7"));
  CHECK(trusts("::ffff:192.0.2.7"));
  CHECK_FALSE(trusts("192.0.2.8"));
  CHECK(trusts("10.127.255.255"));
  CHECK_FALSE(trusts("10.128.0.0"));
  CHECK(trusts("2001:db8:7fff::1"));
  CHECK_FALSE(trusts("2001:db8:8000::1"));
  CHECK_FALSE(proxies.trustsUnix());
  CHECK(trusting({"unix"}).trustsUnix());
  CHECK(trusting({"0.0.0.0/0"}).trusts(*IpAddress::of("198.51.100.1")));
  CHECK_FALSE(trusting({"0.0.0.0/0"}).trusts(*IpAddress::of("2001:db8::1")));
  for (const char *wrong : {"", "proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::1/129", "/8"})
    CHECK_FALSE(TrustedProxies::of({wrong}));
}

TEST_CASE("the client is the rightmost address that is no trusted proxy's") {
  CHECK(walked({{"x-forwarded-for", "198.51.100.1, 203.0.113.9,10.0.0.2"}}).peer ==
        "203.0.113.9:0");
  CHECK(
      walked({{"x-forwarded-for", "198.51.100.1"}, {"x-forwarded-for", "203.0.113.9:4711"}}).peer ==
      "203.0.113.9:4711");
  CHECK(walked({{"x-forwarded-for", "[2001:db9::1]:80, 2001:db8::2"}}).peer == "[2001:db9::1]:80");
  CHECK(walked({{"x-forwarded-for", "2001:db9::1"}}).address == "2001:db9::/64");
  // All of them are our proxies, so the leftmost is the client.
  CHECK(walked({{"x-forwarded-for", "10.0.0.3, 10.0.0.2"}}).peer == "10.0.0.3:0");
  CHECK(walked({}).peer.empty());
  CHECK(walked({{"x-forwarded-for", " , "}}).peer.empty());
}

TEST_CASE("an entry that is no address ends the way with the one before") {
  const ForwardedClient known = walked({{"x-forwarded-for", "203.0.113.9, unknown, 10.0.0.2"}});
  CHECK(known.peer == "10.0.0.2:0");
  CHECK(known.warning.find("\"unknown\"") != std::string::npos);
  const ForwardedClient unknown = walked({{"forwarded", "for=203.0.113.9, for=_hidden"}});
  CHECK(unknown.peer.empty());
  CHECK(unknown.warning.find("\"_hidden\"") != std::string::npos);
  // The made-up text on the left is not even parsed.
  CHECK(walked({{"x-forwarded-for", "<junk>, 203.0.113.9"}}).warning.empty());
}

TEST_CASE("Forwarded is read as RFC 7239 has it") {
  CHECK(
      walked({{"forwarded", "for=198.51.100.1;proto=https , For=\"203.0.113.9:4711\";by=10.0.0.1"}})
          .peer == "203.0.113.9:4711");
  CHECK(walked({{"forwarded", R"(for="[2001:db9::1]:47")"}, {"forwarded", "for=10.0.0.1;host=x"}})
            .peer == "[2001:db9::1]:47");
  CHECK(walked({{"forwarded", R"(for="203.0.113.\9:_port")"}}).peer == "203.0.113.9:0");
  // An unclosed quote of a client neither hides the proxy's entry nor makes it the client's.
  for (const char *wrong :
       {R"(for=9.9.9.9;by=", for=203.0.113.9)", R"(for=9.9.9.9;by=", for="[2001:db9::1]")", "for",
        "for=", "for =1.1.1.1", "for=1.1.1.1;for=2.2.2.2", "for=1.1.1.1 for=2.2.2.2"}) {
    CAPTURE(wrong);
    CHECK_FALSE(walked({{"forwarded", wrong}}).refusal.empty());
    CHECK(walked({{"forwarded", wrong}}).peer.empty());
  }
}

TEST_CASE("of the two fields none is believed against the other") {
  const std::vector<HttpField> both{{"x-forwarded-for", "203.0.113.9"},
                                    {"forwarded", "for=198.51.100.1"}};
  CHECK(walked(both).refusal == "X-Forwarded-For and Forwarded name different clients");
  CHECK(walked(both, ForwardedField::XForwardedFor).peer == "203.0.113.9:0");
  CHECK(walked(both, ForwardedField::Forwarded).peer == "198.51.100.1:0");
  CHECK(walked({{"x-forwarded-for", "203.0.113.9"}, {"forwarded", "for=\"203.0.113.9:1\""}}).peer ==
        "203.0.113.9:0");
  CHECK(walked({{"forwarded", "for=1.1.1.1"}}, ForwardedField::XForwardedFor).peer.empty());
}

TEST_CASE("a PROXY header is read to its end, and no further") {
  const std::vector<std::pair<std::string, std::string>> headers{
      {"PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n", "203.0.113.9:4711"},
      {"PROXY TCP6 2001:db9::1 ::1 4711 80\r\n", "[2001:db9::1]:4711"},
      {"PROXY UNKNOWN\r\n", ""},
      {"PROXY UNKNOWN ffff:f...f:ffff 1 2 3\r\n", ""},
      {block('\x21', '\x11', four), "203.0.113.9:4711"},
      {block('\x21', '\x11', four + "\x04\x00\x03xyz"s), "203.0.113.9:4711"},
      {block('\x21', '\x21',
             "\x20\x01\x0d\xb9"s + std::string(11, '\0') + "\x01" + std::string(16, '\0') +
                 "\x12\x67\x00\x50"s),
       "[2001:db9::1]:4711"},
      {block('\x20', '\x00', ""), ""},
      {block('\x21', '\x31', std::string(216, 'x')), ""},
  };
  for (const auto &[header, client] : headers)
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, header.size() + 5}) {
      CAPTURE(header, step);
      ProxyHeader reader;
      const std::string sent = header + "GET /";
      std::size_t used = 0;
      while (reader.state() == ProxyHeader::State::Incomplete && used < sent.size())
        used += reader.feed(std::string_view(sent).substr(used, step));
      CHECK(reader.state() == ProxyHeader::State::Complete);
      CHECK(used == header.size());
      CHECK((reader.client() ? reader.client()->ip.withPort(reader.client()->port) : "") == client);
    }
}

TEST_CASE("what is no PROXY header is known as early as can be") {
  for (const std::string &wrong :
       {"GET "s, "PROXY TCP4 x\r\n"s, "PROXY TCP4 203.0.113.9 10.0.0.1 99999 80\r\n"s,
        "PROXY TCP4 ::1 ::1 1 1\r\n"s, "PROXY TCP4  203.0.113.9 10.0.0.1 1 1\r\n"s,
        "PROXY UNKNOWN" + std::string(100, ' '), "\r\n\r\n\0x"s, block('\x11', '\x11', four),
        block('\x21', '\x11', "short"), block('\x21', '\x21', four),
        block('\x21', '\x11', std::string(5000, 'x'))}) {
    CAPTURE(wrong);
    ProxyHeader reader;
    reader.feed(wrong);
    CHECK(reader.state() == ProxyHeader::State::Wrong);
    CHECK_FALSE(reader.reason().empty());
  }
}

TEST_CASE("a field about the client is a trusted proxy's or nothing") {
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n";
  RunningServer far(tellClient, behind({"192.0.2.0/24", "unix"}));
  RawClient stranger(far.endpoint());
  stranger.send(request);
  CHECK(stranger.answer().body.starts_with("127.0.0.1:"));
  RunningServer near(tellClient, behind({"127.0.0.0/8"}));
  RawClient proxy(near.endpoint());
  proxy.send(request);
  CHECK(proxy.answer().body == "203.0.113.9:0");
  proxy.send(get);
  CHECK(proxy.answer().body.starts_with("127.0.0.1:")); // names apply to one request only
  proxy.send("GET / HTTP/1.1\r\nHost: x\r\nForwarded: for=\"\r\n\r\n");
  CHECK(proxy.answer().status == 400);
}

TEST_CASE(
    "what a proxy says wrongly in one of several pipelined requests costs that request alone") {
  HttpSettings settings = behind({"127.0.0.0/8"});
  settings.maxConnectionsPerPeer = 1;
  Inbox<Kept> inbox;
  RunningServer running([&](const Kept &exchange) { inbox.put(exchange); }, settings);
  const std::string by = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n";
  RawClient other(running.endpoint());
  other.send(by + "\r\n"); // takes the only place of that client
  const Kept taken = inbox.take();

  RawClient proxy(running.endpoint());
  proxy.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
             "GET / HTTP/1.1\r\nHost: x\r\nForwarded: for=\"1.2.3.4\r\n\r\n" +
             by + "\r\n" + by + "Content-Length: 2\r\n\r\n{}" + std::string(get));
  inbox.take()->respond({200, "text/plain", {}, Fragments("first")});
  CHECK(proxy.answer().body == "first");
  CHECK(proxy.answer().status == 400); // because of Forwarded
  CHECK(proxy.answer().status == 503); // the place is taken
  CHECK(proxy.answer().status == 503); // likewise, and its body is skipped
  inbox.take()->respond({200, "text/plain", {}, Fragments("last")});
  CHECK(proxy.answer().body == "last");
  taken->respond({204, {}, {}, {}});
  CHECK(other.answer().status == 204);
  CHECK(inbox.empty());
}

TEST_CASE("the PROXY protocol is asked of trusted proxies, and taken from nobody else") {
  const std::string header = "PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n";
  RunningServer near(tellClient, behind({"127.0.0.0/8"}, true));
  RawClient proxy(near.endpoint());
  proxy.send(header.substr(0, 9));
  proxy.send(header.substr(9) + std::string(get));
  CHECK(proxy.answer().body == "203.0.113.9:4711");
  proxy.send(get);
  CHECK(proxy.answer().body == "203.0.113.9:4711"); // the name holds for the whole connection
  // The client's own header fields are not trusted.
  proxy.send("GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n");
  CHECK(proxy.answer().body == "203.0.113.9:4711");
  RawClient check(near.endpoint());
  check.send(block('\x20', '\x00', "") + std::string(get));
  CHECK(check.answer().body.starts_with("127.0.0.1:"));
  // A client that the proxy does not name is not the proxy, so its fields are its own.
  for (const std::string &unnamed : {"PROXY UNKNOWN\r\n"s, block('\x21', '\x00', ""),
                                     block('\x21', '\x31', std::string(216, 'x'))}) {
    RawClient client(near.endpoint());
    client.send(unnamed + "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n");
    CHECK(client.answer().body.starts_with("127.0.0.1:"));
  }
  RawClient chain(near.endpoint()); // a proxy behind a proxy
  chain.send("PROXY TCP4 127.0.0.9 10.0.0.1 4711 80\r\nGET / HTTP/1.1\r\nHost: x\r\n"
             "X-Forwarded-For: 203.0.113.9\r\n\r\n");
  CHECK(chain.answer().body == "203.0.113.9:0");
  RawClient without(near.endpoint());
  without.send(get);
  CHECK(without.ended());

  RunningServer far(tellClient, behind({"192.0.2.0/24"}, true));
  RawClient stranger(far.endpoint());
  stranger.send(get);
  CHECK(stranger.answer().body.starts_with("127.0.0.1:"));
  RawClient liar(far.endpoint());
  liar.send(header + std::string(get));
  CHECK(liar.answer().status == 505); // this is no request
}

TEST_CASE("a PROXY header comes before TLS") {
  std::string folder = "/tmp/proxy-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  HttpSettings settings = behind({"127.0.0.1"}, true);
  settings.certificateFile = folder + "/certificate.pem";
  settings.keyFile = folder + "/key.pem";
  writeCertificate("first.test", settings.certificateFile, settings.keyFile);
  RunningServer running(tellClient, settings);
  TlsClient client(running.endpoint(), TlsClient::Version::Any,
                   "PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n");
  client.send(get);
  CHECK(client.until("203.0.113.9:4711").find("200 OK") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a PROXY header that does not come ends the connection") {
  HttpSettings settings = behind({"127.0.0.1"}, true);
  settings.headTimeout = std::chrono::milliseconds(50);
  RunningServer running(tellClient, settings);
  RawClient silent(running.endpoint());
  silent.send("PROXY TCP4");
  CHECK(silent.ended());
}

TEST_CASE("limits per client hold behind a trusted proxy") {
  HttpSettings settings = behind({"127.0.0.0/8"});
  settings.maxConnectionsPerPeer = 2;
  Inbox<Kept> inbox;
  RunningServer running([&](const Kept &exchange) { inbox.put(exchange); }, settings);
  const auto ask = [](RawClient &client, const char *who) {
    client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: "s + who + "\r\n\r\n");
  };
  RawClient first(running.endpoint()), second(running.endpoint()), third(running.endpoint()),
      other(running.endpoint());
  ask(first, "203.0.113.9");
  ask(second, "203.0.113.9");
  const Kept one = inbox.take(), two = inbox.take();
  ask(third, "203.0.113.9");
  CHECK(third.answer().status == 503);
  ask(other, "203.0.113.10");
  inbox.take()->respond({204, {}, {}, {}});
  CHECK(other.answer().status == 204);
  one->respond({204, {}, {}, {}});
  CHECK(first.answer().status == 204);
  ask(third, "203.0.113.9");
  inbox.take()->respond({204, {}, {}, {}});
  CHECK(third.answer().status == 204);
  two->respond({204, {}, {}, {}});
  CHECK(second.answer().status == 204);

  settings.proxyProtocol = true;
  RunningServer through(tellClient, settings);
  const std::string header = "PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n" + std::string(get);
  RawClient a(through.endpoint()), b(through.endpoint()), c(through.endpoint());
  a.send(header);
  CHECK(a.answer().status == 200);
  b.send(header);
  CHECK(b.answer().status == 200);
  c.send(header);
  CHECK(c.ended());
}
