// SPDX-License-Identifier: Apache-2.0
#include "key_set.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace skillhost::jwt {
namespace {

// True if the key may be used for signatures, by RFC 7517 sections 4.2 and 4.3.
bool isForSignatures(const Json &jwk) {
  if (const auto use = jwk.find("use"); use != jwk.end() && *use != "sig") return false;
  const auto operations = jwk.find("key_ops");
  if (operations == jwk.end()) return true;
  return operations->is_array() &&
         std::any_of(operations->begin(), operations->end(),
                     [](const Json &operation) { return operation == "verify"; });
}

} // namespace

std::optional<KeySet::Named> KeySet::readKey(const Json &jwk) {
  // A published private key is known to everybody, so it is refused.
  if (!jwk.is_object() || jwk.contains("d") || jwk.contains("k") || !isForSignatures(jwk))
    return std::nullopt;
  std::optional<Algorithm> only;
  if (const auto algorithm = jwk.find("alg"); algorithm != jwk.end()) {
    if (!algorithm->is_string()) return std::nullopt;
    only = algorithmNamed(algorithm->get_ref<const std::string &>());
    if (!only) return std::nullopt;
  }
  std::string id;
  if (const auto named = jwk.find("kid"); named != jwk.end()) {
    if (!named->is_string()) return std::nullopt;
    id = named->get<std::string>();
  }
  std::optional<PublicKey> key = PublicKey::fromJwk(jwk);
  if (!key || (only && keyKindOf(*only) != key->kind())) return std::nullopt;
  return Named{std::move(id), only, *std::move(key)};
}

KeySet KeySet::read(std::string_view text) {
  if (text.size() > maxBytes) throw std::runtime_error("is larger than 1 MiB");
  const std::optional<Json> document = readJsonObject(text);
  if (!document) throw std::runtime_error("is no JSON object, or has a name twice");
  const auto list = document->find("keys");
  if (list == document->end() || !list->is_array())
    throw std::runtime_error("has no list \"keys\": it is no JWK set");
  if (list->size() > maxKeys) throw std::runtime_error("has more than 100 keys");
  KeySet keys;
  for (const Json &jwk : *list) {
    if (std::optional<Named> key = readKey(jwk))
      keys.keys_.push_back(*std::move(key));
    else
      ++keys.leftOut_;
  }
  return keys;
}

const PublicKey *KeySet::find(std::string_view id, Algorithm algorithm) const {
  const PublicKey *found = nullptr;
  for (const Named &key : keys_) {
    if (!id.empty() && key.id != id) continue;
    if (key.key.kind() != keyKindOf(algorithm) || (key.only && *key.only != algorithm)) continue;
    if (found != nullptr) return nullptr;
    found = &key.key;
  }
  return found;
}

} // namespace skillhost::jwt
