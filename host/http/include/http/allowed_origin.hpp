// SPDX-License-Identifier: Apache-2.0
// Checks where a request comes from. This protects against web pages that use a visitor's browser
// to reach this server (DNS rebinding, cross-site requests).
#pragma once

#include "base/http.hpp"
#include "http/mcp_endpoint.hpp"

#include <string>

namespace skillhost {

// Returns why the Host or Origin field is refused; empty if the request is allowed.
std::string foreignOrigin(const HttpRequest &request, const HttpRules &rules);
// Adds the fields that a browser needs to let an allowed page read the response (CORS). Requests of
// other clients have no Origin field, and nothing is added.
void allowReading(const HttpRequest &request, HttpFields &fields);
// Adds the fields that answer a browser's preflight request (OPTIONS).
void allowAsking(const HttpRequest &request, HttpFields &fields);

} // namespace skillhost
