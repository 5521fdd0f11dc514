// SPDX-License-Identifier: Apache-2.0
#include "handlers/call_status.hpp"

#include <array>
#include <string_view>

namespace skillhost {
namespace {

struct NamedStatus {
  skh_status status;
  std::string_view name;
  Fault fault;
};
constexpr std::array statuses = std::to_array<NamedStatus>({
    {SKH_FAILED, "SKH_FAILED", Fault::OperationFailed},
    {SKH_CANCELLED, "SKH_CANCELLED", Fault::Cancelled},
    {SKH_DEADLINE, "SKH_DEADLINE", Fault::ToolTimeout},
    {SKH_INVALID, "SKH_INVALID", Fault::InvalidInput},
    {SKH_NOT_FOUND, "SKH_NOT_FOUND", Fault::NotFound},
    {SKH_STALE, "SKH_STALE", Fault::Stale},
    {SKH_DENIED, "SKH_DENIED", Fault::Denied},
    {SKH_UNAVAILABLE, "SKH_UNAVAILABLE", Fault::Unavailable},
    {SKH_TOO_LARGE, "SKH_TOO_LARGE", Fault::TooLarge},
    {SKH_UNSUPPORTED, "SKH_UNSUPPORTED", Fault::NotImplemented},
    {SKH_CORRUPT, "SKH_CORRUPT", Fault::Corrupt},
});

} // namespace

std::string statusName(skh_status status) {
  if (status == SKH_OK) return "SKH_OK";
  for (const NamedStatus &one : statuses)
    if (one.status == status) return std::string(one.name);
  return "status " + std::to_string(status);
}

Fault faultOf(skh_status status) noexcept {
  for (const NamedStatus &one : statuses)
    if (one.status == status) return one.fault;
  return Fault::OperationFailed;
}

skh_status statusOf(Fault fault) noexcept {
  for (const NamedStatus &one : statuses)
    if (one.fault == fault) return one.status;
  return SKH_FAILED;
}

} // namespace skillhost
