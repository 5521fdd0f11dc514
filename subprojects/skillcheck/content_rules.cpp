// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/content_rules.hpp"

#include "patterns.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::string_view readThenRun =
    "download to a file, compare its digest with one that is written here, then run it";
constexpr std::string_view plainText = "write the command in plain text";
constexpr std::string_view sayIt = "say it in the visible text, or remove it";

constexpr std::array contentRuleTable{
    ContentRule{"exec.decode-and-run", high,
                "base64, hex or compressed data that is decoded into a shell, `eval`, `exec`, "
                "PowerShell's `-EncodedCommand`",
                "data that is decoded and run", plainText},
    ContentRule{"exec.download-and-run", high,
                "a download that goes straight into a shell or interpreter: `curl … | sh`, "
                "`bash <(curl …)`, `eval \"$(wget …)\"`, `iwr … | iex`, `exec(urlopen(…).read())`",
                "a download that is run unseen", readThenRun},
    ContentRule{"exec.download-then-run", high,
                "a file that is downloaded and, some lines further on, made executable or run",
                "a downloaded file that is run unchecked", readThenRun},
    ContentRule{"exec.inline-command", low,
                "a `` !`command` `` block, which some clients run when they load the skill",
                "a !`command` block; it is passed on as text and not executed",
                "tell the reader to run the command"},
    ContentRule{"exec.install-from-free-host", high,
                "a program that the reader is to install from a host where anybody gets a name at "
                "once: vercel.app, netlify.app, onrender.com, a tunnel",
                "a program from a host that is free or short-lived",
                "name the project's own page, a version and a digest"},
    ContentRule{"exec.password-archive", high,
                "an archive with a password beside its download, `unzip -P`, `7z -p`: what is in "
                "it is seen by no scanner",
                "an archive that a password hides from scanners",
                "ship the files themselves, or an archive without a password"},
    ContentRule{"exec.paste-from-web", high,
                "commands that the reader is to fetch from a paste site and put into a terminal",
                "commands that stand elsewhere, where they can change at any time",
                "write the commands into the skill"},
    ContentRule{"exec.required-download", high,
                "a page from which the reader must install a program before the skill works",
                "a program must be installed from a page before the skill works",
                "name a package of a registry with its version, or ship the program"},
    ContentRule{"exec.reverse-shell", high,
                "a shell that is connected to the network: `/dev/tcp`, `nc -e`, `mkfifo`, `socat "
                "EXEC:`, sockets with `dup2`, `pty.spawn`, `cmd.exe`",
                "a shell that is connected to the network", "remove it"},
    ContentRule{"exec.temporary-code", medium,
                "code that is read from a folder anybody may write and then evaluated",
                "code from a folder that anybody may write is run",
                "keep the code in the skill's own folder, and call it by its path"},
    ContentRule{"exfil.collector", high,
                "addresses of services that collect requests, tunnels, chat webhooks and "
                "upload sites: webhook.site, requestbin, ngrok, Burp Collaborator, interactsh",
                "data for a service that anybody can open to collect it",
                "name a server that belongs to you, and say what is sent to it"},
    ContentRule{"exfil.dns", high,
                "data in the name that is looked up: `dig $(…).host`, `nslookup ${SECRET}.host`",
                "data leaves in the name that is looked up", "remove it"},
    ContentRule{"exfil.encoded-address", medium, "a URL in base64 or hex",
                "an address that is written so that nobody can read it", "write it in plain text"},
    ContentRule{"exfil.file-posted", high,
                "files sent to a named server: `curl -F file=@… https://…`, "
                "`requests.post(…, files=…)`",
                "a file is sent to a server",
                "say which file is sent, to whom and why, and let the user send it"},
    ContentRule{"exfil.free-host", high,
                "commands that fetch from or send to a host where anybody gets a name at once: "
                "onrender.com, herokuapp.com, workers.dev, duckdns.org, a tunnel",
                "a command talks to a host that is free or short-lived",
                "name a server that belongs to you"},
    ContentRule{"exfil.image-link", medium,
                "an image whose address is to be filled with what the agent knows",
                "an image whose address carries data away", "remove it"},
    ContentRule{"exfil.raw-address", high, "data sent to a public IP address without a name",
                "data is sent to an address without a name",
                "name a server that belongs to you, over https"},
    ContentRule{"exfil.upload", low, "words that ask to upload or send something to an address",
                "something is to be sent to an address", "say what is sent, to whom and why"},
    ContentRule{"hidden.bidi-controls", medium,
                "control characters that change the direction of text",
                "control characters that change the direction of text", "remove them"},
    ContentRule{"hidden.instructions", high,
                "comments, invisible elements and white text that speak to the agent",
                "text that a reader does not see speaks to the agent", sayIt},
    ContentRule{"hidden.look-alike-letters", medium,
                "Cyrillic or Greek letters within a word of Latin ones",
                "a word with letters that only look Latin", "type the word anew"},
    ContentRule{"hidden.tag-characters", high,
                "characters nobody sees (U+E0000 to U+E007F), which can smuggle instructions",
                "characters nobody sees (U+E0000 to U+E007F), which can smuggle instructions",
                "remove them"},
    ContentRule{"hidden.terminal-escapes", medium,
                "control sequences of terminals, which hide or overwrite what is shown",
                "control sequences that change what a terminal shows", "remove them"},
    ContentRule{"hidden.unread-program", high,
                "a program that was not read to the end: it needs too much work, is a text of more "
                "than 64 KiB, or lies too deep in others",
                "a part of the program was not understood, because it is too long, too deep or "
                "needs too much work",
                "write the commands without long expansions, or split the file"},
    ContentRule{"hidden.zero-width", medium, "characters of no width", "characters of no width",
                "remove them"},
    ContentRule{"instruct.after-every-task", high,
                "commands and uploads that are asked for after every task, whatever the task is",
                "something is to be done after every task, whatever the task is",
                "say when it is needed, and let the user ask for it"},
    ContentRule{"instruct.conceal", high,
                "instructions to keep something from the user: \"do not tell the user\"",
                "the agent is told to keep something from the user",
                "say openly what the skill does"},
    ContentRule{"instruct.disable-safety", medium,
                "approvals and safety switched off: `--dangerously-skip-permissions`, \"bypass the "
                "security checks\"",
                "approvals or safety checks are switched off", "leave the decision to the user"},
    ContentRule{"instruct.forward-data", high,
                "instructions to send credentials, conversations or files to an address",
                "the agent is told to send away what it knows",
                "say what is sent, to whom and why, and let the user do it"},
    ContentRule{"instruct.override", high, "\"ignore all previous instructions\" and its kin",
                "the agent is told to drop its instructions", "remove it"},
    ContentRule{"leaked-key", high, "keys, tokens and private keys of well-known issuers",
                "what looks like a key", "revoke it, and read it from the environment"},
    ContentRule{"mining.miner", high, "programs and pools that mine cryptocurrencies",
                "a miner of cryptocurrencies", "remove it"},
    ContentRule{"package.install-hook", high,
                "scripts that a package manager runs when it installs: `preinstall`, "
                "`postinstall`, `cmdclass`",
                "code that runs when a package is installed",
                "let the user run it, or show that it needs neither network nor shell"},
    ContentRule{"package.look-alike-name", medium,
                "packages whose names are one letter off a well-known one",
                "a package whose name is one letter off a well-known one",
                "install the well-known package, or say which one is meant"},
    ContentRule{"persist.authorized-keys", high, "keys added to `authorized_keys`",
                "a key that lets somebody log in later", "let the user add keys"},
    ContentRule{"persist.git-hook", medium, "files written to `.git/hooks`",
                "a command that runs at each commit or checkout",
                "let the user install hooks, and say what they do"},
    ContentRule{"persist.login-item", medium,
                "what starts with the machine or the session: systemd, launchd, `Run` keys, "
                "Startup folders, `rc.local`, `ld.so.preload`",
                "something that starts again with the machine",
                "let the user install it, and say how it is removed"},
    ContentRule{"persist.scheduled-job", medium, "jobs put into cron, `at` or the Task Scheduler",
                "a job that runs again and again", "let the user add jobs"},
    ContentRule{"persist.shell-profile", medium,
                "lines added to `.bashrc`, `.zshrc`, `.profile`, `$PROFILE`",
                "a line that every later shell runs",
                "say which line is needed, and let the user add it"},
    ContentRule{"secret.credentials-read", medium,
                "files of credentials that are read: private SSH keys, `~/.aws/credentials`, "
                "`.netrc`, `.npmrc`, browser and wallet stores, keychains, `/etc/shadow`",
                "files of credentials are read", "use the tool that owns the credentials"},
    ContentRule{"secret.credentials-sent", high,
                "the same files, and data sent over the network beside it",
                "credentials are read and data is sent", "remove it"},
    ContentRule{"secret.environment-collected", medium,
                "secrets of the environment that are gathered or encoded",
                "secrets of the environment are gathered or encoded",
                "read the one variable that is needed, where it is used"},
    ContentRule{"secret.environment-sent", high,
                "the environment, or a secret in it, as the body of a request: `env | curl`, "
                "`requests.post(…, json=dict(os.environ))`",
                "the environment or a secret in it is sent",
                "send only what the service needs, to a server that is named"},
    ContentRule{"secret.in-text", medium, "a user with a password that the text hands out",
                "credentials are handed out in the text",
                "let the user make the account and keep its password"},
    ContentRule{"system.destroys", medium, "commands that delete logs, histories, homes or disks",
                "a command that destroys what is not the skill's", "delete only what was made"},
    ContentRule{"system.weaker-protection", medium,
                "`chmod 777` and set-uid, `NOPASSWD`, firewalls, quarantine and antivirus "
                "switched off",
                "a protection of the machine is weakened", "give the least that is needed"},
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < contentRuleTable.size(); ++i)
    if (!(contentRuleTable[i - 1].id < contentRuleTable[i].id)) return false;
  return true;
}
static_assert(sorted());

} // namespace

std::span<const ContentRule> contentRules() noexcept { return contentRuleTable; }

const ContentRule *contentRule(std::string_view id) noexcept {
  const auto *const found = std::lower_bound(
      contentRuleTable.begin(), contentRuleTable.end(), id,
      [](const ContentRule &rule, std::string_view wanted) { return rule.id < wanted; });
  return found != contentRuleTable.end() && found->id == id ? &*found : nullptr;
}

} // namespace skillhost
