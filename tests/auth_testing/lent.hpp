// SPDX-License-Identifier: Apache-2.0
// The host's side of a call, as small as it can be, and a folder that goes away with the test.
#pragma once

#include <skillhost/plugin.hpp>

#include <filesystem>
#include <string>

namespace auth_test {

class LentHost {
public:
  explicit LentHost(std::string configuration);
  LentHost(const LentHost &) = delete;
  LentHost &operator=(const LentHost &) = delete;
  skh::Host host() const { return skh::Host(&raw_); }

private:
  std::string configuration_;
  skh_host raw_{};
};

// How often a plugin of this process said that something changed.
int changesTold();

class LentCall {
public:
  explicit LentCall(bool cancelled = false);
  LentCall(const LentCall &) = delete;
  LentCall &operator=(const LentCall &) = delete;
  skh::Call call() const { return skh::Call(&raw_); }

private:
  skh_call raw_{};
  bool cancelled_;
};

class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return (path_ / name).string(); }
  // Made for its owner alone, replacing what was there by another file.
  std::string write(const std::string &name, const std::string &text) const;

private:
  std::filesystem::path path_;
};

// What an auth plugin says of a token, "ok" when it lets it in.
std::string verdict(skh::Auth &auth, const std::string &token,
                    const std::string &resource = "https://skills.example.org/mcp");

} // namespace auth_test
