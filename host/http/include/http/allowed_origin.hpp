// SPDX-License-Identifier: Apache-2.0
// Whether a request comes from where it may: against web pages that use a visitor's browser to
// reach this server (DNS rebinding, cross-site requests).
#pragma once

#include "base/http.hpp"
#include "http/mcp_endpoint.hpp"

#include <string>

namespace skillhost {

// Empty: it may. Else why not.
std::string foreignOrigin(const HttpRequest &request, const HttpRules &rules);
// What a browser needs to let an allowed page read the answer (CORS); nothing for other clients.
void allowReading(const HttpRequest &request, HttpFields &fields);
// The same before the page asks, which a browser finds out with OPTIONS.
void allowAsking(const HttpRequest &request, HttpFields &fields);

} // namespace skillhost
