// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "handlers/call_status.hpp"

using namespace skillhost;

TEST_CASE("every status has its own name, and the fault of a status has that status") {
  CHECK(statusName(SKH_OK) == "SKH_OK");
  CHECK(statusName(SKH_FAILED) == "SKH_FAILED");
  CHECK(statusName(SKH_STALE) == "SKH_STALE");
  CHECK(statusName(SKH_CORRUPT) == "SKH_CORRUPT");
  CHECK(statusName(-77) == "status -77");
  for (skh_status status = SKH_CORRUPT; status < SKH_OK; ++status) {
    CHECK(statusName(status).starts_with("SKH_"));
    CHECK(statusOf(faultOf(status)) == status);
  }
  CHECK(faultOf(-77) == Fault::OperationFailed);
  CHECK(statusOf(Fault::Internal) == SKH_FAILED);
}
