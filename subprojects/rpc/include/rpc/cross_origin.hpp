// SPDX-License-Identifier: Apache-2.0
// Adds the header fields with which a server lets web pages use MCP over HTTP (CORS). The caller
// has checked that the request's Origin is allowed; see net/allowed_origin.hpp.
#pragma once

#include "base/http.hpp"

namespace skillhost {

// Adds the fields that let a browser show the answer to the page that sent the request. Does
// nothing if the request has no Origin, because then no browser sent it for a page.
void addCorsFields(const HttpRequest &request, HttpFields &fields);
// Adds the further fields of the answer to an OPTIONS request, with which a browser asks for
// permission before it sends the request of the page.
void addCorsPreflightFields(const HttpRequest &request, HttpFields &fields);

} // namespace skillhost
