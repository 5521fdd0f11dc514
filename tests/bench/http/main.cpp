// SPDX-License-Identifier: Apache-2.0
// A server that answers every POST with SIZE bytes of JSON, prepared beforehand: what the transport
// itself costs. usage: bench-http PORT [SIZE]
#include "transport/http_server.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

using namespace skillhost;

int main(int count, char **arguments) try {
  if (count < 2) {
    std::fprintf(stderr, "usage: bench-http PORT [SIZE]\n");
    return 1;
  }
  const long size = count > 2 ? std::atol(arguments[2]) : 5'300;
  const auto padding = std::make_shared<const std::string>(
      R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":)"
      R"({"name":"bench","version":"0"},"tools":[],"content":[{"type":"text","text":")" +
      std::string(static_cast<std::size_t>(size), 'x') + R"("}]}})");
  HttpSettings settings;
  settings.addresses.push_back({"127.0.0.1", static_cast<std::uint16_t>(std::atoi(arguments[1]))});
  settings.maxConnections = 100'000;
  const auto answer = [&](const std::shared_ptr<HttpExchange> &exchange) {
    const std::string_view body = exchange->request().body;
    const std::size_t at = body.find("\"id\":");
    if (at == std::string_view::npos) return exchange->respond({202});
    const std::string_view rest = body.substr(at + 5);
    HttpResponse response{200, "application/json", {}, {}};
    response.body.append(R"({"jsonrpc":"2.0","id":)");
    response.body.append(rest.substr(0, rest.find_first_not_of("0123456789")));
    response.body.append(padding);
    exchange->respond(std::move(response));
  };
  HttpServer server(settings, [&](const std::shared_ptr<HttpExchange> &exchange) {
    exchange->readBody([&answer, exchange] { answer(exchange); });
  });
  server.start();
  std::printf("%s\n", server.endpoints().front().name.c_str());
  std::fflush(stdout);
  server.run();
  return 0;
} catch (const std::exception &why) {
  std::fprintf(stderr, "bench-http: %s\n", why.what());
  return 1;
}
