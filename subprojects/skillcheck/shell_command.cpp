// SPDX-License-Identifier: Apache-2.0
// Knows what the usual commands do with data: they fetch, decode, pass on, save or run it.
#include "shell_command.hpp"

#include "shell_program.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::array<std::string_view, 14> shells{"sh",   "bash",  "zsh", "dash",  "ksh",
                                                  "ash",  "fish",  "csh", "tcsh",  "mksh",
                                                  "yash", "rbash", "$0",  "$shell"};
constexpr std::array<std::string_view, 22> interpreters{
    "python", "python2", "python3", "pypy3",  "node",      "nodejs", "perl",       "ruby",
    "php",    "lua",     "deno",    "bun",    "osascript", "pwsh",   "powershell", "rscript",
    "tclsh",  "ts-node", "tsx",     "groovy", "julia",     "awk"};
constexpr std::array<std::string_view, 34> wrappers{
    "sudo",         "doas",       "env",     "nohup",    "exec",     "command",   "busybox",
    "builtin",      "setsid",     "time",    "nice",     "ionice",   "timeout",   "stdbuf",
    "chroot",       "unshare",    "flock",   "strace",   "torify",   "torsocks",  "proxychains",
    "proxychains4", "caffeinate", "taskset", "chrt",     "unbuffer", "eatmydata", "toybox",
    "gtimeout",     "wsl",        "pkexec",  "fakeroot", "ltrace",   "call"};
constexpr std::array<std::string_view, 31> filters{
    "cat",  "tee",   "tr",      "sed",      "gunzip",   "gzip",  "zcat",  "xz",
    "unxz", "bzip2", "bunzip2", "zstd",     "grep",     "egrep", "head",  "tail",
    "awk",  "cut",   "rev",     "funzip",   "dos2unix", "iconv", "nl",    "sort",
    "uniq", "tac",   "pv",      "envsubst", "jq",       "fold",  "sponge"};
constexpr std::array<std::string_view, 23> downloaders{
    "curl",  "wget",  "aria2c",      "lynx",         "w3m",    "links", "get", "http",
    "https", "axel",  "nc",          "ncat",         "netcat", "dig",   "ftp", "tftp",
    "wget2", "fetch", "lwp-request", "lwp-download", "socat",  "xh",    "xhs"};
constexpr std::array<std::string_view, 8> archivers{"tar", "bsdtar", "gtar", "unzip",
                                                    "7z",  "7za",    "7zz",  "cpio"};
constexpr std::array<std::string_view, 16> verifiers{
    "md5sum", "sha1sum",  "sha224sum",     "sha256sum", "sha384sum", "sha512sum",
    "b2sum",  "b3sum",    "cksum",         "shasum",    "gpg",       "gpgv",
    "cosign", "minisign", "slsa-verifier", "gh"};
constexpr std::array<std::string_view, 12> launchers{
    "open",    "start",     "xdg-open",      "wscript",  "cscript",  "rundll32",
    "msiexec", "installer", "start-process", "explorer", "regsvr32", "powershell_ise"};

std::string baseName(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return std::string(slash == npos ? path : path.substr(slash + 1));
}

// Returns true if a name has the form of a pattern with `?` and `*`.
bool fits(std::string_view pattern, std::string_view name) noexcept {
  std::size_t star = npos;
  std::size_t mark = 0;
  std::size_t p = 0;
  for (std::size_t n = 0; n < name.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != npos) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// Returns the name of a command without folder, ending and marks, in lower case.
std::string commandName(std::string_view word) {
  // The marks of prose around a command, and the carets of cmd.
  if (word.find('/') == npos) word = trimmedOf(word, "*_,:!?\"'`@-");
  while (word.size() > 1 && word.ends_with('.')) word.remove_suffix(1);
  std::string name = asciiLowered(baseName(word));
  std::erase(name, '^');
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  // `[b]ash` is a pattern, too.
  if (const std::size_t open = name.find('['); open != npos && name.find(']') == open + 2)
    name.replace(open, 3, name, open + 1, 1);
  if (name.find_first_of("?*") != npos) // a pattern for the path of a well-known command
    for (const std::string_view known : {"curl", "wget", "bash", "sh", "zsh", "dash", "base64",
                                         "python3", "python", "perl", "node", "nc"})
      if (name.size() <= 16 && name.find_first_not_of("?*") != npos && fits(name, known))
        return std::string(known);
  if (name.starts_with("python3.") || name.starts_with("python2.")) name.resize(7);
  return name;
}

bool namesShell(std::string_view name) { return isOneOf(shells, name); }
bool namesInterpreter(std::string_view name) { return isOneOf(interpreters, name); }

bool looksLikeAddress(std::string_view word) noexcept {
  return !word.starts_with('-') && !word.starts_with('/') &&
         (word.find("://") != npos || word.find('.') != npos || word.find('$') != npos ||
          word.starts_with('<') || word.find('{') != npos || word.starts_with("localhost"));
}

} // namespace

Data ShellCommand::joined(std::size_t from) const {
  Data all;
  for (std::size_t i = from; i < words_.size(); ++i) {
    if (i > from) all.text += ' ';
    all.text += words_[i].text;
    all.takeOriginOf(words_[i]);
  }
  return all;
}

bool ShellCommand::unwrap() {
  for (int left = 16; left > 0 && !words_.empty(); --left) {
    name_ = commandName(word(0));
    const std::string_view name = name_;
    if (name == "xargs" || name == "parallel") {
      drop(1);
      unwrapXargs();
      continue;
    }
    if (!isOneOf(wrappers, name)) return true;
    std::size_t next = 1; // the first word that is not of the wrapper
    while (next < words_.size()) {
      const std::string option(word(next));
      const bool isAssignment = option.find('=') != npos && !option.starts_with('-') &&
                                (letter(option[0]) || option[0] == '_');
      if (option == "-S" || option == "--split-string" || option.starts_with("-S")) {
        // env's own splitting of a string
        Data program = joined(option == "-S" || option[1] == '-' ? next + 1 : next);
        if (option.size() > 2 && option[1] == 'S') program.text.erase(0, 2);
        output_ = reader_.runShellText(program, at_, input_);
        return false;
      }
      if (!option.starts_with('-') && !isAssignment) break;
      const bool hasValue = option.size() == 2 &&
                            (name == "sudo" || name == "doas" || name == "env" || name == "nice" ||
                             name == "timeout" || name == "exec" || name == "unshare") &&
                            std::string_view("ugCnhpskart").find(option[1]) != npos &&
                            option != "-s" && option != "-k" && option != "-r" && option != "-t" &&
                            option != "-h";
      next += hasValue ? 2 : 1;
    }
    drop(next);
    if (name == "timeout" || name == "gtimeout" || name == "flock" || name == "chroot" ||
        name == "taskset" || name == "chrt")
      drop(1);
    if (name == "flock" && (word(0) == "-c")) {
      output_ = reader_.runShellText(joined(1), at_, input_);
      return false;
    }
  }
  name_ = commandName(word(0));
  return !words_.empty();
}

void ShellCommand::unwrapXargs() {
  std::string placeholder;
  std::size_t next = 0;
  while (word(next).starts_with('-')) {
    const std::string option(word(next));
    if (option == "-I" || option == "-i") {
      placeholder = option == "-I" ? std::string(word(next + 1)) : "{}";
      next += option == "-I" ? 2 : 1;
    } else if (option.starts_with("-I")) {
      placeholder = option.substr(2);
      ++next;
    } else {
      const bool hasValue =
          option.size() == 2 && std::string_view("nPLdsEa").find(option[1]) != npos;
      next += hasValue ? 2 : 1;
    }
  }
  drop(next);
  const std::string_view text = trimmedAsciiSpace(input_.text);
  if (placeholder.empty()) {
    Data argument;
    argument.takeOriginOf(input_);
    if (reader_.spend(text.size())) argument.text = text;
    if (!argument.text.empty() || argument.isUnseen()) words_.push_back(std::move(argument));
    return;
  }
  for (Data &each : words_)
    for (std::size_t at = each.text.find(placeholder), left = 8; at != npos && left > 0;
         at = each.text.find(placeholder, at + text.size()), --left) {
      if (each.text.size() + text.size() > Data::maxText) each.isCut = true;
      if (each.isCut || !reader_.spend(text.size() + each.text.size())) break;
      each.text.replace(at, placeholder.size(), text);
      each.takeOriginOf(input_);
    }
}

Data ShellCommand::fetch(std::string_view name) {
  Data result;
  std::string arguments;
  std::string file;
  std::string first; // the first address
  bool isNamedByAddress = name == "wget" || name == "wget2" || name == "aria2c" || name == "axel" ||
                          name == "fetch" || name == "tftp";
  bool toOutput = false;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    if (arguments.size() < 512) arguments.append(one.substr(0, Address::maxBytes)).append(" ");
    if (one.starts_with("--")) {
      if (one == "--output" || one == "--output-document" || one == "--out")
        file = word(++i);
      else if (one.starts_with("--output=") || one.starts_with("--output-document=") ||
               one.starts_with("--out="))
        file = one.substr(one.find('=') + 1);
      else if (one == "--remote-name" || one == "--remote-header-name" || one == "--download")
        isNamedByAddress = true;
    } else if (one.starts_with('-') && one.size() > 1) {
      // The options of one letter may be written together; the last may take a value.
      const bool isWget = name.starts_with("wget");
      const char mark = isWget ? 'O' : 'o';
      if (const std::size_t at = one.find(mark, 1);
          at != npos &&
          (name == "curl" || isWget || name == "aria2c" || name == "axel" || name == "fetch")) {
        file = at + 1 < one.size() ? std::string(one.substr(at + 1)) : std::string(word(++i));
        if (file == "-") toOutput = true;
      } else if (name == "curl" && one.find('O', 1) != npos) {
        isNamedByAddress = true;
      }
    } else if (first.empty() && looksLikeAddress(one)) {
      first = one;
    }
  }
  const bool isSocket = name == "nc" || name == "ncat" || name == "netcat";
  if (isSocket && words_.size() < 3) return {};
  if (isSocket && first.empty()) first = word(words_.size() - 2);
  if (name == "lwp-download" && words_.size() > 2) file = words_.back().text;
  if (name == "dig" && joined(1).text.find("txt") == npos && joined(1).text.find("TXT") == npos)
    return {};
  if (first.empty()) return {};
  if (first.find("://") == npos && first.find('.') != npos && letter(first.back()) &&
      !first.starts_with('$') && !first.starts_with('<'))
    arguments = "http://" + first + ' ' + arguments;
  if (!reader_.spend(std::min(arguments.size(), Address::maxBytes))) arguments.clear();
  result.address = arguments;
  result.downloaded = true;
  if (file == "/dev/stdout") toOutput = true;
  if (toOutput) return result;
  if (file.empty() && isNamedByAddress) {
    const std::string_view path = std::string_view(first).substr(0, first.find_first_of("?#"));
    file = baseName(path);
    if (file.empty()) file = "index.html";
  }
  if (file.empty()) return result;
  reader_.save(file, result);
  return {};
}

Data ShellCommand::filter(std::string_view name) {
  Data output;
  output.takeOriginOf(input_);
  if (reader_.spend(input_.text.size())) output.text = input_.text;
  std::vector<std::string_view> operands;
  bool isDecompression = name != "gzip" && name != "xz" && name != "bzip2" && name != "zstd";
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    if (one.starts_with('-') && one.size() > 1)
      isDecompression = isDecompression || one.find('d') != npos;
    else
      operands.push_back(one);
  }
  if (!isDecompression) return {};
  if (name == "tee" || name == "sponge") {
    for (const std::string_view one : operands) reader_.save(one, input_);
    return output;
  }
  if (name == "rev") {
    output.text = reversed(output.text);
    output.decoded = true;
  } else if (name == "tr") {
    const bool deletes = words_.size() > 1 && word(1).starts_with('-');
    if (!operands.empty())
      output.text = translated(output.text, operands[0],
                               operands.size() > 1 && !deletes ? operands[1] : std::string_view());
    // Line ends and the like are no secrets.
    output.decoded = output.decoded || (!deletes && output.text != input_.text);
  } else if (name == "sed") {
    if (!operands.empty()) output.text = substituted(output.text, operands.front());
  } else if (name != "cat" && name != "head" && name != "tail") {
    output.text.clear();
  }
  for (const std::string_view one : operands)
    if (const Data *file = reader_.savedFile(one)) {
      output.takeOriginOf(*file);
      if (reader_.spend(file->text.size())) output.add(file->text);
    }
  return output;
}

// Archivers write the content of an archive to their output only if an option says so.
Data ShellCommand::unpack(std::string_view name) {
  bool toOutput = false;
  const Data *archive = &input_;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    if (one == "--to-stdout" || one == "-so")
      toOutput = true;
    else if (one.starts_with('-') || (i == 1 && name.ends_with("tar")))
      toOutput =
          toOutput || (!one.starts_with("--") && one.find(name == "unzip" ? 'p' : 'O') != npos);
    else if (const Data *file = reader_.savedFile(one))
      archive = file;
  }
  Data output;
  if (toOutput) output.takeOriginOf(*archive);
  return output;
}

Data ShellCommand::decode(std::string_view name) {
  const Data arguments = joined(1);
  const std::string &options = arguments.text;
  bool decodes = false;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    if (name == "xxd")
      decodes = decodes || (one.starts_with('-') && one.find('r') != npos);
    else
      decodes = decodes || one == "--decode" || one == "-D" || one == "-d" ||
                (one.size() <= 4 && one.starts_with('-') && one.find('d') != npos);
  }
  if (name == "openssl" && options.find("base64") == npos && options.find("enc") == npos) return {};
  if (name == "uudecode") decodes = true;
  if (!decodes) return {};
  const Data *from = &input_;
  for (std::size_t i = 1; i < words_.size(); ++i)
    if (const Data *file = reader_.savedFile(word(i))) from = file;
  const Data &source = *from;
  Data output;
  output.takeOriginOf(source);
  output.decoded = true;
  if (!reader_.spend(source.text.size())) return output;
  std::optional<std::string> text;
  if (name == "base64" || options.find("base64") != npos)
    text = decodedBase64(source.text);
  else if (name == "base32" || options.find("base32") != npos)
    text = decodedBase32(source.text);
  else if (name == "xxd")
    text = decodedHexadecimal(source.text);
  if (text) output.text = std::move(*text);
  return output;
}

Data ShellCommand::print(std::string_view name) {
  Data output = joined(1);
  std::size_t from = 1;
  if (name == "printf") {
    std::string variable;
    if (word(1) == "-v") {
      variable = word(2);
      from = 3;
    }
    if (word(from) == "--") ++from;
    std::vector<std::string> arguments;
    for (std::size_t i = from + 1; i < words_.size(); ++i) arguments.push_back(words_[i].text);
    const std::string_view format = word(from);
    output.text = formatted(format, arguments);
    std::size_t escapes = 0; // of characters by their numbers
    for (std::size_t i = 0; i + 1 < format.size(); ++i)
      if (format[i] == '\\' && (format[i + 1] == 'x' || digit(format[i + 1]))) ++escapes;
    output.decoded = output.decoded || escapes > 3;
    if (!variable.empty()) {
      reader_.assign(variable, output);
      return {};
    }
    return output;
  }
  bool isEscaped = false;
  while (from < words_.size() && word(from).size() > 1 && word(from)[0] == '-' &&
         word(from).find_first_not_of("neE", 1) == npos) {
    isEscaped = isEscaped || word(from).find('e') != npos;
    ++from;
  }
  output.text = joined(from).text;
  if (isEscaped) {
    const std::string plain = withoutEscapes(output.text);
    output.decoded = output.decoded || plain.size() + 6 < output.text.size();
    output.text = plain;
  }
  return output;
}

Data ShellCommand::runShell() {
  bool readsInput = true;
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = trimmedOf(word(i), "*,");
    if (one.empty()) continue;
    if (one == "-" || one == "-s" || one == "--" || one == "/dev/stdin" ||
        one == "/proc/self/fd/0") {
      if (one == "-s") break;
      continue;
    }
    if (one.starts_with("--")) {
      if (one == "--rcfile" || one == "--init-file") runFile(word(++i));
      continue;
    }
    if (one.starts_with('-') || one.starts_with('+')) {
      if (one.find('c') != npos && one.starts_with('-')) {
        Data program = i + 1 < words_.size() ? words_[i + 1] : Data();
        if (i + 3 < words_.size()) setArguments(i + 3);
        return reader_.runShellText(program, at_, input_);
      }
      if (one.find('s') != npos && one.starts_with('-')) break;
      if (one == "-o" || one == "-O") ++i;
      continue;
    }
    readsInput = !isPiped_ || words_[i].isUnseen()
                     ? false
                     : reader_.savedFile(one) == nullptr && one.find_first_of("./") == npos;
    if (!readsInput) {
      runFile(one);
      return {};
    }
    break;
  }
  if (readsInput && isPiped_) return reader_.runShellText(input_, at_, {});
  return {};
}

void ShellCommand::runInterpreter(std::string_view name) {
  const bool isPowerShell = name == "pwsh" || name == "powershell";
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string option = asciiLowered(word(i));
    const std::string_view one = word(i);
    if (one == "-" || one == "/dev/stdin") break;
    if (isPowerShell && one.starts_with('-')) {
      const std::string_view bare = std::string_view(option).substr(1);
      if (bare == "c" || bare == "command" || bare == "com") {
        reader_.runCodeText(joined(i + 1), at_);
        return;
      }
      if (bare.starts_with('e') && std::string_view("encodedcommand").starts_with(bare)) {
        Data program = i + 1 < words_.size() ? words_[i + 1] : Data();
        const std::optional<std::string> plain = decodedBase64(program.text);
        program.text = plain ? withoutZeroBytes(*plain) : std::string();
        program.decoded = true;
        reader_.runCodeText(program, at_);
        return;
      }
      if (bare == "file" || bare == "f") runFile(word(i + 1));
      if (bare == "executionpolicy" || bare == "ep" || bare == "ex" || bare == "windowstyle" ||
          bare == "w" || bare == "exec")
        ++i;
      continue;
    }
    if (one == "-m" || one == "-h" || one == "--help" || one == "--version" || one == "-V") return;
    const bool isFilter = one.starts_with('-') && !one.starts_with("--") &&
                          one.find_first_of("np") != npos && one.find('e') != npos;
    if (isFilter) return;
    if (option == "-c" || option == "-e" || option == "-r" || option == "--eval" ||
        option == "eval" || option == "-ec" || option == "--print" || option == "-p" ||
        option == "-le" || option == "-ic" || option == "-uc") {
      if (i + 1 < words_.size()) reader_.runCodeText(words_[i + 1], at_);
      return;
    }
    if (one.starts_with('-') || one == "run") continue;
    if (one.find("://") != npos && (name == "deno" || name == "bun")) {
      Data program;
      program.downloaded = true;
      program.address = one;
      reader_.report(program, at_);
    }
    runFile(one, true);
    return;
  }
  if (name == "awk") return;
  if (isPiped_) reader_.runCodeText(input_, at_);
}

void ShellCommand::runFile(std::string_view file, bool isCode) {
  file = trimmedOf(file, "*,`");
  while (file.size() > 1 && file.ends_with('.')) file.remove_suffix(1);
  const Data *known = reader_.savedFile(file);
  if (known == nullptr) return;
  Data data; // a copy, because the program may write to the file
  data.takeOriginOf(*known);
  if (reader_.spend(known->text.size())) data.text = known->text;
  if (isCode)
    reader_.runCodeText(data, at_);
  else
    reader_.runShellText(data, at_, {});
}

void ShellCommand::runWithin() {
  // Some commands run a command that is in their arguments.
  const std::string_view name = name_;
  if (name == "find") {
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (word(i) == "-exec" || word(i) == "-execdir") {
        runRest(i + 1);
        return;
      }
    return;
  }
  constexpr std::array<std::string_view, 7> takesProgram{"watch", "su",      "script", "trap",
                                                         "cmd",   "runuser", "at"};
  if (isOneOf(takesProgram, name))
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (word(i).find(' ') != npos || ((name == "cmd" || name == "watch") &&
                                        !word(i).starts_with('-') && !word(i).starts_with('/'))) {
        const Data program = name == "cmd" || name == "watch" ? joined(i) : words_[i];
        reader_.runShellText(program, at_, {});
        return;
      }
  // docker run IMAGE sh -c '…', nix-shell --run '…' and the like
  for (std::size_t i = 1; i + 2 < words_.size(); ++i)
    if (word(i + 1).starts_with('-') && word(i + 1).size() <= 4 && word(i + 1).find('c') != npos &&
        namesShell(commandName(word(i)))) {
      runRest(i);
      return;
    }
}

// ssh runs the words behind the host as a program there, and hands it its input. Without a program
// it starts a shell. Options may stand on both sides of the host.
Data ShellCommand::runOverSsh() {
  bool hasHost = false;
  std::size_t from = 1;
  for (; from < words_.size(); ++from) {
    const std::string_view one = word(from);
    if (one.starts_with('-') && one.size() > 1) // the rest of the word, or the next one, is a value
      from += one.find_first_of("BbcDEeFIiJLlmOoPpQRSWw", 1) == one.size() - 1 ? 1 : 0;
    else if (std::exchange(hasHost, true))
      break;
  }
  // A text in quotation marks is a program, also as the value of an option.
  for (std::size_t i = 1; i < words_.size(); ++i)
    if (word(i).find(' ') != npos && (i != from || words_.size() > from + 1))
      reader_.runShellText(words_[i], at_, input_);
  if (from < words_.size()) return reader_.runShellText(joined(from), at_, input_);
  return isPiped_ && hasHost ? reader_.runShellText(input_, at_, {}) : Data();
}

// Carries out the command that begins with this word.
void ShellCommand::runRest(std::size_t from) {
  drop(from);
  ++reader_.depth_;
  ShellCommand(reader_, std::move(words_), input_, isPiped_, at_).carryOut();
  --reader_.depth_;
  words_.clear();
}

void ShellCommand::copyFile() {
  std::vector<std::string_view> operands;
  for (std::size_t i = 1; i < words_.size(); ++i)
    if (word(i) == "-m" || word(i) == "-t" || word(i) == "-o" || word(i) == "-g")
      ++i;
    else if (!word(i).starts_with('-'))
      operands.push_back(word(i));
  if (operands.size() < 2) return;
  for (std::size_t i = 0; i + 1 < operands.size(); ++i)
    if (const Data *known = reader_.savedFile(operands[i])) {
      Data data = *known;
      data.executable = data.executable || name_ == "install";
      reader_.save(operands.back(), data);
    }
}

// Gives a function or program its arguments: the words from `from` on.
void ShellCommand::setArguments(std::size_t from) {
  from = std::min(from, words_.size());
  std::size_t work = 0;
  for (std::size_t i = from; i < words_.size(); ++i) work += words_[i].bytes();
  std::vector<Data> &arguments = reader_.arrays_["@"];
  arguments.clear();
  if (!reader_.spend(work)) return;
  arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.end());
  nameArguments(arguments);
}

// Sets `$1` to `$9`.
void ShellCommand::nameArguments(const std::vector<Data> &arguments) {
  for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 9); ++i)
    reader_.assign(std::to_string(i + 1), arguments[i]);
}

// Takes as many arguments away as `shift` says.
void ShellCommand::shiftArguments() {
  const auto all = reader_.arrays_.find("@");
  if (all == reader_.arrays_.end()) return;
  std::vector<Data> &arguments = all->second;
  std::size_t count = 1;
  const std::string_view number = word(1);
  std::from_chars(number.data(), number.data() + number.size(), count);
  // The arguments that are left are moved, and their texts are not copied.
  if (count > arguments.size() || !reader_.spend(sizeof(Data) * (arguments.size() - count))) return;
  arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(count));
  nameArguments(arguments);
}

Data ShellCommand::carryOut() {
  if (words_.empty()) return {};
  if (reader_.depth_ >= CommandReader::maxDepth) {
    reader_.isCutShort_ = true;
    return {};
  }
  if (!unwrap()) return output_;
  if (words_[0].isUnseen()) reader_.report(words_[0], at_);
  // A download is run under whatever name it has.
  if (const Data *file = reader_.savedFile(word(0));
      file != nullptr && file->isUnseen() && word(0).find('/') != npos) {
    runFile(word(0));
    return {};
  }
  const std::string_view name = name_;
  if (const auto alias = reader_.aliases_.find(name); alias != reader_.aliases_.end()) {
    std::string program = alias->second;
    if (program != name) {
      for (std::size_t i = 1; i < words_.size(); ++i)
        program.append(" '").append(words_[i].text).append("'");
      const std::string kept = std::exchange(alias->second, name_); // no alias of itself
      Data output = reader_.readNestedShell(program, at_, input_);
      reader_.assign(reader_.aliases_, name, kept);
      return output;
    }
  }
  if (const auto function = reader_.functions_.find(name); function != reader_.functions_.end()) {
    setArguments(1);
    if (!reader_.running_.insert(name_).second) return {}; // its body is being read
    const std::string body = function->second;
    Data output = reader_.readNestedShell(body, at_, input_);
    reader_.running_.erase(name_);
    return output;
  }

  if (namesShell(name)) return runShell();
  if (namesInterpreter(name)) {
    runInterpreter(name);
    return {};
  }
  if (name == "eval") return reader_.runShellText(joined(1), at_, input_);
  if (name == "source" || name == ".") {
    if (word(1) == "/dev/stdin" && isPiped_) return reader_.runShellText(input_, at_, {});
    runFile(word(1));
    return {};
  }
  if (name == "iex" || name == "invoke-expression") {
    reader_.runCodeText(words_.size() > 1 ? joined(1) : input_, at_);
    return {};
  }
  if (isOneOf(downloaders, name)) return fetch(name);
  if (name == "base64" || name == "base32" || name == "basenc" || name == "xxd" ||
      name == "openssl" || name == "uudecode")
    return decode(name);
  if (name == "echo" || name == "printf" || name == "write-output") return print(name);
  if (isOneOf(filters, name)) return filter(name);
  if (isOneOf(archivers, name)) return unpack(name);
  if (name == "ssh") return runOverSsh();
  if (name == "unset") {
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (word(i) == "IFS") reader_.separateBy({});
    return {};
  }
  if (name == "alias" || name == "export" || name == "local" || name == "declare" ||
      name == "readonly" || name == "typeset" || name == "set") {
    if (name == "set" && word(1) == "--") {
      setArguments(2);
      return {};
    }
    const bool mayRefer = name == "declare" || name == "local" || name == "typeset";
    bool isReference = false; // `declare -n name=other`
    for (std::size_t i = 1; i < words_.size(); ++i) {
      isReference =
          isReference || (mayRefer && word(i).starts_with('-') && word(i).find('n') != npos);
      const std::size_t equals = words_[i].text.find('=');
      if (equals == npos || equals == 0) continue;
      const std::string key = words_[i].text.substr(0, equals);
      Data value = words_[i];
      value.text.erase(0, equals + 1);
      reader_.isCutShort_ = reader_.isCutShort_ || (name == "alias" && value.isCut);
      if (name == "alias")
        reader_.assign(reader_.aliases_, asciiLowered(key), value.text);
      else if (isReference)
        reader_.assign(reader_.references_, key, value.text);
      else {
        if (key == "IFS" && name != "set") reader_.separateBy(value.text);
        reader_.assign(key, std::move(value));
      }
    }
    return {};
  }
  if (name == "read" || name == "mapfile" || name == "readarray") {
    for (std::size_t i = words_.size(); i-- > 1;)
      if (!word(i).starts_with('-') && !word(i).empty()) {
        reader_.assign(word(i), input_);
        return {};
      }
    return {};
  }
  if (name == "shift") {
    shiftArguments();
    return {};
  }
  if (name == "mv" || name == "cp" || name == "install" || name == "ln" || name == "move" ||
      name == "copy") {
    copyFile();
    return {};
  }
  if (isOneOf(verifiers, name)) {
    return verify(name);
  }
  if (name == "chmod") {
    const std::string all = joined(1).text;
    if (all.find('x') != npos || all.find('7') != npos || all.find('5') != npos)
      for (std::size_t i = 2; i < words_.size(); ++i)
        if (const Data *known = reader_.savedFile(word(i))) {
          Data data = *known;
          data.executable = true;
          reader_.save(word(i), data);
        }
    return {};
  }
  if (isOneOf(launchers, name)) {
    for (std::size_t i = 1; i < words_.size(); ++i)
      if (reader_.savedFile(word(i)) != nullptr) runFile(word(i));
    return {};
  }
  runWithin();
  // A path that is run.
  const std::string_view path = word(0);
  const bool isPath = path.find('/') != npos || path.find('\\') != npos || path.ends_with(".exe") ||
                      path.ends_with(".bat") || path.ends_with(".cmd") || path.ends_with(".ps1");
  const Data *installed = reader_.savedFile(path);
  if (isPath || (installed != nullptr && installed->executable)) runFile(path);
  return {};
}

Data carryOut(CommandReader &reader, std::vector<Data> words, const Data &input, bool isPiped,
              std::size_t at) {
  return ShellCommand(reader, std::move(words), input, isPiped, at).carryOut();
}

} // namespace skillhost
