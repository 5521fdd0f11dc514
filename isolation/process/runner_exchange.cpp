// SPDX-License-Identifier: Apache-2.0
#include "process/runner_exchange.hpp"

#include "base/exchange_rules.hpp"
#include "ground/json.hpp"
#include "process/text.hpp"

namespace skillhost::process {
namespace {

constexpr std::size_t maxAsideBytes = 512U << 10U; // of a question; the host's own limit is lower

} // namespace

RunnerExchange::RunnerExchange(RunnerCall &call, Unpacker &from)
    : call_(call), raw_{{sizeof(skh_exchange), from.u32(), toSkhStr(from.text()),
                         toSkhStr(from.text()), toSkhStr(from.text()), &log, &ask,
                         toSkhStr(from.text()), toSkhStr(from.text()), from.u32(), 0},
                        this} {}

RunnerExchange &RunnerExchange::of(const skh_exchange *raw) noexcept {
  return *reinterpret_cast<const Raw *>(raw)->owner; // base is the first member of Raw
}

skh_status RunnerExchange::log(const skh_exchange *raw, int32_t level, skh_str logger,
                               skh_str data) noexcept try {
  if (data.size > exchange_rules::maxLogBytes || logger.size > exchange_rules::maxLoggerBytes)
    return SKH_TOO_LARGE;
  if (!parseJson(toStringView(data), {exchange_rules::maxJsonDepth})) return SKH_INVALID;
  const skh_call *const call = of(raw).call_.raw();
  if (call->cancelled(call) != 0) return SKH_CANCELLED;
  of(raw).call_.sendAside(Record::Told, [&](Packer &packer) {
    packer.i32(level);
    packer.text(toStringView(logger));
    packer.text(toStringView(data));
  });
  return SKH_OK;
} catch (...) {
  return SKH_FAILED;
}

skh_status RunnerExchange::ask(const skh_exchange *raw, skh_str method, skh_str params,
                               const skh_bytes *answer) noexcept try {
  RunnerExchange &self = of(raw);
  if ((raw->flags & SKH_MAY_ASK) == 0) return SKH_UNSUPPORTED;
  if (method.size + params.size > maxAsideBytes) return SKH_TOO_LARGE;
  const std::uint32_t number = ++self.questions_;
  self.call_.sendAside(Record::Ask, [&](Packer &packer) {
    packer.u32(number);
    packer.text(toStringView(method));
    packer.text(toStringView(params));
  });
  std::string text;
  const skh_status status = self.call_.reply(number, text);
  return status == SKH_OK ? answer->write(answer, text.data(), text.size()) : status;
} catch (...) {
  return SKH_FAILED;
}

} // namespace skillhost::process
