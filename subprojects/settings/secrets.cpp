// SPDX-License-Identifier: Apache-2.0
#include "settings/secrets.hpp"

#include "base/log.hpp"
#include "base/secret_names.hpp"
#include "ground/read_file.hpp"
#include "ground/text.hpp"
#include "ground/trusted_path.hpp"
#include "ground/url.hpp"
#include "ground/utf8.hpp"
#include "settings/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>

namespace skillhost::settings {
namespace {

constexpr std::string_view stars = "***masked***";
constexpr std::size_t maxSecretBytes = 65'536; // bytes of a file that holds one

class PluginConfigReader {
public:
  explicit PluginConfigReader(Reading &reading) : reading_(reading) {}

  Json read(const Written &value, std::string_view key) {
    switch (value.kind) {
    case Written::Kind::Null:
      return nullptr;
    case Written::Kind::Boolean:
      return value.boolean;
    case Written::Kind::Integer:
      return value.integer;
    case Written::Kind::Number:
      if (!std::isfinite(value.number)) reading_.problem(value, "JSON has no such number");
      return value.number;
    case Written::Kind::Text:
      return text(value, key);
    case Written::Kind::List:
      break;
    case Written::Kind::Map:
      return object(value);
    }
    Json list = Json::array();
    const std::size_t length = reading_.key.size();
    for (const Written &item : value.items) {
      reading_.key += '[' + std::to_string(list.size()) + ']';
      reading_.note(item);
      list.push_back(read(item, key));
      reading_.key.resize(length);
    }
    return list;
  }

private:
  Json object(const Written &value) {
    Json out = Json::object();
    for (const Member &member : value.members) {
      const std::size_t length = reading_.key.size();
      reading_.key += '.' + member.name;
      reading_.note(member.line, member.column);
      out[member.name] = read(member.value, member.name);
      reading_.key.resize(length);
    }
    return out;
  }

  std::string text(const Written &value, std::string_view key) {
    if (reading_.hasPaths && looksLikePath(value.text)) {
      std::string path = absolutePath(value.text, reading_.folder, reading_.surroundings);
      const std::string wrong = problemUnlessUtf8(path);
      if (!wrong.empty()) reading_.problem(value, path + wrong);
      return wrong.empty() ? path : std::string();
    }
    if (!reading_.resolveReferences) {
      if (isSecretSettingName(key)) note(value.text);
      return value.text;
    }
    if (value.text.starts_with("env:") && isVariableName(value.text.substr(4)))
      return reference(value, value.text);
    const std::size_t problems = reading_.problems.size();
    std::string out = expanded(value);
    if (!isSecretSettingName(key)) return out;
    if (const std::string name = unresolvedVariable(value.text);
        !name.empty() && reading_.problems.size() == problems)
      reading_.problem(value,
                       "the variable " + name +
                           " would not be looked up, but its name sent: write ${env:" + name +
                           "} (a secret that really is this text can come from "
                           "${file:PATH})");
    note(out);
    return out;
  }

  // Returns the text with every ${...} replaced.
  std::string expanded(const Written &value) {
    const std::string &text = value.text;
    std::string out;
    std::size_t at = 0;
    for (std::size_t begin = 0; (begin = text.find("${", at)) != std::string::npos;) {
      if (begin > at && text[begin - 1] == '$') { // $${ is ${
        out.append(text, at, begin - 1 - at).append("${");
        at = begin + 2;
        continue;
      }
      const std::size_t end = text.find('}', begin);
      const std::string inside =
          end == std::string::npos ? std::string{} : text.substr(begin + 2, end - begin - 2);
      // This is not a reference of ours, but for instance a shell's.
      if (inside.find(':') == std::string::npos) {
        out.append(text, at, begin + 2 - at);
        at = begin + 2;
        continue;
      }
      out.append(text, at, begin - at).append(reference(value, inside));
      at = end + 1;
    }
    return out.append(text, at);
  }

  std::string reference(const Written &value, const std::string &inside) {
    const std::string name = inside.substr(inside.find(':') + 1);
    std::optional<std::string> found;
    if (!reading_.refusal.empty()) {
      reading_.problem(value, reading_.refusal);
      return {};
    }
    if (inside.starts_with("env:")) {
      const auto variable = reading_.surroundings.variables.find(name);
      if (variable != reading_.surroundings.variables.end()) found = variable->second;
      if (!found)
        reading_.problem(value, "the environment variable " + name + " is not set: export it, or " +
                                    "take the reference out");
    } else if (inside.starts_with("file:")) {
      const std::string path = absolutePath(name, reading_.folder, reading_.surroundings);
      const Status trusted = checkTrusted(path);
      if (!trusted) {
        reading_.problem(value, "the secret is not read: " + trusted.failure().message);
        return {};
      }
      Result<std::string> content =
          readFile(path, maxSecretBytes,
                   reading_.surroundings.readsPipes ? FileKind::Any : FileKind::Regular);
      if (!content)
        reading_.problem(value, "cannot read the secret from " + path + ": " +
                                    content.failure().message +
                                    " (a file of at most 64 KiB is needed)");
      if (content) found = withoutLineEnd(*std::move(content));
    } else {
      reading_.problem(value, "unknown reference ${" + inside.substr(0, 40) +
                                  "}: write ${env:NAME} or ${file:PATH}, or $${ for a plain ${");
    }
    if (found && !isUtf8(*found)) {
      reading_.problem(value, "what " + inside.substr(0, 100) + " names is not UTF-8");
      return {};
    }
    if (found) note(*found);
    return found.value_or(std::string{});
  }

  static std::string withoutLineEnd(std::string content) {
    while (!content.empty() && (content.back() == '\n' || content.back() == '\r'))
      content.pop_back();
    return content;
  }

  void note(const std::string &secret) {
    const auto &known = reading_.secrets;
    if (secret.empty() || std::find(known.begin(), known.end(), secret) != known.end()) return;
    log::redact(secret);
    reading_.secrets.push_back(secret);
  }

  Reading &reading_;
};

std::string maskedText(std::string text, const std::vector<std::string> &secrets) {
  constexpr std::size_t shortest = 4; // shorter ones would mask half of every text
  for (const std::string &secret : secrets) {
    if (text == secret) return std::string(stars);
    if (secret.size() < shortest) continue;
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos; at += stars.size())
      text.replace(at, secret.size(), stars);
  }
  return text;
}

void mask(Json &value, const std::vector<std::string> &secrets) {
  if (value.is_string()) value = maskedUrl(maskedText(value.get<std::string>(), secrets));
  if (value.is_structured())
    for (Json &part : value) mask(part, secrets);
}

} // namespace

bool isVariableName(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string unresolvedVariable(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find("${", at)) != std::string_view::npos && at > 0 && text[at - 1] == '$')
    at += 2; // $${ is ${
  if (at == std::string_view::npos) {
    for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic "})
      if (text.starts_with(scheme)) text.remove_prefix(scheme.size());
    const bool isShell = text.size() > 1 && text.starts_with('$');
    const bool isWindows = text.size() > 2 && text.starts_with('%') && text.ends_with('%');
    text = isShell ? text.substr(1) : isWindows ? text.substr(1, text.size() - 2) : "";
    // A word in lower case may well be a password.
    const bool isLarge = std::none_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::islower(c) != 0; });
    return isLarge && isVariableName(text) ? std::string(text) : std::string();
  }
  text.remove_prefix(at + 2);
  while (!text.empty() && (text.front() == '{' || text.front() == ' ')) text.remove_prefix(1);
  for (const std::string_view context : {"secrets.", "env.", "vars."})
    if (text.starts_with(context)) text.remove_prefix(context.size());
  const std::string_view name = text.substr(0, text.find_first_of("}: "));
  const std::string_view behind = text.substr(name.size());
  const bool isEnded = behind.starts_with('}') || behind.starts_with(" }");
  return isEnded && isVariableName(name) ? std::string(name) : std::string();
}

Result<std::string> writtenLiterally(const std::string &text) {
  const auto refused = [&](const std::string &what) {
    return Failure{Fault::InvalidInput,
                   '"' + text + "\" would be read as " + what + " from the configuration file"};
  };
  if (text.starts_with("env:") && isVariableName(std::string_view(text).substr(4)))
    return refused("the variable " + text.substr(4) + " of the environment");
  if (looksLikePath(text)) return refused("a path");
  std::string out = text;
  for (std::size_t at = 0; (at = out.find("${", at)) != std::string::npos; at += 3)
    out.insert(at, 1, '$');
  return out;
}

Json readPluginConfig(Reading &reading, const Written &value) {
  return PluginConfigReader(reading).read(value, {});
}

std::string readReference(Reading &reading, const Written &value, bool secret) {
  const Json resolved = PluginConfigReader(reading).read(value, secret ? "secret" : "");
  return resolved.is_string() ? resolved.get<std::string>() : std::string();
}

std::string maskedUrl(std::string_view url) {
  const auto parts = urlParts(url);
  const std::size_t at = parts ? parts->authority.rfind('@') : std::string_view::npos;
  if (at == std::string_view::npos) return std::string(url);
  const std::string scheme = asciiLowered(parts->scheme);
  const bool isWeb = scheme == "https" || scheme == "http" || scheme == "git";
  const bool hasPassword = parts->authority.substr(0, at).find(':') != std::string_view::npos;
  if (!isWeb && !(scheme == "ssh" && hasPassword)) return std::string(url);
  return std::string(parts->scheme) + "://***" + std::string(parts->authority.substr(at)) +
         std::string(parts->rest);
}

Json masked(const Json &config, std::vector<std::string> secrets) {
  // A secret may be part of another one, so the longest is masked first.
  std::sort(secrets.begin(), secrets.end(),
            [](const std::string &a, const std::string &b) { return a.size() > b.size(); });
  Json out = config;
  mask(out, secrets);
  return out;
}

} // namespace skillhost::settings
