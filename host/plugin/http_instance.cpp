// SPDX-License-Identifier: Apache-2.0
#include "http_instance.hpp"

#include "base/log.hpp"
#include "handlers/handler_tables.hpp"

#include <string>
#include <utility>

namespace skillhost {
namespace {

// A plugin that refuses a request has not failed.
Result<HandlerAnswer> refusal(const RequestTable &request, Failure why) {
  if (request.bodyFault() == Fault::Cancelled) why.fault = Fault::Cancelled;
  const bool isLate = request.bodyFault() == Fault::ToolTimeout;
  const int status = isLate ? 408 : statusOfHandlerFault(why.fault);
  if (status >= 500) return why;
  log::debug("http", why.message);
  return HandlerAnswer{
      status,
      {{"Content-Type", std::string(plainTextType)}, {"Cache-Control", "no-store"}},
      isLate ? "the body of the request is late\n"
             : "the handler of this path refuses the request\n"};
}

} // namespace

void HttpInstance::routes(CallOptions options, ResultCallback<HandlerRoutes> answer) {
  const auto work = [instance = instance_.get()](CallFrame &frame) -> Result<HandlerRoutes> {
    RoutesSink sink(frame.raw());
    const skh_status status =
        instance->operations<skh_http>().routes(instance->self(), frame.raw(), sink.raw());
    if (!sink.problem.empty())
      return {Fault::InvalidFormat, instance->name() + ": routes: " + sink.problem};
    if (status != SKH_OK) return frame.failure(status, instance->name(), "routes");
    for (const HandlerRoute &one : sink.routes)
      if (!one.isConstant && instance->operations<skh_http>().handle == nullptr)
        return {Fault::InvalidFormat,
                instance->name() + ": routes: it has no handle() for " + one.path};
    return std::move(sink.routes);
  };
  instance_->call<HandlerRoutes>(std::move(options), "routes", work, answer);
}

void HttpInstance::handle(CallOptions options, HandlerRequest request,
                          ResultCallback<HandlerAnswer> answer) {
  auto work = [instance = instance_.get(),
               request = std::move(request)](CallFrame &frame) -> Result<HandlerAnswer> {
    const RequestTable table(frame.raw(), request);
    ResponseSink sink(frame.raw());
    const skh_status status = instance->operations<skh_http>().handle(instance->self(), frame.raw(),
                                                                      table.raw(), sink.raw());
    const bool isCut = status != SKH_OK && table.bodyFault();
    if (status == SKH_CANCELLED && !isCut && frame.raw()->cancelled(frame.raw()) == 0)
      return {Fault::Internal,
              instance->name() + ": handle: it returned SKH_CANCELLED, but nobody cancelled it"};
    if (const std::string problem = sink.problemAfter(status); !isCut && !problem.empty())
      return {Fault::Internal, instance->name() + ": handle: its answer is refused: " + problem};
    if (status != SKH_OK) return refusal(table, frame.failure(status, instance->name(), "handle"));
    return std::move(sink.answer);
  };
  instance_->call<HandlerAnswer>(std::move(options), "handle", std::move(work), answer);
}

} // namespace skillhost
