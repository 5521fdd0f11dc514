// SPDX-License-Identifier: Apache-2.0
// Answers about credentials that the replicas of a service share: the principals that the provider
// named, and revocations. A credential itself is never shared; it is identified by a keyed digest.
#pragma once

#include "access/principal.hpp"
#include "ground/blake3.hpp"
#include "ground/guarded.hpp"
#include "state/shared_state.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Any thread. Answers that do not arrive in time count as missing: the provider is asked.
class SharedAnswers : public std::enable_shared_from_this<SharedAnswers> {
public:
  using Digest = Blake3Key::Digest;
  struct Kept {
    PrincipalPointer principal; // without claims, which nobody reads
    std::int64_t until = 0;     // in Unix seconds: the answer may be used until then
  };
  // Receives the credential whose answer has to be dropped; null: all of them. Called on a thread
  // of the executor.
  using Forget = std::function<void(const Digest *one)>;

  // `mark` identifies the provider and its configuration: answers with another mark are not found.
  SharedAnswers(std::shared_ptr<SharedState> state, std::string mark)
      : state_(std::move(state)), mark_(std::move(mark)) {}
  // Begins to receive messages of the other replicas. Call it once.
  void start(Forget forget);

  // Returns the key of the digests, which is the same in all replicas.
  Blake3Key key() const { return state_->keyFor("credential"); }
  // Returns true if find() can succeed: the engine is reachable, and the epoch after the last
  // revokeAll() of any replica is known.
  bool knows() const { return state_->reachable() && epoch_.copy().value.has_value(); }
  void find(const Digest &digest, std::function<void(std::optional<Kept>)> answer) const;
  void keep(const Digest &digest, const Kept &kept, std::int64_t now) const;
  // Call it when the provider refuses a credential that it accepted before: no replica keeps its
  // answer, and each validates the streams that are open with it.
  void revoke(const Digest &digest);
  // Revokes all earlier answers of the provider.
  void revokeAll();

private:
  void heard(std::string_view message);
  void learnEpoch(std::int64_t delta);
  // Returns an empty text while the epoch is unknown.
  std::string keyOf(const Digest &digest) const;

  const std::shared_ptr<SharedState> state_;
  const std::string mark_;
  // A keyed hash, so that services with different secrets have different keys.
  const std::string epochKey_ = "credentials/" + state_->keyed("epoch", {});
  Forget forget_; // set before the first message
  // The number of times that all answers were revoked. It is part of every key, so that earlier
  // answers are not found. Without a value it is unknown at the moment.
  struct Epoch {
    std::optional<std::int64_t> value;
    std::uint64_t question = 0; // number of the newest request; replies to older ones are ignored
    bool owes = false;          // the other replicas have not been notified of a revocation yet
  };
  Guarded<Epoch> epoch_;
};

} // namespace skillhost
