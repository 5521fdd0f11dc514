// SPDX-License-Identifier: Apache-2.0
// One replica holds a lease, and another one when it is gone.
#include "awaited.hpp"
#include "replica.hpp"
#include "state/lease.hpp"

#include <optional>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

constexpr auto span = 1500ms; // asked for every 500 ms, so that a busy machine loses none

struct Holder {
  explicit Holder(const std::shared_ptr<StateEngine> &engine) : state(replicaOf(engine)) {
    lease.emplace(state, "work", span, [this](bool held) { told.push(held); });
  }
  std::shared_ptr<SharedState> state;
  Awaited<bool> told;
  std::optional<Lease> lease;
};

} // namespace

TEST_CASE("the first has the lease, and gives it to the next when it ends") {
  const auto engine = std::make_shared<StateEngine>();
  Holder first(engine), second(engine);
  CHECK(first.told.next());
  CHECK(first.lease->held());
  CHECK_FALSE(second.lease->held());
  first.lease.reset();
  CHECK(second.told.next());
  CHECK(second.lease->held());
}

TEST_CASE("a lease that has run out at the engine is another one's, and the holder hears of it") {
  const auto engine = std::make_shared<StateEngine>();
  Holder first(engine);
  CHECK(first.told.next());
  {
    // Another replica takes the place in the moment in which the first was too late to renew it.
    const std::scoped_lock lock(engine->mutex);
    engine->values.clear();
  }
  Holder second(engine);
  if (second.told.next()) CHECK_FALSE(first.told.next());
  CHECK(second.lease->held());
  CHECK_FALSE(first.lease->held());
}

TEST_CASE("while the engine is away the holder gives it up, and nobody takes it") {
  const auto engine = std::make_shared<StateEngine>();
  Holder first(engine), second(engine);
  CHECK(first.told.next());
  engine->setAway(true);
  CHECK_FALSE(first.told.next());
  CHECK_FALSE(second.lease->held());
  {
    const std::scoped_lock lock(engine->mutex);
    engine->turned += 1h; // what was written has expired there
  }
  engine->setAway(false);
  Holder third(engine);
  // One of them has it, and no other.
  const auto holders = [&] {
    return int(first.lease->held()) + int(second.lease->held()) + int(third.lease->held());
  };
  CHECK(holders() <= 1);
  third.lease.reset();
  first.lease.reset();
  CHECK(second.told.next());
  CHECK(second.lease->held());
}
