// SPDX-License-Identifier: Apache-2.0
#include "scripts.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/sha1.hpp"

#include <new>
#include <stdexcept>

namespace skillhost::valkey {
namespace {

// pcall makes the error of a command the answer of the script, unchanged in all versions.
constexpr std::string_view compareAndSetBody = R"lua(
local value = redis.pcall('get', KEYS[1])
if type(value) == 'table' then return value end
if value ~= ARGV[1] then return 0 end
local done
if ARGV[3] == '0' then
  done = redis.pcall('set', KEYS[1], ARGV[2])
else
  done = redis.pcall('set', KEYS[1], ARGV[2], 'px', ARGV[3])
end
if done.err then return done end
return 1
)lua";

constexpr std::string_view compareAndEraseBody = R"lua(
local value = redis.pcall('get', KEYS[1])
if type(value) == 'table' then return value end
if not value then return -1 end
if value ~= ARGV[1] then return 0 end
local done = redis.pcall('del', KEYS[1])
if type(done) == 'table' then return done end
return 1
)lua";

constexpr std::string_view addBody = R"lua(
local begins = redis.call('exists', KEYS[1]) == 0
local sum = redis.pcall('incrby', KEYS[1], ARGV[1])
if type(sum) == 'table' then return sum end
if begins and ARGV[2] ~= '0' then redis.call('pexpire', KEYS[1], ARGV[2]) end
return redis.call('get', KEYS[1])
)lua";

std::string sha1Of(std::string_view text) {
  try {
    Sha1 sum;
    sum.add(text);
    return hexadecimal(sum.finish());
  } catch (const std::runtime_error &) {
    return {}; // without SHA-1, EVALSHA never matches, and EVAL is used
  }
}

} // namespace

Script::Script(std::string_view text) : body(text), digest(sha1Of(text)) {}

const Script &compareAndSetScript() {
  static const Script script(compareAndSetBody);
  return script;
}

const Script &compareAndEraseScript() {
  static const Script script(compareAndEraseBody);
  return script;
}

const Script &addScript() {
  static const Script script(addBody);
  return script;
}

} // namespace skillhost::valkey
