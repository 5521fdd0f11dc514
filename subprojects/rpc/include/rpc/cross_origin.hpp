// SPDX-License-Identifier: Apache-2.0
// The fields by which a server lets web pages use MCP over HTTP (CORS).
#pragma once

#include "base/http.hpp"

namespace skillhost {

// What a browser needs to let an allowed page read the answer; nothing for other clients.
void allowReading(const HttpRequest &request, HttpFields &fields);
// The same before the page asks, which a browser finds out with OPTIONS.
void allowAsking(const HttpRequest &request, HttpFields &fields);

} // namespace skillhost
