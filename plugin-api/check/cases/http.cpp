// SPDX-License-Identifier: Apache-2.0
// http: routes and answers must keep the rules of http.h. A handler must answer or say why not,
// whether a request has a body, has none, or loses its client.
#include "cases.hpp"
#include "http_calls.hpp"
#include "library.hpp"

#include <algorithm>
#include <cstddef>

namespace skillhost::check {
namespace {

constexpr std::size_t maxChecked = 8; // routes

bool isSame(const HandlerRoute &a, const HandlerRoute &b) {
  return a.path == b.path && a.isFolder == b.isFolder && a.methods == b.methods &&
         a.permission == b.permission && a.maxBody == b.maxBody && a.content == b.content;
}

void expectAnswer(Probe &probe, const Instance &instance, const HandlerRoute &route,
                  BodyOfCheck body, const std::string &what) {
  const std::string where = "handle() of a request for " + route.path + what;
  probe.step(where);
  const StandInCall call(patience());
  const HttpAnswer answer = sendRequest(instance, call, route, body);
  if (!answer.problem.empty())
    fail(where + ": " + answer.problem, "the client receives the status 500");
  const bool isCut = body == BodyOfCheck::Cut && answer.status == SKH_CANCELLED;
  if (answer.status != SKH_OK && !isCut && call.message().empty())
    fail(where + " returns " + statusName(answer.status) + " without a word",
         "say why with fail(): the operator reads it");
}

void checkRoutes(Probe &probe, const Instance &instance) {
  const HandlerRoutes routes = routesOf(probe, instance);
  if (routes.empty()) probe.warn("routes() gives nothing", "so no request reaches the plugin");
  const HandlerRoutes again = routesOf(probe, instance);
  if (!std::equal(routes.begin(), routes.end(), again.begin(), again.end(), &isSame))
    fail("routes() gives other routes the second time");
  std::size_t checked = 0;
  for (const HandlerRoute &route : routes) {
    if (route.isConstant) continue;
    if (instance.operations<skh_http>().handle == nullptr)
      fail("the route " + route.path + " is no constant, and the plugin has no handle()");
    if (checked++ == maxChecked) break;
    expectAnswer(probe, instance, route, BodyOfCheck::None, " without a body");
    if (route.maxBody == 0) continue;
    expectAnswer(probe, instance, route, BodyOfCheck::Whole, " with a body");
    expectAnswer(probe, instance, route, BodyOfCheck::Cut, " whose client goes");
  }
}

} // namespace

void checkHttp(Probe &probe) {
  eachInstance(probe, httpKind, [&](Instance &instance) { checkRoutes(probe, instance); });
  probe.note("routes and answers keep the rules; a body may arrive slowly or not at all");
}

} // namespace skillhost::check
