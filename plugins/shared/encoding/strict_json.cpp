// SPDX-License-Identifier: Apache-2.0
#include "strict_json.hpp"

#include <set>
#include <string>
#include <vector>

namespace skillhost::encoding {
namespace {

using Json = nlohmann::json;

// Looks for what the library would let pass: names that come twice, and depth.
class Strictness final : public nlohmann::json_sax<Json> {
public:
  explicit Strictness(std::size_t depth) : depth_(depth) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t & /*text*/) override { return true; }
  bool string(string_t & /*value*/) override { return true; }
  bool binary(binary_t & /*value*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override { return enter(); }
  bool start_array(std::size_t /*elements*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t &name) override { return names_.back().insert(name).second; }
  bool parse_error(std::size_t /*position*/, const std::string & /*token*/,
                   const nlohmann::detail::exception & /*why*/) override {
    return false;
  }

private:
  bool enter() {
    if (names_.size() >= depth_) return false;
    names_.emplace_back();
    return true;
  }
  bool leave() {
    names_.pop_back();
    return true;
  }

  const std::size_t depth_;
  std::vector<std::set<std::string>> names_; // of each open object; empty for an array
};

} // namespace

std::optional<Json> readJsonObject(std::string_view text, std::size_t depth) {
  Strictness strictness(depth);
  if (!Json::sax_parse(text, &strictness)) return std::nullopt;
  Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  return document;
}

} // namespace skillhost::encoding
