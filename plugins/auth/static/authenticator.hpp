// SPDX-License-Identifier: Apache-2.0
// Accepts tokens in the file, until they expire or are removed from the file.
#pragma once

#include "tokens/token_file.hpp"

#include <skillhost/plugin.hpp>

#include <memory>
#include <mutex>

namespace skillhost::statics {

// Any thread may call any method. It fails closed: without a usable file every call gets
// SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Throws skh::Error(SKH_INVALID) if the file's path is not absolute.
  Authenticator(skh::Host host, const skh::Call &call);

  void check(const skh::Call &call) override;
  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override;
  std::string describe(const skh::Call &call) override;

private:
  // Returns the present content of the file. Throws skh::Error(SKH_UNAVAILABLE).
  std::shared_ptr<const tokens::TokenFile> current();

  const skh::Host host_;
  std::string path_;
  std::int64_t cacheSeconds_;
  std::mutex mutex_;
  std::shared_ptr<const tokens::TokenFile> file_;
};

} // namespace skillhost::statics
