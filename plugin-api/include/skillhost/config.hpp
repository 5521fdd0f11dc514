// SPDX-License-Identifier: Apache-2.0
// skillhost/config.hpp - typed access to an instance's configuration, for C++ plugins that use
// nlohmann/json (3.11 or newer). Optional: plugin.hpp does not need it.
//
//   const skh::Config config(host);
//   root_ = config.text("root");                 // required
//   interval_ = config.integer("interval", 60);  // with a default
//
// The host has validated the object against config_schema before create(). The errors thrown here
// (skh::Error with SKH_INVALID, naming the key) cover what a schema cannot express.
#pragma once

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skh {

class Config {
public:
  explicit Config(const Host &host) : Config(host.config()) {}
  // Throws Error(SKH_INVALID) if `text` is not a JSON object. An empty text is an empty object.
  explicit Config(std::string_view text)
      : value_(text.empty() ? nlohmann::json::object()
                            : nlohmann::json::parse(text, nullptr, false)) {
    if (!value_.is_object()) throw Error(SKH_INVALID, "the configuration is not a JSON object");
  }

  bool has(const std::string &key) const { return value_.contains(key); }
  std::string text(const std::string &key) const { return required<std::string>(key, "a string"); }
  std::string text(const std::string &key, const std::string &fallback) const {
    return get<std::string>(key, "a string").value_or(fallback);
  }
  std::int64_t integer(const std::string &key) const {
    return required<std::int64_t>(key, "an integer");
  }
  std::int64_t integer(const std::string &key, std::int64_t fallback) const {
    return get<std::int64_t>(key, "an integer").value_or(fallback);
  }
  double number(const std::string &key, double fallback) const {
    return get<double>(key, "a number").value_or(fallback);
  }
  bool flag(const std::string &key, bool fallback) const {
    return get<bool>(key, "true or false").value_or(fallback);
  }
  std::vector<std::string> texts(const std::string &key) const {
    return get<std::vector<std::string>>(key, "a list of strings")
        .value_or(std::vector<std::string>{});
  }
  const nlohmann::json &json() const noexcept { return value_; }

private:
  template <class T> std::optional<T> get(const std::string &key, const char *what) const {
    const auto found = value_.find(key);
    if (found == value_.end() || found->is_null()) return std::nullopt;
    try {
      return found->template get<T>();
    } catch (const nlohmann::json::exception &) {
      throw Error(SKH_INVALID, key + ": must be " + what);
    }
  }
  template <class T> T required(const std::string &key, const char *what) const {
    std::optional<T> value = get<T>(key, what);
    if (!value) throw Error(SKH_INVALID, key + ": is required and must be " + what);
    return *std::move(value);
  }

  nlohmann::json value_;
};

} // namespace skh
