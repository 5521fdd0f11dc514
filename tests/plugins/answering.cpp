// SPDX-License-Identifier: Apache-2.0
// A plugin that answers HTTP requests and does what its configuration says:
//   routes          a list of maps with path, methods, folder, permission, max_body, content, type
//   on_create, on_routes
//                   "hang", "crash" or "fail": what create() or routes() does
// The last part of a request's path says what handle() does with it: see `handle`.
#include <skillhost/config.hpp>
#include <skillhost/health.h>
#include <skillhost/http.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace {

using Json = nlohmann::json;

[[noreturn]] void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void misbehave(const std::string &what) {
  if (what == "hang") hang();
  if (what == "crash") std::abort();
  if (what == "fail") throw skh::Error(SKH_FAILED, "this one fails");
}

class Answering final : public skh::Http {
public:
  Answering(skh::Host host, const skh::Call &) : host_(host), config_(Json::parse(host.config())) {
    misbehave(config_.value("on_create", ""));
  }

  void routes(const skh::Call &, const skh::Routes &out) override {
    misbehave(config_.value("on_routes", ""));
    for (const Json &one : config_.value("routes", Json::array())) {
      const std::string path = one.value("path", ""), methods = one.value("methods", "");
      const std::string content = one.value("content", ""), type = one.value("type", "text/plain");
      const std::string field = one.value("field", "Content-Type");
      skh::Route route{path, methods};
      if (one.value("folder", false)) route.flags |= SKH_ROUTE_FOLDER;
      if (one.contains("content")) route.flags |= SKH_ROUTE_CONSTANT;
      route.permission = one.value("permission", 0U);
      route.maxBody = one.value("max_body", std::uint64_t{0});
      route.content = content;
      if (one.contains("content")) route.fields = {{field, type}};
      out.add(route);
    }
  }

  void handle(const skh::Call &call, const skh::Request &request,
              const skh::Response &response) override {
    const std::string_view path = request.path();
    const std::string what(path.substr(path.rfind('/') + 1));
    misbehave(what);
    if (what == "throw") throw std::runtime_error("an exception of the plugin");
    if (what == "away") throw skh::Error(SKH_UNAVAILABLE, "it is away");
    if (what == "unknown") throw skh::Error(SKH_NOT_FOUND, "there is no such thing");
    if (what == "invalid") throw skh::Error(SKH_INVALID, "nobody understands this");
    if (what == "cancel") throw skh::Error(SKH_CANCELLED, "without a reason");
    if (what == "silent") return;
    if (what == "twice") response.begin(200);
    if (what == "late") std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    if (what == "status") response.begin(99);
    if (what == "break") response.begin(200, {{"X-Text", "one\r\nX-Two: 2"}});
    if (what == "name") response.begin(200, {{"X Text", "one"}});
    if (what == "length") response.begin(200, {{"Content-Length", "1"}});
    if (what == "hop") response.begin(200, {{"Transfer-Encoding", "chunked"}});
    if (what == "early") response.write("a body before its status");
    if (what == "nobody") {
      response.begin(204);
      response.write("a body for 204");
    }
    if (what == "refused") return tellRefusals(response);
    if (what == "flood") return flood(response);
    if (what == "endless") return writeWithoutEnd(response);
    if (what == "count") return count(call, request, response);
    if (what == "partly") return readPartly(request, response);
    if (what == "no_room") request.read(nullptr, 0);
    echo(request, response);
  }

private:
  // Logs which statuses the functions of the answer return, as they break a rule each.
  void tellRefusals(const skh::Response &response) const {
    std::string all;
    const auto tell = [&all](auto function) {
      try {
        function();
        all += " 0";
      } catch (const skh::Error &error) {
        all += ' ' + std::to_string(error.status());
      }
    };
    for (const int status : {199, 100, 600}) tell([&] { response.begin(status); });
    tell([&] { response.begin(204); });
    tell([&] { response.write("a body for 204"); });
    host_.log(SKH_INFO, "statuses:" + all);
  }

  // Tells the host very much of everything, and answers how many milliseconds that took.
  void flood(const skh::Response &response) const {
    const auto *const health = host_.extension<skh_health>(SKH_HEALTH);
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < 30'000; ++i) {
      host_.changed();
      host_.count("flood", 1);
      host_.log(SKH_INFO, "a line of the flood");
      health->tell(health, i % 2 == 0 ? SKH_HEALTHY : SKH_DEGRADED, {"the last state", 14});
    }
    const auto took = std::chrono::steady_clock::now() - begun;
    response.send(200, "text/plain",
                  std::to_string(std::chrono::ceil<std::chrono::milliseconds>(took).count()));
  }

  // Ignores that the host refuses more, up to a limit.
  static void writeWithoutEnd(const skh::Response &response) {
    response.begin(200, {{"Content-Type", "text/plain"}});
    const std::string piece(1U << 20U, 'x');
    for (int i = 0; i < 64; ++i) response.write(piece);
  }

  // Reads the body in pieces, and counts what it reads.
  void count(const skh::Call &, const skh::Request &request, const skh::Response &response) const {
    std::string piece(10'000, '\0');
    std::size_t bytes = 0, reads = 0;
    while (const std::size_t got = request.read(piece.data(), piece.size())) {
      if (reads++ == 0) host_.log(SKH_INFO, "the body begins");
      bytes += got;
    }
    response.send(200, "application/json", Json{{"bytes", bytes}, {"reads", reads}}.dump());
  }

  static void readPartly(const skh::Request &request, const skh::Response &response) {
    std::string piece(10, '\0');
    piece.resize(request.read(piece.data(), piece.size()));
    response.send(200, "text/plain", piece);
  }

  static void echo(const skh::Request &request, const skh::Response &response) {
    const auto field = [&](std::string_view name) {
      return request.field(name) ? Json(std::string(*request.field(name))) : Json();
    };
    const Json said{{"method", request.method()}, {"path", request.path()},
                    {"query", request.query()},   {"peer", request.peer()},
                    {"issuer", request.issuer()}, {"subject", request.subject()},
                    {"field", field("x-field")},  {"authorization", field("authorization")},
                    {"cookie", field("cookie")},  {"body", request.body()}};
    response.begin(request.method() == "POST" ? 201 : 200,
                   {{"Content-Type", "application/json"}, {"X-Answer", "yes"}});
    response.write(said.dump());
  }

  const skh::Host host_;
  const Json config_;
};

} // namespace

SKH_PLUGIN(skh::http<Answering>("test.answering", "1.0.0", "Answers requests",
                                R"({"type": "object"})"));
