// SPDX-License-Identifier: Apache-2.0
// Answers about credentials that the replicas of a service share: the principals that the provider
// named, and revocations. A credential itself is never shared; it is identified by a keyed digest.
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

// Any thread. Answers that do not arrive in time count as missing: the provider is asked.
class SharedAnswers : public std::enable_shared_from_this<SharedAnswers> {
public:
  using Digest = Blake3Key::Digest;
  struct StoredAnswer {
    PrincipalPointer principal; // without claims, which nobody reads
    std::int64_t until = 0;     // in Unix seconds: the answer may be used until then
  };
  // Receives the credential whose answer has to be dropped; null: all of them. Called on a thread
  // of the executor.
  using OnRevoked = std::function<void(const Digest *one)>;

  // Starts to listen to the other replicas. `mark` names the provider and its configuration.
  // Answers with another mark are not used.
  static std::shared_ptr<SharedAnswers> make(std::shared_ptr<SharedStore> state, std::string mark,
                                             OnRevoked onRevoked);

  // Returns a key with which all replicas make the same digests.
  static Blake3Key keyOf(const SharedStore &state) { return state.keyFor("credential"); }
  // True if find() can have an answer: the engine is reachable, and the epoch is known, so that
  // answers from before a replica's last revokeAll() are not found.
  bool isUsable() const { return state_->isEngineReachable() && epoch_.copy().value.has_value(); }
  void find(const Digest &digest, std::function<void(std::optional<StoredAnswer>)> answer) const;
  void keep(const Digest &digest, const StoredAnswer &kept, std::int64_t now) const;
  // Call it when the provider refuses a credential that it accepted before: no replica keeps its
  // answer, and each validates the streams that are open with it.
  void revoke(const Digest &digest);
  // Revokes all earlier answers of the provider.
  void revokeAll();

private:
  SharedAnswers(std::shared_ptr<SharedStore> state, std::string mark, OnRevoked onRevoked)
      : state_(std::move(state)), mark_(std::move(mark)), onRevoked_(std::move(onRevoked)) {}
  void start();
  void onMessage(std::string_view message);
  void learnEpoch(std::int64_t delta);
  // Returns an empty text while the epoch is unknown.
  std::string keyOf(const Digest &digest) const;

  const std::shared_ptr<SharedStore> state_;
  const std::string mark_;
  const OnRevoked onRevoked_;
  // The keyed hash differs for each service, because each service has another secret.
  const std::string epochKey_ = "credentials/" + state_->keyedDigest("epoch", {});
  // The number of times that all answers were revoked. It is a part of every key, so that earlier
  // answers are not found. It has no value while it is not known.
  struct Epoch {
    std::optional<std::int64_t> value;
    std::uint64_t question = 0; // number of the newest request; replies to older ones are ignored
    bool mustNotifyOthers = false; // the other replicas have not been notified of a revocation yet
  };
  Guarded<Epoch> epoch_;
};

} // namespace skillhost
