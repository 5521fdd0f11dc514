// SPDX-License-Identifier: Apache-2.0
// What the replicas of a service tell each other of credentials: whom the provider says that they
// name, and that they no longer name anybody. Never a credential: they are known by a keyed digest.
#pragma once

#include "access/principal.hpp"
#include "ground/blake3.hpp"
#include "ground/guarded.hpp"
#include "plugin/shared_store.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread. What it cannot learn in time is as if it were not there: the provider is asked.
class SharedAnswers : public std::enable_shared_from_this<SharedAnswers> {
public:
  using Digest = Blake3Key::Digest;
  struct Kept {
    PrincipalPointer principal; // without claims, which nobody reads
    std::int64_t until = 0;     // Unix seconds: so long the answer may be used
  };
  // Null: what is known of every credential is to be forgotten. On a thread of the executor.
  using Forget = std::function<void(const Digest *one)>;

  // Hears of the others from now on. `mark` says who the provider is and how it is configured:
  // answers of another one are none.
  static std::shared_ptr<SharedAnswers> make(std::shared_ptr<SharedStore> state, std::string mark,
                                             Forget forget);

  // Makes the same digest in all replicas.
  static Blake3Key keyOf(const SharedStore &state) { return state.keyFor("credential"); }
  // Whether it is worth asking: the engine is there, and what is in it is not from before the
  // last revokeAll() of anybody.
  bool knows() const { return state_->reachable() && epoch_.copy().value.has_value(); }
  void find(const Digest &digest, std::function<void(std::optional<Kept>)> answer) const;
  void keep(const Digest &digest, const Kept &kept, std::int64_t now) const;
  // The provider refuses what it accepted before: no replica keeps its answer, and each asks about
  // the streams that are open with it.
  void revoke(const Digest &digest);
  // Nothing that the provider said before holds any longer.
  void revokeAll();

private:
  SharedAnswers(std::shared_ptr<SharedStore> state, std::string mark, Forget forget)
      : state_(std::move(state)), mark_(std::move(mark)), forget_(std::move(forget)) {}
  void start();
  void heard(std::string_view message);
  void learnEpoch(std::int64_t delta);
  // Empty while it is not known what still holds.
  std::string keyOf(const Digest &digest) const;

  const std::shared_ptr<SharedStore> state_;
  const std::string mark_;
  const Forget forget_;
  // A hash with the key, so that a service with another secret has another one.
  const std::string epochKey_ = "credentials/" + state_->keyed("epoch", {});
  // How often all answers were revoked: part of every key, so that those from before are not found.
  // Nothing: not known at the moment.
  struct Epoch {
    std::optional<std::int64_t> value;
    std::uint64_t question = 0; // the newest one: an answer to another one is old
    bool owes = false;          // the others have yet to hear of something that was revoked
  };
  Guarded<Epoch> epoch_;
};

} // namespace skillhost
