// SPDX-License-Identifier: Apache-2.0
#include "ticket.hpp"

#include "base64url.hpp"

#include <charconv>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace {

constexpr std::string_view prefix = "tk1.";
constexpr std::size_t maxTicketBytes = 4096;
constexpr std::size_t fieldCount = 6;

std::string sign(std::string_view text, const std::string &key) {
  std::string signature(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char *>(text.data()), text.size(),
           reinterpret_cast<unsigned char *>(signature.data()), &size) == nullptr)
    throw std::runtime_error("OpenSSL offers no HMAC-SHA-256");
  signature.resize(size);
  return signature;
}

// Compares in constant time, so that the duration does not reveal how much of a guess was right.
bool equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// Returns the parts between the separators, which are one more than the separators.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool plain(std::string_view field) {
  for (const char c : field)
    if (c < '!' || c > '~' || c == '|') return false;
  return !field.empty();
}

std::int64_t seconds(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw Refused("a time in the ticket is no number of seconds");
  return value;
}

Ticket parse(std::string_view payload) {
  const std::vector<std::string_view> fields = split(payload, '|');
  if (fields.size() != fieldCount) throw Refused("the ticket has not the fields of a ticket");
  Ticket ticket{std::string(fields[0]), std::string(fields[1]), std::string(fields[2]), {},
                seconds(fields[4]),     seconds(fields[5])};
  if (!fields[3].empty())
    for (const std::string_view scope : split(fields[3], ' ')) ticket.scopes.emplace_back(scope);
  return ticket;
}

} // namespace

std::string signTicket(const Ticket &ticket, const Keys &keys) {
  const std::string *key = keys.find(ticket.key);
  if (key == nullptr) throw Refused("there is no key of that id");
  std::string scopes;
  for (const std::string &scope : ticket.scopes) {
    if (!plain(scope)) throw Refused("a scope must be printable ASCII without blank and |");
    scopes += (scopes.empty() ? "" : " ") + scope;
  }
  if (!plain(ticket.subject) || !plain(ticket.audience))
    throw Refused("subject and audience must be printable ASCII without blank and |");
  std::string text(prefix);
  text += encodeBase64Url(ticket.key + '|' + ticket.subject + '|' + ticket.audience + '|' + scopes +
                          '|' + std::to_string(ticket.begins) + '|' + std::to_string(ticket.ends));
  const std::string signature = sign(text, *key);
  text += '.' + encodeBase64Url(signature);
  if (text.size() > maxTicketBytes) throw Refused("the ticket would be longer than 4,096 bytes");
  return text;
}

Ticket openTicket(std::string_view text, const Keys &keys) {
  const std::size_t dot = text.rfind('.');
  if (text.size() > maxTicketBytes || !text.starts_with(prefix) || dot < prefix.size())
    throw Refused("this is no ticket");
  const std::string_view covered = text.substr(0, dot);
  const auto payload = decodeBase64Url(covered.substr(prefix.size()));
  const auto signature = decodeBase64Url(text.substr(dot + 1));
  if (!payload || !signature) throw Refused("this is no ticket");
  // Until the signature is verified, only the id of the key is used, and only to choose among our
  // own keys.
  const std::string *key = keys.find(std::string_view(*payload).substr(0, payload->find('|')));
  if (key == nullptr) throw Refused("the ticket is signed with a key that is not in the key file");
  if (!equal(*signature, sign(covered, *key)))
    throw Refused("the ticket's signature does not hold");
  return parse(*payload);
}

void judgeTicket(const Ticket &ticket, std::string_view audience, std::int64_t now,
                 const Rules &rules) {
  if (audience.empty() || ticket.audience != audience)
    throw Refused("the ticket is for another server");
  if (ticket.subject.empty()) throw Refused("the ticket names nobody");
  if (ticket.begins > now + rules.skew) throw Refused("the ticket is not valid yet");
  if (ticket.ends <= now - rules.skew) throw Refused("the ticket has expired");
  // seconds() refuses negative times, so the difference cannot overflow.
  if (ticket.ends <= ticket.begins || ticket.ends - ticket.begins > rules.maxSeconds)
    throw Refused("the ticket is valid for longer than tickets may be");
}
