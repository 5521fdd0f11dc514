// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/leaked_keys.hpp"

#include "ground/text.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillmd/characters.hpp"
#include "skillmd/text_place.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace skillhost {
namespace {

// Each includes the one before.
enum class Alphabet : std::uint8_t { Upper, Letters, Words, Dotted };

// The prefix of an issuer's keys, and the form of the rest.
struct KeyForm {
  std::string_view name, prefix;
  Alphabet alphabet;
  std::size_t shortest, longest; // bytes behind the prefix
};

constexpr std::size_t any = 400;
constexpr std::array forms{
    KeyForm{"an AWS access key id", "AKIA", Alphabet::Upper, 16, 16},
    KeyForm{"a temporary AWS access key id", "ASIA", Alphabet::Upper, 16, 16},
    KeyForm{"a GitHub token", "ghp_", Alphabet::Letters, 36, 36},
    KeyForm{"a GitHub token", "gho_", Alphabet::Letters, 36, 36},
    KeyForm{"a GitHub token", "ghu_", Alphabet::Letters, 36, 36},
    KeyForm{"a GitHub token", "ghs_", Alphabet::Letters, 36, 36},
    KeyForm{"a GitHub token", "ghr_", Alphabet::Letters, 36, 76},
    KeyForm{"a GitHub token", "github_pat_", Alphabet::Words, 82, 82},
    KeyForm{"a GitLab token", "glpat-", Alphabet::Dotted, 20, any},
    KeyForm{"a Slack token", "xoxb-", Alphabet::Words, 40, any},
    KeyForm{"a Slack token", "xoxp-", Alphabet::Words, 40, any},
    KeyForm{"a Slack token", "xoxa-", Alphabet::Words, 40, any},
    KeyForm{"a Slack token", "xapp-", Alphabet::Words, 40, any},
    KeyForm{"a Google API key", "AIza", Alphabet::Words, 35, 35},
    KeyForm{"a Google OAuth secret", "GOCSPX-", Alphabet::Words, 28, 28},
    KeyForm{"an Anthropic API key", "sk-ant-", Alphabet::Words, 80, any},
    KeyForm{"an OpenAI API key", "sk-proj-", Alphabet::Words, 40, any},
    KeyForm{"an OpenAI API key", "sk-svcacct-", Alphabet::Words, 40, any},
    KeyForm{"an OpenAI API key", "sk-", Alphabet::Letters, 48, 48},
    KeyForm{"an OpenRouter API key", "sk-or-v1-", Alphabet::Letters, 64, 64},
    KeyForm{"a Stripe key", "sk_live_", Alphabet::Letters, 24, any},
    KeyForm{"a Stripe key", "rk_live_", Alphabet::Letters, 24, any},
    KeyForm{"an npm token", "npm_", Alphabet::Letters, 36, 36},
    KeyForm{"a PyPI token", "pypi-AgEIcHlwaS5vcmc", Alphabet::Words, 50, any},
    KeyForm{"a Hugging Face token", "hf_", Alphabet::Letters, 34, 34},
    KeyForm{"a SendGrid API key", "SG.", Alphabet::Dotted, 66, 66},
    KeyForm{"a DigitalOcean token", "dop_v1_", Alphabet::Letters, 64, 64},
};
constexpr std::string_view slackHook = "hooks.slack.com/services/";
constexpr std::string_view pemHead = "-----BEGIN ";
constexpr std::string_view pemKey = "PRIVATE KEY";
constexpr std::size_t maxKeys = 100;
// The bytes with which a key can begin. Most bytes of a text are none of them.
constexpr std::array<bool, 256> beginnings = [] {
  std::array<bool, 256> found{};
  for (const KeyForm &form : forms) found[static_cast<unsigned char>(form.prefix.front())] = true;
  for (const std::string_view other : {slackHook, pemHead})
    found[static_cast<unsigned char>(other.front())] = true;
  return found;
}();

bool belongs(char c, Alphabet alphabet) noexcept {
  if (digit(c) || (c >= 'A' && c <= 'Z')) return true;
  if (alphabet == Alphabet::Upper) return false;
  if (letter(c)) return true;
  return alphabet != Alphabet::Letters &&
         (c == '_' || c == '-' || (alphabet == Alphabet::Dotted && c == '.'));
}

bool saysSo(std::string_view key) {
  constexpr std::array<std::string_view, 12> words{"example",  "your",   "xxxx",   "placeholder",
                                                   "redacted", "dummy",  "fake",   "test",
                                                   "here",     "sample", "secret", "token"};
  const std::string lower = asciiLowered(key);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// Returns the bits per byte, computed from the frequencies of the bytes.
double entropy(std::string_view key) {
  std::array<std::size_t, 256> times{};
  for (const char c : key) ++times[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::size_t count : times)
    if (count != 0) {
      const double share = static_cast<double>(count) / static_cast<double>(key.size());
      bits -= share * std::log2(share);
    }
  return bits;
}

// Returns true for a key drawn from its whole alphabet, and false for words, `xxxx` or `abc123`.
bool drawnAtRandom(std::string_view key) {
  // Bytes that are equal to the previous one, or its successor or that of the one before (`A1B2`).
  std::size_t neighbours = 0;
  for (std::size_t i = 1; i < key.size(); ++i)
    if (key[i] == key[i - 1] || key[i] == key[i - 1] + 1 || (i > 1 && key[i] == key[i - 2] + 1))
      ++neighbours;
  const bool rows = neighbours * 4 > key.size();
  const bool letters = std::any_of(key.begin(), key.end(), letter);
  const bool digits = std::any_of(key.begin(), key.end(), digit);
  // A key of 16 bytes has at most 4 bits each. Fewer than one in 10,000 drawn from 32 characters is
  // below 2.8.
  return !rows && letters && (digits || key.size() < 20) && entropy(key) >= 2.8 && !saysSo(key);
}

// Skips headers before the key: encrypted keys have them ("Proc-Type: 4,ENCRYPTED"), and so has
// OpenPGP ("Version: GnuPG v2"). In JSON a line ends with \n as two characters.
std::size_t behindHeaders(std::string_view text, std::size_t at) {
  constexpr int maxHeaders = 8;
  constexpr std::size_t maxHeader = 200;
  for (int header = 0; header < maxHeaders; ++header) {
    while (at < text.size())
      if (std::string_view(" \t\r\n").find(text[at]) != npos)
        ++at;
      else if (text.substr(at, 2) == "\\n" || text.substr(at, 2) == "\\r")
        at += 2;
      else
        break;
    const std::string_view line = text.substr(at, maxHeader);
    const std::size_t end = line.find_first_of("\n\\");
    if (end == npos || line.substr(0, end).find(": ") == npos) return at;
    at += end;
  }
  return at;
}

// Returns the end of the first 64 characters of the private key whose block begins here; 0: there
// is none. The key follows -----BEGIN … PRIVATE KEY-----; `...` or `MIIE...` is an example.
std::size_t endOfPrivateKey(std::string_view text, std::size_t at) {
  const std::size_t name = at + pemHead.size();
  const std::size_t end = text.substr(name, 40).find(pemKey);
  if (end == npos || text.substr(name, end).find_first_of("-\n") != npos) return 0;
  std::size_t next = name + end + pemKey.size();
  constexpr std::string_view ofOpenPgp = " BLOCK", dashes = "-----";
  if (text.substr(next).starts_with(ofOpenPgp)) next += ofOpenPgp.size();
  if (!text.substr(next).starts_with(dashes)) return 0;
  next = behindHeaders(text, next + dashes.size());
  std::string key;
  constexpr std::size_t enough = 64;
  for (; next < text.size() && key.size() < enough; ++next) {
    const char c = text[next];
    if (c == '\\' && (text.substr(next, 2) == "\\n" || text.substr(next, 2) == "\\r"))
      ++next; // a line break in JSON
    else if (belongs(c, Alphabet::Letters) || c == '+' || c == '/')
      key += c;
    else if (std::string_view(" \t\r\n\"'>|").find(c) == npos)
      break;
  }
  return key.size() < enough || !drawnAtRandom(key) ? 0 : next;
}

class KeySearch {
public:
  KeySearch(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  std::vector<Finding> run() {
    for (std::size_t at = 0; at < text_.size() && findings_.size() < maxKeys;) {
      const bool mayBegin = beginnings[static_cast<unsigned char>(text_[at])];
      at += mayBegin ? std::max<std::size_t>(keyAt(at), 1) : 1;
    }
    return std::move(findings_);
  }

private:
  bool begins(std::size_t at, std::string_view what) const noexcept {
    return text_.substr(at, what.size()) == what;
  }
  std::size_t endOf(std::size_t at, Alphabet alphabet) const noexcept {
    while (at < text_.size() && belongs(text_[at], alphabet)) ++at;
    return at;
  }

  // Returns the length of the key that begins here, after noting it; 0: there is none.
  std::size_t keyAt(std::size_t at) {
    const char c = text_[at];
    if (c == '-') return begins(at, pemHead) ? pemAt(at) : 0;
    if (c == 'h' && begins(at, slackHook)) return hookAt(at);
    if (at > 0 && (belongs(text_[at - 1], Alphabet::Words) || text_[at - 1] == '/')) return 0;
    for (const KeyForm &form : forms) {
      if (form.prefix.front() != c || !begins(at, form.prefix)) continue;
      const std::size_t body = at + form.prefix.size();
      std::size_t end = endOf(body, form.alphabet);
      while (end > body && text_[end - 1] == '.') --end; // full stops
      const std::size_t length = end - body;
      if (length < form.shortest || length > form.longest) continue;
      // If the word continues behind the key's alphabet, it is something else.
      if (end < text_.size() && belongs(text_[end], Alphabet::Words)) continue;
      if (!drawnAtRandom(text_.substr(body, length))) continue;
      note(at, "what looks like " + std::string(form.name));
      return end - at;
    }
    return 0;
  }

  // Matches T…/B…/24 letters and digits.
  std::size_t hookAt(std::size_t at) {
    const std::size_t team = at + slackHook.size();
    const std::size_t channel = endOf(team, Alphabet::Upper);
    if (channel - team < 9 || channel == text_.size() || text_[channel] != '/') return 0;
    const std::size_t secret = endOf(channel + 1, Alphabet::Upper);
    if (secret - channel < 10 || secret == text_.size() || text_[secret] != '/') return 0;
    const std::size_t end = endOf(secret + 1, Alphabet::Letters);
    if (end - secret != 25 || !drawnAtRandom(text_.substr(secret + 1, 24))) return 0;
    note(at, "what looks like the secret address of a Slack webhook");
    return end - at;
  }

  std::size_t pemAt(std::size_t at) {
    const std::size_t end = endOfPrivateKey(text_, at);
    if (end == 0) return 0;
    note(at, "what looks like a private key");
    return end - at;
  }

  void note(std::size_t at, std::string message) {
    Finding finding = placeOf(text_, file_, at);
    finding.code = "leaked-key";
    finding.message = std::move(message) + "; whoever reads the skill has it";
    finding.advice =
        "revoke it where it was issued, then write where the reader gets a key of their own";
    findings_.push_back(std::move(finding));
  }

  std::string_view text_, file_;
  std::vector<Finding> findings_;
};

} // namespace

std::vector<Finding> findLeakedKeys(std::string_view text, std::string_view file) {
  return KeySearch(text, file).run();
}

std::string firstLeakedKey(std::string bytes, std::string_view file) {
  const std::vector<Finding> found = findLeakedKeys(readableText(std::move(bytes), file), file);
  return found.empty() ? std::string() : render(found.front());
}

} // namespace skillhost
