// SPDX-License-Identifier: Apache-2.0
// Makes the requests with which the checks call a handler of HTTP.
#pragma once

#include "handlers/handler_tables.hpp"
#include "instance.hpp"
#include "stand_in.hpp"

#include <cstdint>
#include <string>

namespace skillhost::check {

// Returns the plugin's routes, which keep the rules of http.h. Fails otherwise.
HandlerRoutes routesOf(Probe &probe, const Instance &instance);

struct HttpAnswer {
  skh_status status = SKH_FAILED;
  std::string problem; // why the answer is refused; empty: it is not
};

// None: the request has no body. Whole: it has a body, which arrives in pieces while the call runs.
// Cut: the client goes before the end of its body.
enum class BodyOfCheck : std::uint8_t { None, Whole, Cut };
// Sends a request for the route: with the first of its methods that may have a body, or GET.
HttpAnswer sendRequest(const Instance &instance, const StandInCall &call, const HandlerRoute &route,
                       BodyOfCheck body);

} // namespace skillhost::check
