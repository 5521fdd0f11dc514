// SPDX-License-Identifier: Apache-2.0
// The fields with which a server lets web pages use MCP over HTTP (CORS).
#pragma once

#include "base/http.hpp"

namespace skillhost {

// Adds the fields that let a browser show the answer to an allowed page. Does nothing for other
// clients.
void addCorsFields(const HttpRequest &request, HttpFields &fields);
// Adds the fields of the answer to a browser's OPTIONS request, which asks for permission before
// the request of the page.
void addCorsPreflightFields(const HttpRequest &request, HttpFields &fields);

} // namespace skillhost
