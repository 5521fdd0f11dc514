// SPDX-License-Identifier: Apache-2.0
#include "exchange_frame.hpp"

#include "base/exchange_rules.hpp"

namespace skillhost {
namespace {

skh_status statusOf(const Failure &failure) noexcept {
  switch (failure.fault) {
  case Fault::NotImplemented:
    return SKH_UNSUPPORTED;
  case Fault::Denied:
    return SKH_DENIED;
  case Fault::Cancelled:
    return SKH_CANCELLED;
  case Fault::ToolTimeout:
    return SKH_DEADLINE;
  case Fault::InvalidInput:
    return SKH_INVALID;
  case Fault::TooLarge:
    return SKH_TOO_LARGE;
  case Fault::RateLimited:
  case Fault::Unavailable:
    return SKH_UNAVAILABLE;
  default:
    return SKH_FAILED;
  }
}

std::uint32_t flagsOf(const Exchange &exchange) noexcept {
  if (exchange.mayAsk) return SKH_MAY_ASK;
  return exchange.mayRequireInput ? SKH_MAY_REQUIRE_INPUT : 0;
}

std::uint32_t callerOf(const Exchange &exchange) noexcept {
  std::uint32_t flags = 0;
  if (exchange.mayRead) flags |= SKH_CALLER_READS;
  if (exchange.mayManage) flags |= SKH_CALLER_MANAGES;
  if (exchange.mayReview) flags |= SKH_CALLER_REVIEWS;
  if (exchange.seesAll) flags |= SKH_CALLER_SEES_ALL;
  return flags;
}

} // namespace

ExchangeFrame::ExchangeFrame(const CallFrame &frame, const Exchange &exchange)
    : frame_(frame), exchange_(exchange),
      raw_{{sizeof(skh_exchange), flagsOf(exchange), borrow(exchange.capabilities),
            borrow(exchange.inputResponses), borrow(exchange.requestState), &log, &ask,
            borrow(exchange.issuer), borrow(exchange.subject), callerOf(exchange), 0},
           this} {}

const ExchangeFrame &ExchangeFrame::of(const skh_exchange *raw) noexcept {
  return *reinterpret_cast<const Raw *>(raw)->owner; // base is the first member of Raw
}

skh_status ExchangeFrame::log(const skh_exchange *raw, int32_t level, skh_str logger,
                              skh_str data) noexcept try {
  const ExchangeFrame &self = of(raw);
  if (self.frame_.isGivenUp()) return SKH_CANCELLED;
  if (data.size > exchange_rules::maxLogBytes || logger.size > exchange_rules::maxLoggerBytes)
    return SKH_TOO_LARGE;
  if (!self.exchange_.log) return SKH_OK;
  const Status logged = self.exchange_.log(levelOf(level), view(logger), view(data));
  return logged ? SKH_OK : statusOf(logged.failure());
} catch (...) {
  return SKH_FAILED;
}

skh_status ExchangeFrame::ask(const skh_exchange *raw, skh_str method, skh_str params,
                              const skh_bytes *answer) noexcept try {
  const ExchangeFrame &self = of(raw);
  if (self.frame_.isGivenUp()) return SKH_CANCELLED;
  if (params.size > exchange_rules::maxQuestionBytes ||
      method.size > exchange_rules::maxMethodBytes)
    return SKH_TOO_LARGE;
  if (!self.exchange_.mayAsk || !self.exchange_.ask) return SKH_UNSUPPORTED;
  const Result<std::string> reply = self.exchange_.ask(view(method), view(params));
  if (!reply) return statusOf(reply.failure());
  return answer->write(answer, reply->data(), reply->size());
} catch (...) {
  return SKH_FAILED;
}

} // namespace skillhost
