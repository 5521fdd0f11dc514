// SPDX-License-Identifier: Apache-2.0
// Runs a server that answers every POST with SIZE bytes of JSON, prepared beforehand, to measure
// the cost of the transport alone.
#include "../usage.hpp"
#include "net/http_server.hpp"

#include <cstdio>
#include <exception>
#include <string>

using namespace skillhost;

int main(int count, char **arguments) try {
  constexpr const char *usage =
      "usage: bench-http PORT [SIZE (5300)]\n"
      "  serves on that port of 127.0.0.1 (0: any) until it is ended, SIZE bytes for each POST\n";
  if (const auto ended = bench::endedByOption(count, arguments, usage)) return *ended;
  if (count < 2 || count > 3) return bench::refuse("PORT, or PORT and SIZE", usage);
  const auto port = bench::numberIn<std::uint16_t>(arguments[1], UINT16_MAX);
  if (!port) return bench::refuse("PORT must be a number from 0 to 65535", usage);
  constexpr std::size_t maxBytes = std::size_t{1} << 30U;
  const auto size = count > 2 ? bench::numberIn<std::size_t>(arguments[2], maxBytes) : 5'300;
  if (!size) return bench::refuse("SIZE must be a number from 0 to 1073741824", usage);
  const auto padding = std::make_shared<const std::string>(
      R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":)"
      R"({"name":"bench","version":"0"},"tools":[],"content":[{"type":"text","text":")" +
      std::string(*size, 'x') + R"("}]}})");
  HttpSettings settings;
  settings.addresses.push_back({"127.0.0.1", *port});
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
