// SPDX-License-Identifier: Apache-2.0
#include "challenge.hpp"

#include "ground/json.hpp"
#include "ground/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::oci {
namespace {

constexpr std::size_t maxTokenBytes = 16'384, maxValueBytes = 2'048;
constexpr std::int64_t maxLife = 86'400; // seconds; a longer life of a token is cut to this

class Reading {
public:
  explicit Reading(std::string_view text) : text_(text) {}

  Challenge run() {
    Challenge best, current;
    while (skip(), at_ < text_.size()) {
      const std::string word = token();
      if (word.empty()) return best; // not a list of challenges
      skipBlanks();
      if (at_ < text_.size() && text_[at_] == '=') {
        ++at_;
        skipBlanks();
        set(current, asciiLowered(word), value());
      } else {
        best = better(best, current);
        current = {};
        const std::string scheme = asciiLowered(word);
        current.scheme = scheme == "bearer"  ? Scheme::bearer
                         : scheme == "basic" ? Scheme::basic
                                             : Scheme::none;
      }
    }
    return better(best, current);
  }

private:
  static bool isTokenCharacter(char c) {
    return c > ' ' && c <= '~' &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
  }
  static Challenge better(const Challenge &best, const Challenge &other) {
    const bool isBearer = other.scheme == Scheme::bearer && !other.realm.empty();
    if (isBearer && best.scheme != Scheme::bearer) return other;
    if (other.scheme == Scheme::basic && best.scheme == Scheme::none) return other;
    return best;
  }
  static void set(Challenge &challenge, const std::string &name, std::string value) {
    if (value.size() > maxValueBytes) return;
    if (name == "realm")
      challenge.realm = std::move(value);
    else if (name == "service")
      challenge.service = std::move(value);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == ','))
      ++at_;
  }
  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  std::string token() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isTokenCharacter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string value() {
    if (at_ >= text_.size() || text_[at_] != '"') return token();
    std::string read;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      read += text_[at_];
    }
    if (at_ < text_.size()) ++at_;
    return read;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

Challenge readChallenge(std::string_view header) { return Reading(header).run(); }

std::optional<Token> readToken(std::string_view json) {
  const std::optional<Json> document = readJsonObject(json);
  if (!document) return {};
  Token token;
  for (const char *const key : {"token", "access_token"}) {
    const auto found = document->find(key);
    if (token.text.empty() && found != document->end() && found->is_string())
      token.text = found->get<std::string>();
  }
  const bool isPlain =
      std::all_of(token.text.begin(), token.text.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (token.text.empty() || token.text.size() > maxTokenBytes || !isPlain) return {};
  const auto lasts = document->find("expires_in");
  if (lasts != document->end() && lasts->is_number_integer())
    token.lasts =
        std::chrono::seconds(std::clamp<std::int64_t>(lasts->get<std::int64_t>(), 0, maxLife));
  return token;
}

} // namespace skillhost::oci
