// SPDX-License-Identifier: Apache-2.0
#include "handlers/handler_tables.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

template <auto method> using HandlerFunction = TableFunction<method, SKH_TOO_LARGE>;

skh_str lentTo(std::string_view text) noexcept { return {text.data(), text.size()}; }
std::string_view seenIn(skh_str text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, text.size};
}

// Copies at most one field more than an answer may have, so that the rules refuse longer lists.
HttpFields copiedFields(const skh_http_field *fields, std::size_t count) {
  HttpFields copies;
  if (fields == nullptr) return copies;
  for (const skh_http_field &one : std::span(fields, std::min(count, handler::maxFields + 1)))
    copies.emplace_back(seenIn(one.name), seenIn(one.value));
  return copies;
}

std::vector<skh_http_field> lentFields(const HttpFields &fields) {
  std::vector<skh_http_field> all;
  all.reserve(fields.size());
  for (const auto &[name, value] : fields) all.push_back({lentTo(name), lentTo(value)});
  return all;
}

// A late body fails this long before the deadline of its call, or in the last quarter of a short
// call, so that the plugin can return in time.
constexpr std::chrono::milliseconds timeToReturn{500};

Deadline deadlineOfBody(const skh_call *call) noexcept {
  if (call->deadline_ns == INT64_MAX) return Deadline::never();
  const Deadline::Clock::time_point end{std::chrono::nanoseconds(call->deadline_ns)};
  const auto left = end - Deadline::Clock::now();
  return Deadline::at(end - std::min<Deadline::Clock::duration>(timeToReturn, left / 4));
}

} // namespace

RoutesSink::RoutesSink(const skh_call *call)
    : call_(call), raw_({sizeof(skh_routes), 0, &HandlerFunction<&RoutesSink::add>::call}, this) {}

skh_status RoutesSink::add(const skh_route *given) {
  if (call_->cancelled(call_) != 0) return SKH_CANCELLED;
  HandlerRoute route;
  route.isFolder = (given->flags & SKH_ROUTE_FOLDER) != 0;
  route.isConstant = (given->flags & SKH_ROUTE_CONSTANT) != 0;
  route.permission = given->permission;
  route.path = seenIn(given->path);
  route.methods = methodsOf(seenIn(given->methods));
  route.maxBody = given->max_body;
  if (route.isConstant) {
    route.fields = copiedFields(given->fields, given->field_count);
    bytes_ += given->content.size;
  }
  std::string wrong;
  if (routes.size() == handler::maxRoutes || bytes_ > handler::maxContents)
    wrong = "it gives more than " + std::to_string(handler::maxRoutes) +
            " routes, or contents of more than " + std::to_string(handler::maxContents) + " bytes";
  const bool exceedsExtensionLimits = !wrong.empty();
  if (!exceedsExtensionLimits) {
    if (route.isConstant) route.content = seenIn(given->content);
    wrong = problemOf(route);
  }
  if (wrong.empty()) {
    routes.push_back(std::move(route));
    return SKH_OK;
  }
  if (problem.empty()) problem = std::move(wrong);
  return exceedsExtensionLimits ? SKH_TOO_LARGE : SKH_INVALID;
}

RequestTable::RequestTable(const skh_call *call, const HandlerRequest &request)
    : call_(call), body_(*request.body), fields_(lentFields(request.fields)),
      raw_({sizeof(skh_request), static_cast<std::uint32_t>(fields_.size()), lentTo(request.method),
            lentTo(request.path), lentTo(request.query), lentTo(request.peer),
            lentTo(request.issuer), lentTo(request.subject),
            request.bodyLength.value_or(SKH_UNKNOWN_LENGTH), fields_.data(),
            &TableFunction<&RequestTable::read, SKH_FAILED>::call},
           this),
      deadline_(deadlineOfBody(call)) {}

skh_status RequestTable::read(void *buffer, size_t room, size_t *got) {
  *got = 0;
  if (room == 0) return SKH_INVALID;
  const Result<std::size_t> size =
      body_.read(buffer, room, deadline_, [this] { return call_->cancelled(call_) != 0; });
  if (size) {
    *got = *size;
    return SKH_OK;
  }
  bodyFault_ = size.failure().fault;
  return bodyFault_ == Fault::ToolTimeout ? SKH_DEADLINE : SKH_CANCELLED;
}

ResponseSink::ResponseSink(const skh_call *call)
    : call_(call), raw_({sizeof(skh_response), 0, &HandlerFunction<&ResponseSink::begin>::call,
                         &HandlerFunction<&ResponseSink::write>::call},
                        this) {}

skh_status ResponseSink::begin(int32_t status, const skh_http_field *fields, size_t count) {
  if (call_->cancelled(call_) != 0) return SKH_CANCELLED;
  if (answer.status != 0) return refuse(SKH_INVALID, "it begins its answer twice");
  answer.fields = copiedFields(fields, count);
  if (std::string wrong = problemOfHead(status, answer.fields); !wrong.empty())
    return refuse(SKH_INVALID, std::move(wrong));
  answer.status = status;
  return SKH_OK;
}

skh_status ResponseSink::write(const void *data, size_t size) {
  if (call_->cancelled(call_) != 0) return SKH_CANCELLED;
  if (answer.status == 0) return refuse(SKH_INVALID, "it writes a body before it begins");
  if (size != 0 && isWithoutBody(answer.status))
    return refuse(SKH_INVALID, "it writes a body for the status " + std::to_string(answer.status));
  if (size > handler::maxAnswer - bytes_)
    return refuse(SKH_TOO_LARGE,
                  "its body has more than " + std::to_string(handler::maxAnswer) + " bytes");
  bytes_ += size;
  answer.body.append(static_cast<const char *>(data), size);
  return SKH_OK;
}

skh_status ResponseSink::refuse(skh_status status, std::string why) {
  if (problem_.empty()) problem_ = std::move(why);
  return status;
}

std::string ResponseSink::problemAfter(skh_status status) const {
  if (problem_.empty() && status == SKH_OK && answer.status == 0)
    return "it returns SKH_OK without an answer";
  return problem_;
}

} // namespace skillhost
