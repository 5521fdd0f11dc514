// SPDX-License-Identifier: Apache-2.0
// The host's side of http.h: tables that a plugin receives in routes() and handle(). They copy,
// check and limit what it gives. A table exists until the plugin's function has returned. Once the
// call is cancelled, it accepts nothing more and answers SKH_CANCELLED.
#pragma once

#include "base/handler_request.hpp"
#include "base/handler_rules.hpp"
#include "ground/c_table.hpp"
#include "ground/deadline.hpp"

#include <skillhost/http.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

class RoutesSink {
public:
  using Raw = OwnedTable<skh_routes>;
  explicit RoutesSink(const skh_call *call);
  RoutesSink(const RoutesSink &) = delete;
  RoutesSink &operator=(const RoutesSink &) = delete;
  const skh_routes *raw() const noexcept { return raw_.get(); }

  HandlerRoutes routes; // the limits hold even if somebody empties their contents
  std::string problem;  // of the first route that was refused

private:
  skh_status add(const skh_route *given);
  const skh_call *const call_;
  std::size_t bytes_ = 0; // of contents
  Raw raw_;
};

class RequestTable {
public:
  using Raw = OwnedTable<skh_request>;
  // The request must outlive the table.
  RequestTable(const skh_call *call, const HandlerRequest &request);
  RequestTable(const RequestTable &) = delete;
  RequestTable &operator=(const RequestTable &) = delete;
  const skh_request *raw() const noexcept { return raw_.get(); }
  // Returns why the body could not be read: ToolTimeout or Cancelled. That is no fault of the
  // plugin.
  std::optional<Fault> bodyFault() const noexcept { return bodyFault_; }

private:
  skh_status read(void *buffer, size_t room, size_t *got);
  const skh_call *const call_;
  BodyStream &body_;
  const std::vector<skh_http_field> fields_;
  std::optional<Fault> bodyFault_;
  Raw raw_;
  const Deadline deadline_; // of the body
};

class ResponseSink {
public:
  using Raw = OwnedTable<skh_response>;
  explicit ResponseSink(const skh_call *call);
  ResponseSink(const ResponseSink &) = delete;
  ResponseSink &operator=(const ResponseSink &) = delete;
  const skh_response *raw() const noexcept { return raw_.get(); }

  HandlerAnswer answer; // the limit of its body holds even if somebody empties it
  // Returns why the answer is refused; empty if it is not. `status` is what handle() has returned.
  std::string problemAfter(skh_status status) const;

private:
  skh_status begin(int32_t status, const skh_http_field *fields, size_t count);
  skh_status write(const void *data, size_t size);
  skh_status refuse(skh_status status, std::string why);
  const skh_call *const call_;
  std::string problem_;
  std::size_t bytes_ = 0; // of the body
  Raw raw_;
};

} // namespace skillhost
