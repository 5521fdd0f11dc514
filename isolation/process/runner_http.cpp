// SPDX-License-Identifier: Apache-2.0
#include "process/runner_http.hpp"

#include "ground/c_table.hpp"
#include "handlers/handler_tables.hpp"
#include "process/text.hpp"

#include <skillhost/http.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace skillhost::process {
namespace {

template <auto method> using HttpFunction = TableFunction<method, SKH_TOO_LARGE>;

void packFields(Packer &packer, const skh_http_field *fields, std::size_t count) {
  // The host refuses far fewer fields, and a record without end is not sent.
  constexpr std::size_t maxChannels = 4096;
  const std::size_t sent = fields == nullptr ? 0 : std::min(count, maxChannels);
  packer.u32(static_cast<std::uint32_t>(sent));
  for (const skh_http_field &one : std::span(fields, sent)) {
    packer.text(toStringView(one.name));
    packer.text(toStringView(one.value));
  }
}

// Returns what a sink answers: the status by the rules, and else what became of the record. The
// record is sent all the same, so that the host reports the fault. A call that the host has ended
// says why.
skh_status statusOf(skh_status byRules, skh_status sent) noexcept {
  return byRules == SKH_OK || (byRules == SKH_CANCELLED && sent != SKH_OK) ? sent : byRules;
}

class RoutesSender {
public:
  using Raw = OwnedTable<skh_routes>;
  explicit RoutesSender(RunnerCall &call)
      : call_(call), rules_(call.raw()),
        raw_({sizeof(skh_routes), 0, &HttpFunction<&RoutesSender::add>::call}, this) {}
  RoutesSender(const RoutesSender &) = delete;
  RoutesSender &operator=(const RoutesSender &) = delete;
  const skh_routes *raw() const noexcept { return raw_.get(); }

private:
  skh_status add(const skh_route *route) {
    const skh_status byRules = rules_.raw()->add(rules_.raw(), route);
    if (byRules == SKH_OK) rules_.routes.back().content.clear(); // only the host keeps it
    return statusOf(byRules, send(route));
  }
  skh_status send(const skh_route *route) {
    const bool isConstant = (route->flags & SKH_ROUTE_CONSTANT) != 0;
    if (isConstant)
      if (const skh_status status = call_.addBytes(toStringView(route->content)); status != SKH_OK)
        return status;
    return call_.add(Record::Route, [&](Packer &packer) {
      packer.u32(route->flags);
      packer.u32(route->permission);
      packer.text(toStringView(route->path));
      packer.text(toStringView(route->methods));
      packer.u64(route->max_body);
      packFields(packer, route->fields, isConstant ? route->field_count : 0);
    });
  }

  RunnerCall &call_;
  RoutesSink rules_; // of the host
  Raw raw_;
};

class AnswerSender {
public:
  using Raw = OwnedTable<skh_response>;
  explicit AnswerSender(RunnerCall &call)
      : call_(call), rules_(call.raw()),
        raw_({sizeof(skh_response), 0, &HttpFunction<&AnswerSender::begin>::call,
              &HttpFunction<&AnswerSender::write>::call},
             this) {}
  AnswerSender(const AnswerSender &) = delete;
  AnswerSender &operator=(const AnswerSender &) = delete;
  const skh_response *raw() const noexcept { return raw_.get(); }

private:
  skh_status begin(int32_t status, const skh_http_field *fields, size_t count) {
    const skh_status byRules = rules_.raw()->begin(rules_.raw(), status, fields, count);
    return statusOf(byRules, call_.add(Record::Head, [&](Packer &packer) {
      packer.i32(status);
      packFields(packer, fields, count);
    }));
  }
  skh_status write(const void *data, size_t size) {
    const skh_status byRules = rules_.raw()->write(rules_.raw(), data, size);
    rules_.answer.body.clear(); // only the host keeps it
    return statusOf(byRules, call_.addBytes({static_cast<const char *>(data), size}));
  }

  RunnerCall &call_;
  ResponseSink rules_; // of the host
  Raw raw_;
};

// The request that the host has sent. It asks the host for the body, piece by piece.
class SentRequest {
public:
  using Raw = OwnedTable<skh_request>;
  SentRequest(RunnerCall &call, Unpacker &from)
      : call_(call), method_(toSkhStr(from.text())), path_(toSkhStr(from.text())),
        query_(toSkhStr(from.text())), peer_(toSkhStr(from.text())), issuer_(toSkhStr(from.text())),
        subject_(toSkhStr(from.text())), length_(from.u64()), fields_(fieldsFrom(from)),
        raw_({sizeof(skh_request), static_cast<std::uint32_t>(fields_.size()), method_, path_,
              query_, peer_, issuer_, subject_, length_, fields_.data(),
              &TableFunction<&SentRequest::read, SKH_FAILED>::call},
             this) {}
  SentRequest(const SentRequest &) = delete;
  SentRequest &operator=(const SentRequest &) = delete;
  const skh_request *raw() const noexcept { return raw_.get(); }

private:
  static std::vector<skh_http_field> fieldsFrom(Unpacker &from) {
    std::vector<skh_http_field> fields;
    for (std::uint32_t left = from.u32(); left > 0 && from.good(); --left) {
      const skh_str name = toSkhStr(from.text());
      fields.push_back({name, toSkhStr(from.text())});
    }
    return fields;
  }

  skh_status read(void *buffer, size_t room, size_t *got) {
    *got = 0;
    if (room == 0) return SKH_INVALID;
    if (hasEnded_) return SKH_OK;
    const std::uint32_t number = ++questions_;
    const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(room, UINT32_MAX));
    call_.sendAside(Record::ReadBody, [&](Packer &packer) {
      packer.u32(number);
      packer.u32(wanted);
    });
    std::string bytes;
    if (const skh_status status = call_.reply(number, bytes); status != SKH_OK) return status;
    if (bytes.size() > room) return SKH_FAILED;
    if (!bytes.empty()) std::memcpy(buffer, bytes.data(), bytes.size());
    *got = bytes.size();
    hasEnded_ = bytes.empty();
    return SKH_OK;
  }

  RunnerCall &call_;
  const skh_str method_, path_, query_, peer_, issuer_, subject_;
  const std::uint64_t length_;
  const std::vector<skh_http_field> fields_;
  std::uint32_t questions_ = 0;
  bool hasEnded_ = false;
  Raw raw_;
};

} // namespace

skh_status performHttp(const RunningPlugin &running, Operation operation, Unpacker &from,
                       RunnerCall &call) {
  const auto &ops = *static_cast<const skh_http *>(running.plugin->ops);
  if (operation == Operation::Routes) {
    const RoutesSender sender(call);
    return ops.routes(running.self, call.raw(), sender.raw());
  }
  if (operation != Operation::Handle || ops.handle == nullptr) return SKH_UNSUPPORTED;
  const SentRequest request(call, from);
  if (!from.good()) return SKH_INVALID;
  const AnswerSender sender(call);
  return ops.handle(running.self, call.raw(), request.raw(), sender.raw());
}

} // namespace skillhost::process
