// SPDX-License-Identifier: Apache-2.0
#include "plugin_routes.hpp"

#include "base/log.hpp"
#include "ground/sha256.hpp"
#include "net/entity_tags.hpp"
#include "plugin_claims.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

// A call begins when this much of the body has arrived, so that a slow client with a short body
// keeps no thread of the plugin.
constexpr std::size_t bodyBeforeCall = 64U << 10U;

void answerFailure(HttpExchange &exchange, const std::string &plugin, const Failure &why) {
  const int status = statusOfHandlerFault(why.fault);
  // Clients can cause these lines, so they are limited.
  if (why.fault != Fault::Cancelled)
    log::refused(LogLevel::Error, "http", "clients of " + plugin,
                 why.message + ": the client receives " + std::to_string(status));
  HttpFields fields{{"Cache-Control", "no-store"}};
  if (status == 503) fields.emplace_back("Retry-After", "1");
  exchange.respond({status, plainTextType, std::move(fields),
                    Fragments("the handler of this path does not answer\n")});
}

// A request until its call begins. Used on the transport's thread.
class ArrivingRequest {
public:
  ArrivingRequest(std::shared_ptr<HttpExchange> exchange, std::weak_ptr<HttpPlugin> plugin,
                  HandlerRequest request, std::chrono::milliseconds time)
      : exchange_(std::move(exchange)), plugin_(std::move(plugin)), body_(request.body),
        request_(std::move(request)), time_(time) {}

  // Returns how many bytes wait for the plugin.
  std::size_t add(std::string_view bytes) {
    const std::size_t kept = body_->add(bytes);
    arrived_ += bytes.size();
    if (arrived_ >= bodyBeforeCall) begin();
    return kept;
  }
  void finish() {
    body_->finish();
    begin();
  }
  // The client has gone, or the transport has refused the body.
  void abort() {
    body_->abort();
    cancel_.cancel();
  }
  // The rest of the body does not arrive; no effect when it is complete.
  void cut() { body_->abort(); }

private:
  void begin() {
    auto exchange = std::exchange(exchange_, nullptr);
    if (!exchange) return; // the call has begun
    const auto plugin = plugin_.lock();
    if (!plugin) return; // the server is ending
    CallOptions options;
    options.deadline = Deadline::after(time_);
    options.cancel = cancel_;
    options.caller = request_.subject.empty() ? std::string(networkOf(request_.peer))
                                              : request_.issuer + '\n' + request_.subject;
    options.onAnswerLost = [waiting = std::weak_ptr(exchange),
                            name = plugin->name()](const std::exception &) noexcept {
      try {
        if (const auto one = waiting.lock())
          answerFailure(*one, name,
                        {Fault::MemoryPressure, name + ": handle: no memory for its answer"});
      } catch (const std::exception &) {
        // The client receives 500 when the exchange is released.
      }
    };
    plugin->handle(
        std::move(options), std::move(request_),
        [exchange = std::move(exchange), name = plugin->name()](Result<HandlerAnswer> answer) {
          if (!answer) return answerFailure(*exchange, name, answer.failure());
          forbidSniffing(answer->fields);
          exchange->respond(
              {answer->status, {}, std::move(answer->fields), Fragments(std::move(answer->body))});
        });
  }

  // Null when the call has begun. The exchange holds this object, so it would otherwise hold itself
  // if nobody answered it.
  std::shared_ptr<HttpExchange> exchange_;
  const std::weak_ptr<HttpPlugin> plugin_;
  const std::shared_ptr<BodyStream> body_;
  HandlerRequest request_;
  const std::chrono::milliseconds time_;
  const CancelToken cancel_;
  std::size_t arrived_ = 0;
};

class PluginRoute : public RouteHandler {
public:
  PluginRoute(const std::shared_ptr<HttpPlugin> &plugin, HandlerRoute route, const Access &access)
      : plugin_(plugin), owner_(routeOwner(*plugin)), route_(std::move(route)), access_(access) {}
  std::string name() const override { return owner_; }
  std::vector<HttpRoute> routes() const override { return {routeOf(route_)}; }

  void handle(const std::shared_ptr<HttpExchange> &exchange, const PrincipalPointer &caller) final {
    // Where nothing is reviewed, there is no scope for reviewers, and nobody has the permission.
    if (static_cast<Permission>(route_.permission) == Permission::Review &&
        !access_.permissions().mayReview(caller.get()))
      return exchange->respond({403,
                                plainTextType,
                                {{"Cache-Control", "no-store"}},
                                Fragments("only reviewers may send this request\n")});
    answer(exchange, caller);
  }

protected:
  virtual void answer(const std::shared_ptr<HttpExchange> &exchange,
                      const PrincipalPointer &caller) = 0;
  const HandlerRoute &route() const noexcept { return route_; }
  const Access &access() const noexcept { return access_; }
  // The host owns the plugin, and ends before the routes.
  const std::weak_ptr<HttpPlugin> &plugin() const noexcept { return plugin_; }

private:
  const std::weak_ptr<HttpPlugin> plugin_;
  const std::string owner_;
  const HandlerRoute route_;
  const Access &access_;
};

class ConstantRoute final : public PluginRoute {
public:
  ConstantRoute(const std::shared_ptr<HttpPlugin> &plugin, HandlerRoute &&declared,
                const Access &access)
      : ConstantRoute(plugin, std::make_shared<const std::string>(std::move(declared.content)),
                      std::move(declared), access) {}

private:
  // `content` is that of the route, which then has none.
  ConstantRoute(const std::shared_ptr<HttpPlugin> &plugin, Fragments::Shared content,
                HandlerRoute &&declared, const Access &access)
      : PluginRoute(plugin, std::move(declared), access),
        tag_('"' + sha256Hex(*content).substr(0, 32) + '"'), content_(std::move(content)) {}

  void answer(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer & /*caller*/) override {
    HttpFields fields = route().fields;
    fields.emplace_back("ETag", tag_);
    forbidSniffing(fields);
    if (holdsTag(exchange->request().field("if-none-match").value_or(""), tag_))
      return exchange->respond({304, {}, std::move(fields), {}});
    exchange->respond({200, {}, std::move(fields), Fragments().append(content_)});
  }

  const std::string tag_;
  const Fragments::Shared content_;
};

class CalledRoute final : public PluginRoute {
public:
  CalledRoute(const std::shared_ptr<HttpPlugin> &plugin, const HandlerRoute &route,
              const Access &access, const Deadlines &deadlines)
      : PluginRoute(plugin, route, access), query_(deadlines.query), mutation_(deadlines.mutation) {
  }

private:
  void answer(const std::shared_ptr<HttpExchange> &exchange,
              const PrincipalPointer &caller) override {
    HandlerRequest request = handlerRequestOf(exchange->request(), access().credentials().headers);
    if (caller) {
      request.issuer = caller->issuer;
      request.subject = caller->subject;
    }
    const auto time = request.method == "GET" ? query_ : mutation_;
    const auto arriving =
        std::make_shared<ArrivingRequest>(exchange, plugin(), std::move(request), time);
    exchange->whenGone([arriving] { arriving->abort(); });
    // The transport releases the function without a call if the body fails.
    const std::shared_ptr<ArrivingRequest> end(arriving.get(),
                                               [arriving](auto *one) { one->cut(); });
    exchange->readBody([end] { end->finish(); }, route().maxBody,
                       [arriving](std::string_view bytes) { return arriving->add(bytes); });
  }

  const std::chrono::milliseconds query_, mutation_;
};

} // namespace

HttpRoutes::Handlers routesOfPlugin(const std::shared_ptr<HttpPlugin> &plugin,
                                    const HandlerRoutes &routes, const Access &access,
                                    const Deadlines &deadlines) {
  HttpRoutes::Handlers handlers;
  for (const HandlerRoute &route : routes)
    if (route.isConstant)
      handlers.push_back(std::make_shared<ConstantRoute>(plugin, HandlerRoute(route), access));
    else
      handlers.push_back(std::make_shared<CalledRoute>(plugin, route, access, deadlines));
  return handlers;
}

} // namespace skillhost::app
