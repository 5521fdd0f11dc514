// SPDX-License-Identifier: Apache-2.0
// A request over HTTP to the endpoint of a server, and its answer.
#pragma once

#include "conversation.hpp"
#include "http/mcp_endpoint.hpp"
#include "recording_exchange.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

using Fields = std::vector<std::pair<std::string, std::string>>;

// An HTTP request and its answer. Names of fields are in lower case.
class Asked {
public:
  Asked(McpEndpoint &endpoint, std::string method, Fields fields, std::string body = {})
      : method_(std::move(method)), fields_(std::move(fields)), body_(std::move(body)) {
    HttpRequest request;
    request.method = method_;
    request.path = "/mcp";
    request.body = body_;
    request.peer = "192.0.2.1:4711";
    for (const auto &[name, value] : fields_) request.fields.push_back({name, value});
    exchange = std::make_shared<RecordingExchange>(std::move(request));
    endpoint.handle(exchange);
  }
  // Returns the status of the response; 0 without an answer or for a stream.
  int status() const { return exchange->responses.empty() ? 0 : exchange->responses[0].status; }
  Json body() const { return Json::parse(exchange->responses.at(0).body.text()); }
  int code() const { return body().at("error").at("code"); }
  // Returns the value of the response's field; "" when there is none.
  std::string field(std::string_view name) const {
    for (const auto &[own, value] : exchange->responses.at(0).fields)
      if (own == name) return value;
    return {};
  }

  std::shared_ptr<RecordingExchange> exchange;

private:
  const std::string method_;
  const Fields fields_;
  const std::string body_;
};

inline Fields with(Fields fields, const Fields &further) {
  fields.insert(fields.end(), further.begin(), further.end());
  return fields;
}

} // namespace skillhost
