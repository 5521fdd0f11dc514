// SPDX-License-Identifier: Apache-2.0
// Knows what the usual calls of programming languages do with data: they fetch, decode, save, join
// or run it.
#include "code_program.hpp"

#include "shell_program.hpp"
#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::array<std::string_view, 27> decoders{"b64decode",
                                                    "urlsafe_b64decode",
                                                    "standard_b64decode",
                                                    "b32decode",
                                                    "b16decode",
                                                    "b85decode",
                                                    "a85decode",
                                                    "unhexlify",
                                                    "fromhex",
                                                    "decompress",
                                                    "atob",
                                                    "base64_decode",
                                                    "gzinflate",
                                                    "gzuncompress",
                                                    "decode64",
                                                    "strict_decode64",
                                                    "urlsafe_decode64",
                                                    "decode_base64",
                                                    "frombase64string",
                                                    "fromcharcode",
                                                    "decrypt",
                                                    "loads_marshal",
                                                    "str_rot13",
                                                    "hex2bin",
                                                    "gunzipsync",
                                                    "inflatesync",
                                                    "chr"};

} // namespace

CodeProgram::Operand CodeProgram::call(Frame &frame) {
  if (!definition_.empty()) {
    beginFunction(std::exchange(definition_, {}), frame.names);
    return {};
  }
  std::string callee = frame.receiver.alias.empty() ? frame.receiver.name : frame.receiver.alias;
  std::string last = lastName(callee);
  if ((last == "call" || last == "apply") && callee.size() > last.size() + 1 &&
      frame.arguments.size() > 1) { // `eval.call(null, x)`
    const std::string owner = callee.substr(0, callee.size() - last.size() - 1);
    if (owner == "eval" || owner == "newfunction") {
      callee = last = owner;
      frame.arguments.erase(frame.arguments.begin());
    }
  }
  Operand result;
  result.exists = true;
  result.name = callee;
  if (!frame.arguments.empty() &&
      (callee == "require" || callee == "__import__" || last == "import_module")) {
    std::string module = asciiLowered(frame.arguments[0].data.text);
    if (module.starts_with("node:")) module.erase(0, 5);
    if (reader_.savedFile(module) != nullptr) {
      Operand program;
      program.data = *reader_.savedFile(module);
      runCode(program);
    }
    result.name = module;
    return result;
  }
  if (callee == "getattr" && frame.arguments.size() > 1) {
    result.name = frame.arguments[0].name + '.' + asciiLowered(frame.arguments[1].data.text);
    return result;
  }
  if (callee == "function" || last == "lambda") {
    bindParameters(frame.names);
    return {};
  }
  if (callDecoder(callee, last, frame, result) || callDownload(callee, last, frame, result) ||
      callFile(callee, last, frame, result) || callText(last, frame, result) ||
      callRunner(callee, last, frame, result))
    return result;
  // Any other function passes its data on.
  result.data.takeOriginOf(frame.receiver.data);
  result.file = frame.receiver.file;
  result.isMixed = frame.receiver.isMixed;
  if (!frame.receiver.data.text.empty()) result.data.text = frame.receiver.data.text;
  for (const Operand &one : frame.arguments) {
    result.isMixed = result.isMixed || one.isMixed;
    result.data.takeOriginOf(one.data);
    if (result.data.text.empty() && frame.arguments.size() == 1) result.data.text = one.data.text;
  }
  return result;
}

bool CodeProgram::callDownload(const std::string &callee, const std::string &last,
                               const Frame &frame, Operand &result) {
  const std::string_view address =
      frame.arguments.empty() ? std::string_view() : frame.arguments[0].data.text;
  constexpr std::array<std::string_view, 14> always{
      "urlopen",     "fetch",    "downloadstring",    "downloaddata",
      "getresponse", "recv",     "getstringasync",    "getbytearrayasync",
      "axios",       "openread", "invoke-webrequest", "invoke-restmethod",
      "iwr",         "irm"};
  constexpr std::array<std::string_view, 10> clients{"requests", "httpx",      "axios",  "got",
                                                     "session",  "superagent", "needle", "client",
                                                     "http",     "https"};
  bool is = isOneOf(always, last);
  if (!is && (last == "get" || last == "post" || last == "request" || last == "stream")) {
    const std::string owner =
        callee.substr(0, callee.size() - std::min(callee.size(), last.size() + 1));
    is = address.find("://") != npos || isOneOf(clients, lastName(owner));
  }
  if (!is && (last == "file_get_contents" || last == "open" || last == "got" || last == "needle"))
    is = address.find("://") != npos;
  if (!is) return false;
  result.data.downloaded = true;
  result.data.address = address;
  // A client that is asked for a path of its own host.
  if (frame.arguments.size() > 1 && address.find("://") == npos)
    for (const Operand &one : frame.arguments)
      if (one.data.text.find("://") != npos) result.data.address = one.data.text;
  return true;
}

bool CodeProgram::callDecoder(const std::string &callee, const std::string &last,
                              const Frame &frame, Operand &result) {
  bool is = isOneOf(decoders, last) || callee == "marshal.loads" || callee == "codecs.decode";
  const std::string second =
      frame.arguments.size() > 1 ? asciiLowered(frame.arguments[1].data.text) : std::string();
  if (callee == "buffer.from" || callee == "new buffer" || last == "unpack")
    is = second == "base64" || second == "hex" || second == "base64url" || last == "unpack";
  if (callee == "bytes" || callee == "bytearray")
    is = !frame.arguments.empty() && frame.arguments[0].list && frame.arguments[0].list->size() > 7;
  if (!is) return false;
  Data source;
  if (!frame.arguments.empty()) source = frame.arguments[0].data;
  std::optional<std::string> plain;
  if (last == "unhexlify" || last == "fromhex" || last == "hex2bin" || second == "hex")
    plain = decodedHexadecimal(source.text);
  else if (last == "b32decode")
    plain = decodedBase32(source.text);
  else if (last.find("64") != std::string::npos || last == "atob" || second == "base64")
    plain = decodedBase64(source.text);
  result.data.takeOriginOf(source);
  result.data.decoded = true;
  if (plain) result.data.text = last == "frombase64string" ? withoutZeroBytes(*plain) : *plain;
  return true;
}

bool CodeProgram::callFile(const std::string &callee, const std::string &last, const Frame &frame,
                           Operand &result) {
  const auto text = [&](std::size_t i) {
    if (i >= frame.arguments.size()) return std::string();
    const Operand &one = frame.arguments[i];
    return one.file.empty() ? one.data.text : one.file;
  };
  const auto data = [&](std::size_t i) {
    return i < frame.arguments.size() ? frame.arguments[i].data : Data();
  };
  if (last == "urlretrieve" || last == "downloadfile" || callee == "wget.download") {
    Data download;
    download.downloaded = true;
    download.address = text(0);
    reader_.save(text(1), download);
    return true;
  }
  if (last == "writefilesync" || last == "writefile" || last == "file_put_contents" ||
      callee == "file.write" || callee == "io.write" || last == "appendfilesync") {
    reader_.save(text(0), data(1));
    return true;
  }
  if (callee == "open" || callee == "file.open" || callee == "path" || callee == "pathlib.path" ||
      last == "createwritestream" || callee == "io.open" || last == "readfilesync" ||
      callee == "aiofiles.open") {
    // Only the name counts, and a file with a longer one is not saved.
    result.file = text(0);
    if (result.file.size() > 256) result.file.erase(0, result.file.size() - 256);
    if (const Data *known = reader_.savedFile(result.file)) result.data = *known;
    return true;
  }
  const std::string &file = frame.receiver.file;
  if (!file.empty() && (last == "write" || last == "write_bytes" || last == "write_text" ||
                        last == "writelines" || last == "binwrite")) {
    if (data(0).isUnseen() || !data(0).text.empty()) reader_.save(file, data(0));
    return true;
  }
  if (last == "pipe" && !text(0).empty() && frame.receiver.data.isUnseen()) {
    reader_.save(text(0), frame.receiver.data);
    return true;
  }
  if (last == "copyfileobj" && frame.arguments.size() > 1 && data(0).isUnseen()) {
    reader_.save(text(1), data(0));
    return true;
  }
  if (last == "run_path" || last == "execfile" || last == "spec_from_file_location" ||
      last == "import-module" || callee == "load" || last == "startfile") {
    for (std::size_t i = 0; i < frame.arguments.size(); ++i)
      if (const Data *known = reader_.savedFile(text(i))) {
        Operand program;
        program.data = *known;
        runCode(program);
        return true;
      }
  }
  return false;
}

bool CodeProgram::callText(const std::string &last, const Frame &frame, Operand &result) {
  const Operand &receiver = frame.receiver;
  const auto text = [&](std::size_t i) {
    return i < frame.arguments.size() ? frame.arguments[i].data.text : std::string();
  };
  if (last == "join") {
    const bool ofList = receiver.list != nullptr;
    const Operand &list = ofList || frame.arguments.empty() ? receiver : frame.arguments[0];
    if (list.list == nullptr) return false;
    const std::string separator = ofList ? text(0) : receiver.data.text;
    if (!reader_.spend(list.list->size() * (separator.size() + 1))) return true;
    for (std::size_t i = 0; i < list.list->size(); ++i) {
      if (i > 0) result.data.add(separator);
      result.data.add((*list.list)[i].text);
    }
    result.data.takeOriginOf(list.data);
    return true;
  }
  if (last == "split") {
    result = receiver;
    return true;
  }
  if (last == "reverse" || last == "strrev" || last == "reversed") {
    result.data = frame.arguments.empty() ? receiver.data : frame.arguments[0].data;
    result.data.text = reversed(result.data.text);
    if (receiver.list != nullptr && reader_.spend(receiver.list->size() * sizeof(Data)))
      result.list =
          std::make_shared<const std::vector<Data>>(receiver.list->rbegin(), receiver.list->rend());
    result.data.decoded = result.data.decoded || !result.data.text.empty();
    return true;
  }
  if (last == "replace" && frame.arguments.size() > 1 && !text(0).empty() &&
      text(0).find('\x01') == std::string::npos) {
    result.data = receiver.data;
    result.isMixed = receiver.isMixed;
    result.data.text =
        substituted(receiver.data.text, "s\x01" + text(0) + '\x01' + text(1) + "\x01g");
    return true;
  }
  if (last == "concat") {
    result.data = receiver.data;
    for (const Operand &one : frame.arguments) result.data.add(one.data.text);
    return true;
  }
  if (last == "format" && !receiver.data.text.empty()) {
    std::string_view rest = receiver.data.text;
    std::size_t next = 0;
    for (std::size_t at = rest.find("{}"); at != npos; at = rest.find("{}")) {
      result.data.add(rest.substr(0, at));
      result.data.add(text(next++));
      rest.remove_prefix(at + 2);
    }
    result.data.add(rest);
    return true;
  }
  return false;
}

bool CodeProgram::callRunner(const std::string &callee, const std::string &last, const Frame &frame,
                             Operand &result) {
  const std::string owner =
      lastName(callee.substr(0, callee.size() - std::min(callee.size(), last.size() + 1)));
  if (last == "communicate" || callee.ends_with("stdin.write") || callee.ends_with("stdin.end")) {
    if (frame.receiver.isShell) {
      const Operand &given =
          frame.input.exists || frame.arguments.empty() ? frame.input : frame.arguments[0];
      runShell(given, {});
    }
    return true;
  }
  if (frame.arguments.empty()) return false;
  const Operand &first = frame.arguments[0];
  constexpr std::array<std::string_view, 10> codeRunners{
      "eval",         "newfunction",    "runinthiscontext",  "runinnewcontext",
      "runincontext", "instance_eval",  "invoke-expression", "iex",
      "class_eval",   "create_function"};
  const bool isBuiltIn = owner.empty() || owner == "builtins" || owner == "__builtins__" ||
                         owner == "window" || owner == "globalthis" || owner == "global" ||
                         owner == "vm" || owner == "self" || owner == "kernel";
  if ((isOneOf(codeRunners, last) && (isBuiltIn || last.starts_with("runin"))) ||
      callee == "assert" || callee == "vm.script" || callee == "scriptblock.create" ||
      (last == "create" && callee.find("scriptblock") != std::string::npos) ||
      (last == "compile" && owner == "module")) {
    runCode(frame.arguments.back().data.isUnseen() ? frame.arguments.back() : first);
    return true;
  }
  if (callee == "compile" || last == "module_from_spec") { // passes the program on
    result.data = first.data;
    return true;
  }
  if (last == "exec" || last == "execsync") {
    const bool isShell = last == "execsync" || owner == "child_process" || owner == "cp" ||
                         owner == "shell" || owner == "shelljs" || owner == "runtime" ||
                         callee.find("getruntime") != std::string::npos;
    if (!isBuiltIn && !isShell) return false;
    if (isShell) {
      result = runShell(first, {});
    } else if (!runsParameter(first, "exec")) {
      runCode(first);
      if (!first.data.isUnseen()) result = runShell(first, {});
    }
    return true;
  }
  constexpr std::array<std::string_view, 17> shellRunners{
      "system",       "popen",         "shell_exec",
      "passthru",     "getoutput",     "getstatusoutput",
      "check_output", "check_call",    "create_subprocess_shell",
      "proc_open",    "start-process", "exec_command",
      "spawnsync",    "execfile",      "execfilesync",
      "spawn",        "execa"};
  const bool isProcess = (last == "run" || last == "call") &&
                         (owner == "subprocess" || owner == "sp" || owner == "asyncio");
  const bool startsProcess = last == "start" && owner == "process";
  const bool isGo = callee == "exec.command";
  const bool soundsLikeRunner =
      !isProcess && owner != "console" && owner != "logger" && !first.data.text.empty() &&
      first.data.text.find(' ') != std::string::npos &&
      (last.find("run") != std::string::npos || last.find("exec") != std::string::npos ||
       last.find("shell") != std::string::npos || last.find("cmd") != std::string::npos);
  if (!isOneOf(shellRunners, last) && !isProcess && !startsProcess && !isGo && !soundsLikeRunner &&
      callee != "subprocess.popen")
    return false;
  Operand program = first;
  const bool takesWords = last == "spawn" || last == "spawnsync" || last.starts_with("execfile") ||
                          last == "execa" || isGo || last == "start-process" || startsProcess;
  if (takesWords && program.list == nullptr && frame.arguments.size() > 1) {
    std::vector<Data> words{first.data};
    for (std::size_t i = 1; i < frame.arguments.size(); ++i) {
      const Operand &one = frame.arguments[i];
      if (one.list != nullptr && reader_.spend(one.list->size() * sizeof(Data)))
        words.insert(words.end(), one.list->begin(), one.list->end());
      else if (!one.data.text.empty() || one.data.isUnseen())
        words.push_back(one.data);
    }
    program.list = std::make_shared<const std::vector<Data>>(std::move(words));
  }
  result = runShell(program, frame.input);
  const std::string &command =
      program.list && !program.list->empty() ? program.list->front().text : program.data.text;
  result.isShell = command.ends_with("sh") && command.size() < 16;
  result.exists = true;
  return true;
}

void CodeProgram::runCode(const Operand &program) {
  if (runsParameter(program, "exec")) return;
  if (const Data *file = reader_.savedFile(program.data.text)) reader_.report(*file, place());
  reader_.runCodeText(program.data, place());
}

CodeProgram::Operand CodeProgram::runShell(const Operand &program, const Operand &input) {
  Operand result;
  result.exists = true;
  if (program.list != nullptr) {
    reader_.isCutShort_ = reader_.isCutShort_ || program.data.isCut;
    if (!program.list->empty() && reader_.spend(program.list->size() * sizeof(Data)))
      result.data = carryOut(reader_, *program.list, input.data, input.exists, place());
    return result;
  }
  if (runsParameter(program, "os.system")) return result;
  if (!program.isMixed)
    result.data = reader_.runShellText(program.data, place(), input.data);
  else if (!program.data.text.empty())
    result.data = reader_.readNestedShell(program.data.text, place(), input.data);
  return result;
}

} // namespace skillhost
