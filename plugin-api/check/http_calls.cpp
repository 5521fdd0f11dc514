// SPDX-License-Identifier: Apache-2.0
#include "http_calls.hpp"

#include "library.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace skillhost::check {
namespace {

constexpr std::uint64_t maxPieceBytes = 1000, maxPieces = 100;

std::string methodFor(const HandlerRoute &route, BodyOfCheck body) {
  if (body == BodyOfCheck::None) return route.methods.front();
  const auto found = std::find_if(route.methods.begin(), route.methods.end(),
                                  [](const std::string &one) { return one != "GET"; });
  return found == route.methods.end() ? route.methods.front() : *found;
}

// Sends the body as slowly as a network.
void writeBody(BodyStream &stream, std::uint64_t maxBody, BodyOfCheck body) {
  const std::uint64_t piece = std::min(maxPieceBytes, maxBody);
  for (std::uint64_t i = 0; piece != 0 && i < std::min(maxPieces, maxBody / piece); ++i) {
    stream.add(std::string(static_cast<std::size_t>(piece), 'x'));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (body == BodyOfCheck::Cut)
    stream.abort();
  else
    stream.finish();
}

bool overlap(const HandlerRoute &a, const HandlerRoute &b) {
  return a.path == b.path || (a.isFolder && b.path.starts_with(a.path)) ||
         (b.isFolder && a.path.starts_with(b.path));
}

void expectApart(const HandlerRoutes &routes) {
  for (auto one = routes.begin(); one != routes.end(); ++one)
    for (auto other = routes.begin(); other != one; ++other)
      if (overlap(*one, *other))
        fail("routes() gives " + one->path + " and " + other->path +
                 ": a path cannot belong to both",
             "each path once, and none in a folder that is a route, too; the host then serves no "
             "route");
}

} // namespace

HandlerRoutes routesOf(Probe &probe, const Instance &instance) {
  probe.step("routes()");
  const StandInCall call = patientCall(instance);
  RoutesSink sink(call.raw());
  const skh_status status =
      instance.operations<skh_http>().routes(instance.self, call.raw(), sink.raw());
  if (!sink.problem.empty()) fail("routes(): " + sink.problem, "the host then serves no route");
  if (status != SKH_OK) fail("routes() returns " + statusName(status) + inBrackets(call.message()));
  expectApart(sink.routes);
  return std::move(sink.routes);
}

HttpAnswer sendRequest(const Instance &instance, const StandInCall &call, const HandlerRoute &route,
                       BodyOfCheck body) {
  HandlerRequest request;
  request.method = methodFor(route, body);
  request.path = route.path;
  request.peer = "127.0.0.1:4711";
  request.fields = {{"host", "skillhost.invalid"}};
  request.body = std::make_shared<BodyStream>();
  const std::uint64_t sent = body == BodyOfCheck::None ? 0 : route.maxBody;
  std::thread writer([&] { writeBody(*request.body, sent, body); });
  const RequestTable asked(call.raw(), request);
  ResponseSink sink(call.raw());
  const skh_status status =
      instance.operations<skh_http>().handle(instance.self, call.raw(), asked.raw(), sink.raw());
  writer.join();
  return {status, sink.problemAfter(status)};
}

} // namespace skillhost::check
