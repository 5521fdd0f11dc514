// SPDX-License-Identifier: Apache-2.0
#include "http_calls.hpp"

#include "library.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace skillhost::check {
namespace {

constexpr std::size_t pieceBytes = 1000, mostPieces = 100;

std::string methodFor(const HandlerRoute &route, BodyOfCheck body) {
  if (body == BodyOfCheck::None) return route.methods.front();
  const auto found = std::find_if(route.methods.begin(), route.methods.end(),
                                  [](const std::string &one) { return one != "GET"; });
  return found == route.methods.end() ? route.methods.front() : *found;
}

// Sends the body as slowly as a network.
void writeBody(BodyStream &stream, std::size_t pieces, BodyOfCheck body) {
  for (std::size_t i = 0; i < pieces; ++i) {
    stream.add(std::string(pieceBytes, 'x'));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (body == BodyOfCheck::Cut)
    stream.abort();
  else
    stream.finish();
}

} // namespace

HandlerRoutes routesOf(Probe &probe, const Instance &instance) {
  probe.step("routes()");
  const StandInCall call(patience());
  RoutesSink sink(call.raw());
  const skh_status status =
      instance.operations<skh_http>().routes(instance.self, call.raw(), sink.raw());
  if (!sink.problem.empty()) fail("routes(): " + sink.problem, "the host then serves no route");
  if (status != SKH_OK) fail("routes() returns " + statusName(status) + inBrackets(call.message()));
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
  const std::size_t pieces =
      body == BodyOfCheck::None
          ? 0
          : std::min(mostPieces, static_cast<std::size_t>(route.maxBody) / pieceBytes);
  std::thread writer([&] { writeBody(*request.body, pieces, body); });
  const RequestTable asked(call.raw(), request);
  ResponseSink sink(call.raw());
  const skh_status status =
      instance.operations<skh_http>().handle(instance.self, call.raw(), asked.raw(), sink.raw());
  writer.join();
  return {status, sink.problemAfter(status)};
}

} // namespace skillhost::check
