// SPDX-License-Identifier: Apache-2.0
// The interface through which the start makes and wires a feature that serves HTTP beside MCP.
#pragma once

#include "app/configuration.hpp"
#include "http/http_routes.hpp"
#include "http/route_handler.hpp"
#include "net/http_server.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// A running server has one object of each feature. It is made before the host, and destroyed after
// it.
class HttpFeature {
public:
  HttpFeature() = default;
  virtual ~HttpFeature() = default;
  HttpFeature(const HttpFeature &) = delete;
  HttpFeature &operator=(const HttpFeature &) = delete;

  // Returns the handler of its routes at the listener of MCP; null if it has none there. Called
  // once, when the server is made, and not on stdio. Throws std::runtime_error if the configuration
  // is wrong.
  virtual std::shared_ptr<RouteHandler> handler(const HttpParts & /*parts*/) { return nullptr; }
  // Starts to serve on addresses of its own. Called once, before clients are served. Throws
  // std::runtime_error if an address cannot be used.
  virtual void begin() {}
  // Applies the parts of a new configuration that a running server can change. Called on the thread
  // of the reloader.
  virtual void reconfigure(const Configuration & /*applied*/) {}
  // Reads the certificates of its own addresses again. Returns what failed; empty if nothing did.
  // Called on one thread at a time.
  virtual std::string reloadCertificates() { return {}; }
  // Returns a line for the log about this address of MCP, when the server begins to serve; empty
  // for none.
  virtual std::string notice(const HttpEndpoint & /*endpoint*/) const { return {}; }
};

using HttpFeatures = std::vector<std::unique_ptr<HttpFeature>>;

// Makes a feature; null if the configuration does not enable it. `endpoints` are the addresses of
// MCP, which are bound and not served yet; none on stdio. Throws std::runtime_error if a setting is
// wrong.
using MakeHttpFeature = std::unique_ptr<HttpFeature> (*)(
    const Configuration &configuration, const std::vector<HttpEndpoint> &endpoints);
// The features that the server was built with.
using HttpFeatureList = std::vector<MakeHttpFeature>;

// Makes those features of the list that the configuration enables.
HttpFeatures makeHttpFeatures(const HttpFeatureList &list, const Configuration &configuration,
                              const std::vector<HttpEndpoint> &endpoints);

} // namespace skillhost::app
