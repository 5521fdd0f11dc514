// SPDX-License-Identifier: Apache-2.0
#include "metrics_endpoint.hpp"

#include "base/log.hpp"
#include "ground/constant_time.hpp"
#include "mcp/hidden_figures.hpp"
#include "net/allowed_origin.hpp"
#include "net/bearer.hpp"
#include "prometheus_text.hpp"

#include <functional>
#include <string>

namespace skillhost {
namespace {

void turnAway(HttpExchange &exchange, int status, const std::string &why, HttpFields fields = {}) {
  const HttpRequest &asked = exchange.request();
  log::refused(LogLevel::Info, "http", networkOf(asked.peer),
               "metrics: " + std::to_string(status) + ' ' + why + " from " +
                   std::string(asked.peer));
  fields.emplace_back("Cache-Control", "no-store");
  exchange.respond({status, plainTextType, std::move(fields), Fragments(why + "\n")});
}

// Answers with the series for which `isTold` returns true, in the format that the request's Accept
// field names.
void tellMetrics(HttpExchange &exchange,
                 const std::function<bool(const metrics::SeriesName &name)> &isTold) {
  const MetricsForm form = metricsForm(exchange.request().field("accept").value_or(""));
  exchange.respond({200,
                    contentType(form),
                    {{"Cache-Control", "no-store"}, {"Vary", "Accept"}},
                    Fragments(metricsText(metrics::all(), form, isTold))});
}

} // namespace

std::vector<HttpRoute> MetricsRoute::routes() const {
  return {{std::string(metricsPath), HttpRoute::Extent::Path, {"GET", "HEAD"}, Permission::Manage}};
}

void MetricsRoute::handle(const std::shared_ptr<HttpExchange> &exchange,
                          const PrincipalPointer &caller) {
  // Series of sources and plugins count hidden skills and name their source.
  const bool all = Visibility::seesAll(access_.visibility().keyOf(caller.get()));
  tellMetrics(*exchange,
              [all](const metrics::SeriesName &name) { return all || !countsHiddenSkills(name); });
}

void MetricsEndpoint::handle(const std::shared_ptr<HttpExchange> &exchange) const {
  const HttpRequest &asked = exchange->request();
  if (const std::string foreign = foreignOrigin(asked, rules_); !foreign.empty())
    return turnAway(*exchange, 403, foreign);
  if (asked.path != metricsPath) return turnAway(*exchange, 404, "only /metrics is here");
  if (asked.method != "GET" && asked.method != "HEAD")
    return turnAway(*exchange, 405, "only GET", {{"Allow", "GET, HEAD"}});
  const Bearer shown = bearerOf(asked);
  if (!token_.empty() && shown.state == Bearer::State::Malformed)
    return turnAway(*exchange, 400, std::string(shown.reason));
  if (!token_.empty() && shown.state == Bearer::State::Missing)
    return turnAway(*exchange, 401, "a token is required", {{"WWW-Authenticate", "Bearer"}});
  if (!token_.empty() && !equalInConstantTime(shown.token, token_.reveal()))
    return turnAway(*exchange, 401, "the token is not that of metrics.token",
                    {{"WWW-Authenticate", R"(Bearer error="invalid_token")"}});
  if (!token_.empty()) exchange->protectConnection();
  tellMetrics(*exchange, [](const metrics::SeriesName &) { return true; });
}

} // namespace skillhost
