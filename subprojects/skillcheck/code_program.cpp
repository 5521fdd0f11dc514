// SPDX-License-Identifier: Apache-2.0
#include "code_program.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxFrameLines = 1000; // lines; a longer one was never closed
constexpr std::size_t maxFrames = 64;
constexpr std::size_t maxArguments = 1024;
constexpr std::size_t maxVariables = 4096;

bool isWordByte(char c) noexcept { return letter(c) || digit(c) || c == '_' || c == '$'; }

constexpr std::array<std::string_view, 33> keywords{
    "if",     "elif",   "else",   "while",  "return",  "await", "async",  "new",  "try",
    "except", "catch",  "switch", "and",    "or",      "not",   "const",  "let",  "var",
    "my",     "local",  "static", "public", "private", "yield", "typeof", "void", "do",
    "then",   "unless", "begin",  "end",    "with",    "using"};
constexpr std::array<std::string_view, 10> downloadCommands{
    "iwr",  "irm",      "invoke-webrequest",  "invoke-restmethod", "curl",
    "wget", "curl.exe", "start-bitstransfer", "wget.exe",          "bitsadmin"};

} // namespace

std::string CodeProgram::lastName(const std::string &name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

char CodeProgram::nextByte() const noexcept {
  std::size_t at = at_;
  while (byte(at) == ' ' || byte(at) == '\t') ++at;
  return byte(at);
}

void CodeProgram::skipLine() noexcept { at_ = std::min(in_.find('\n', at_), in_.size()); }

void CodeProgram::run() {
  while (at_ < in_.size() && !reader_.isExhausted()) {
    const char c = in_[at_];
    if (c == '\n') {
      if (!frames_.empty() && ++frameLines_ > maxFrameLines) giveUpFrames();
      ++at_;
      const char next = nextByte();
      const bool goesOn = next == '.' || next == '|' || next == '+';
      if (!goesOn && (frames_.empty() || frames_.back().kind == '{')) endStatement();
      if (next == '!' && frames_.empty()) { // a command in a notebook
        at_ = in_.find('!', at_) + 1;
        const std::size_t begin = at_;
        skipLine();
        reader_.readNestedShell(in_.substr(begin, at_ - begin), place(), {});
      }
    } else if (c == '#' || (c == '/' && byte(at_ + 1) == '/')) {
      skipLine();
    } else if (c == '/' && byte(at_ + 1) == '*') {
      const std::size_t end = hasNoCommentEnd_ ? npos : in_.find("*/", at_ + 2);
      hasNoCommentEnd_ = end == npos;
      at_ = end == npos ? at_ + 2 : end + 2;
    } else if (c == '"' || c == '\'' || c == '`') {
      readString(false, c == '`' || c == '"');
    } else if (letter(c) || c == '_' || c == '$') {
      readName();
    } else if (digit(c)) {
      while (isWordByte(byte(at_)) || byte(at_) == '.') ++at_;
      if (!operand_.exists) operand_.exists = true;
    } else {
      readPunctuation(c);
    }
  }
  while (!frames_.empty())
    close(frames_.back().kind == '(' ? ')' : frames_.back().kind == '[' ? ']' : '}');
  endStatement();
}

std::size_t CodeProgram::endOfString(char quote, bool isTriple) noexcept {
  std::size_t &unclosedUntil = unclosedUntil_[quote == '"'    ? 0
                                              : quote == '\'' ? 1
                                                              : 2][isTriple ? 1 : 0];
  if (at_ < unclosedUntil) return npos;
  std::size_t end = at_ + (isTriple ? 3 : 1);
  for (; end < in_.size(); ++end) {
    if (in_[end] == '\\')
      ++end;
    else if (in_[end] == '\n' && !isTriple && quote != '`')
      break;
    else if (in_[end] == quote && (!isTriple || (byte(end + 1) == quote && byte(end + 2) == quote)))
      return end;
  }
  unclosedUntil = end;
  return npos;
}

void CodeProgram::readString(bool isRaw, bool isTemplate) {
  const char quote = in_[at_];
  const bool isTriple = quote != '`' && byte(at_ + 1) == quote && byte(at_ + 2) == quote;
  const std::size_t begin = at_ + (isTriple ? 3 : 1);
  const std::size_t end = endOfString(quote, isTriple);
  if (end == npos) { // no string
    ++at_;
    return;
  }
  const std::string_view raw = in_.substr(begin, end - begin);
  at_ = end + (isTriple ? 3 : 1);
  std::string text = isRaw || raw.find('\\') == npos ? std::string(raw) : withoutEscapes(raw);
  if (isTemplate && text.find_first_of("{$") != npos) text = expanded(text);
  const bool isAdjacent = operand_.exists && operand_.name.empty() && operand_.list == nullptr;
  if (!isAdjacent) operand_ = {};
  operand_.exists = true;
  operand_.data.add(text);
}

// Replaces `{name}`, `${name}` and `$name` by the values of variables, if these are known.
std::string CodeProgram::expanded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' && text[i] != '{') {
      out += text[i];
      continue;
    }
    const std::size_t open =
        text[i] == '$' && i + 1 < text.size() && text[i + 1] == '{' ? i + 1 : i;
    std::size_t end = open + 1;
    while (end < text.size() && isWordByte(text[end])) ++end;
    const bool isBraced = text[open] == '{' && end < text.size() && text[end] == '}';
    if ((text[i] != '$' && !isBraced) || end == open + 1) {
      out += text[i];
      continue;
    }
    const std::string name = asciiLowered(text.substr(open + 1, end - open - 1));
    const Operand *known = variable(name);
    if (known != nullptr && !known->data.text.empty() && reader_.spend(known->data.text.size()))
      out += known->data.text;
    else
      out.append("$").append(name);
    i = isBraced ? end : end - 1;
  }
  return out;
}

void CodeProgram::readName() {
  const std::size_t begin = at_;
  while (isWordByte(byte(at_))) ++at_;
  // The verb and noun of a cmdlet.
  std::string name = asciiLowered(in_.substr(begin, at_ - begin));
  if (in_.substr(begin, at_ - begin) == "Function") name = "newfunction";
  if (byte(at_) == '-' && letter(byte(at_ + 1)) &&
      (name == "invoke" || name == "start" || name == "new" || name == "import" || name == "out" ||
       name == "set" || name == "get" || name == "add")) {
    const std::size_t from = at_;
    ++at_;
    while (letter(byte(at_))) ++at_;
    name += asciiLowered(in_.substr(from, at_ - from));
  }
  if (name.starts_with('$')) name.erase(0, 1);
  const char next = byte(at_);
  if ((next == '"' || next == '\'') && name.size() <= 2 &&
      name.find_first_not_of("bfru") == std::string::npos) {
    readString(name.find('r') != std::string::npos, name.find('f') != std::string::npos);
    return;
  }
  const char before = begin == 0 ? '\0' : in_[begin - 1];
  const bool isMember =
      before == '.' ||
      (begin > 1 && (in_.substr(begin - 2, 2) == "::" || in_.substr(begin - 2, 2) == "->"));
  if (isMember && operand_.exists) {
    readMember(name);
    return;
  }
  if (isOneOf(keywords, name)) return;
  if (name == "as" && operand_.exists) {
    const char first = nextByte();
    if (letter(first) || first == '_') {
      while (byte(at_) == ' ') ++at_;
      const std::size_t from = at_;
      while (isWordByte(byte(at_))) ++at_;
      assign(asciiLowered(in_.substr(from, at_ - from)), operand_);
    }
    return;
  }
  if ((name == "in" || name == "of") && !operand_.name.empty()) {
    targets_ = {operand_.name};
    operand_ = {};
    return;
  }
  if (name == "from" || name == "import") {
    operand_ = {};
    if (frames_.empty() && nextByte() != '(') readImport();
    return;
  }
  if (name == "lambda" && !targets_.empty()) {
    readLambda();
    return;
  }
  if ((name == "def" || name == "function") && letter(nextByte())) {
    while (byte(at_) == ' ' || byte(at_) == '\t') ++at_;
    const std::size_t from = at_;
    while (isWordByte(byte(at_))) ++at_;
    definition_ = asciiLowered(in_.substr(from, at_ - from));
    operand_ = {};
    operand_.name = definition_;
    operand_.exists = true;
    return;
  }
  const char following = nextByte();
  const bool takesWords = following != '(' && following != '.' && following != '=' &&
                          following != ',' && following != ')' && following != ':';
  if (takesWords && isOneOf(downloadCommands, name)) {
    readDownloadCommand(name);
    return;
  }
  if (takesWords &&
      (name == "start-process" || name == "saps" || name == "import-module" || name == "start")) {
    const std::size_t from = at_;
    at_ = std::min(in_.find_first_of("\n;|", at_), in_.size());
    std::string command = "start " + expanded(in_.substr(from, at_ - from));
    std::replace(command.begin(), command.end(), '\\', '/');
    reader_.readNestedShell(command, place(), {});
    return;
  }
  if (following != '.' && following != '=' && following != ':') {
    if (name == "iex" || name == "invoke-expression") {
      if (piped_.exists) runCode(piped_);
      runs_ = Runs::Code;
      return;
    }
    if (std::string_view("(),\n;#/}]").find(following) == npos && following != '\0' &&
        !operand_.exists) {
      if (name == "eval") runs_ = Runs::Code;
      if (name == "system" || name == "exec") runs_ = Runs::Shell;
      if (runs_ != Runs::Nothing) return;
    }
  }
  // The old value is not read before `+=`: a text that grows line by line is not copied for each.
  const bool isAppendedTo = following == '+' && in_.substr(in_.find('+', at_), 2) == "+=";
  const Operand *known = isAppendedTo ? nullptr : mention(name);
  operand_ = known != nullptr ? *known : Operand();
  operand_.name = std::move(name);
  operand_.exists = true;
}

// Skips an import, and knows the names that it gives: `from os import system as run`.
void CodeProgram::readImport() {
  const std::size_t end = std::min(in_.find_first_of(";\n", at_), in_.size());
  const std::string text = asciiLowered(in_.substr(at_, end - at_));
  at_ = end;
  std::string_view rest = text;
  std::string_view module = rest.substr(0, rest.find_last_of("\"'"));
  module.remove_prefix(std::min(module.find_last_of("\"'") + 1, module.size()));
  if (module.starts_with("node:")) module.remove_prefix(5);
  constexpr std::string_view as = " as ";
  for (std::size_t found = rest.find(as); found != npos; found = rest.find(as)) {
    const std::string_view before = trimmedSpacesAndTabs(rest.substr(0, found));
    const std::string_view original = before.substr(before.find_last_of(" ,{\t") + 1);
    rest = trimmedSpacesAndTabs(rest.substr(found + as.size()));
    std::size_t length = 0;
    while (length < rest.size() && isWordByte(rest[length])) ++length;
    assignAlias(std::string(rest.substr(0, length)),
                std::string(original == "*" ? module : original));
  }
}

// Reads the parameters of `f = lambda a, b:`.
void CodeProgram::readLambda() {
  const std::size_t end = in_.find_first_of(":\n", at_);
  if (end == npos || in_[end] == '\n') return;
  std::vector<std::string> names;
  while (at_ < end) {
    const std::size_t from = at_;
    while (isWordByte(byte(at_))) ++at_;
    if (at_ > from && names.size() < 16)
      names.push_back(asciiLowered(in_.substr(from, at_ - from)));
    if (at_ == from) ++at_;
  }
  at_ = end + 1;
  beginFunction(targets_.front(), std::move(names));
  targets_.clear();
}

void CodeProgram::beginFunction(std::string name, std::vector<std::string> parameters) {
  function_ = std::move(name);
  parameters_ = std::move(parameters);
}

// Returns true if the program is a parameter of the function that is defined here, so that each
// call of the function is one of the runner.
bool CodeProgram::runsParameter(const Operand &program, std::string_view runner) {
  if (!program.data.text.empty() || program.data.isUnseen() || function_.empty() ||
      std::find(parameters_.begin(), parameters_.end(), program.name) == parameters_.end())
    return false;
  assignAlias(function_, std::string(runner));
  return true;
}

void CodeProgram::assignAlias(const std::string &name, std::string alias) {
  Operand value;
  value.exists = true;
  value.name = std::move(alias);
  const bool wasAppended = std::exchange(isAppended_, false);
  assign(name, value);
  isAppended_ = wasAppended;
}

// Returns a variable that is copied, or nullptr.
const CodeProgram::Operand *CodeProgram::mention(const std::string &name) {
  const Operand *known = variable(name);
  return known != nullptr && reader_.spend(known->bytes()) ? known : nullptr;
}

// Forgets all frames, because they do not seem to be closed. If one may run something, that is not
// read.
void CodeProgram::giveUpFrames() {
  constexpr std::array<std::string_view, 7> runners{
      "exec", "eval", "execsync", "system", "popen", "newfunction", "invoke-expression"};
  for (const Frame &frame : frames_)
    if (frame.kind == '(' && isOneOf(runners, lastName(frame.receiver.name)))
      reader_.isCutShort_ = true;
  frames_.clear();
  left_ = {};
}

void CodeProgram::readMember(const std::string &name) {
  if (name == "responsetext") operand_.data.downloaded = true;
  if (operand_.name.size() + name.size() > 128) operand_.name.clear();
  std::string whole = operand_.name.empty() ? name : operand_.name + '.' + name;
  std::string alias = operand_.alias.empty() || operand_.alias.size() + name.size() > 128
                          ? std::string()
                          : operand_.alias + '.' + name;
  if (const Operand *known = mention(whole)) {
    operand_ = *known;
    alias = operand_.alias;
  }
  operand_.exists = true;
  operand_.name = std::move(whole);
  operand_.alias = std::move(alias);
}

// Reads the words behind `iwr`, `curl` and the like, as PowerShell does.
void CodeProgram::readDownloadCommand(const std::string &name) {
  const std::size_t begin = at_;
  std::size_t depth = 0;
  char quote = 0;
  for (; at_ < in_.size(); ++at_) {
    const char c = in_[at_];
    if (c == '\n') break;
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '{') ++depth;
    if ((c == ')' || c == '}') && depth-- == 0) break;
    if ((c == '|' || c == ';') && depth == 0) break;
  }
  const std::string words = expanded(in_.substr(begin, at_ - begin));
  const std::string lower = asciiLowered(words);
  if (lower.find('/') == npos && lower.find('.') == npos && lower.find('$') == npos) {
    operand_ = {};
    return;
  }
  Operand result;
  result.exists = true;
  result.data.downloaded = true;
  result.data.address = words;
  for (const std::string_view option : {"-outfile", "-destination", "-o ", "-out "}) {
    const std::size_t found = lower.find(option);
    if (found == npos) continue;
    const std::string_view rest =
        trimmedOf(std::string_view(words).substr(found + option.size()), " \t\"':");
    reader_.save(rest.substr(0, rest.find_first_of(" \t\"';|)")), result.data);
    result.data = {};
    break;
  }
  if (name == "bitsadmin") result.data = {};
  operand_ = std::move(result);
}

void CodeProgram::readPunctuation(char c) {
  switch (c) {
  case '(':
  case '[':
  case '{':
    open(c);
    return;
  case ')':
  case ']':
  case '}':
    close(c);
    ++at_;
    return;
  case ',':
    endArgument();
    break;
  case ';':
    endStatement();
    break;
  case '=':
    readAssignment();
    return;
  case '+':
    if (byte(at_ + 1) != '=') {
      merge();
      left_ = std::exchange(operand_, Operand());
    }
    break;
  case '!':
  case '<':
  case '>':
    if (byte(at_ + 1) == '=') ++at_;
    if (c != '!') operand_ = {};
    break;
  case ':':
    if (byte(at_ + 1) == ':') {
      at_ += 2;
      return;
    }
    if (!frames_.empty() && frames_.back().kind != '{') break;
    if (!frames_.empty()) frames_.back().argumentName = operand_.name;
    if (targets_.empty() || !frames_.empty())
      operand_ = {};
    else
      endStatement();
    break;
  case '|':
    if (byte(at_ + 1) == '|') {
      ++at_;
      operand_ = {};
      break;
    }
    merge();
    piped_ = std::exchange(operand_, Operand());
    break;
  case '&':
    if (byte(at_ + 1) == '&') {
      ++at_;
      operand_ = {};
    } else if (!operand_.exists && byte(at_ + 1) == ' ') {
      runs_ = Runs::Code; // PowerShell's call operator
    }
    break;
  case '.':
    // PHP joins texts by a point between blanks.
    if (byte(at_ + 1) == ' ' && operand_.exists) {
      merge();
      left_ = std::exchange(operand_, Operand());
    } else if (!operand_.exists && (byte(at_ + 1) == '/' || byte(at_ + 1) == '\\')) {
      // A file that PowerShell runs.
      const std::size_t begin = at_;
      while (at_ < in_.size() && in_[at_] != '\n' && in_[at_] != ';' && in_[at_] != ' ') ++at_;
      reader_.readNestedShell(in_.substr(begin, at_ - begin), place(), {});
      return;
    }
    break;
  default:
    break;
  }
  ++at_;
}

void CodeProgram::readAssignment() {
  if (byte(at_ + 1) == '=') {
    at_ += byte(at_ + 2) == '=' ? 3 : 2;
    operand_ = {};
    return;
  }
  if (byte(at_ + 1) == '>') {
    at_ += 2;
    const std::vector<std::string> names =
        operand_.name.empty() ? lastNames_ : std::vector<std::string>{operand_.name};
    bindParameters(names);
    if (!targets_.empty()) beginFunction(targets_.front(), names);
    targets_.clear();
    operand_ = {};
    return;
  }
  isAppended_ = at_ > 0 && in_[at_ - 1] == '+';
  ++at_;
  if (!frames_.empty() && frames_.back().kind == '(') {
    frames_.back().argumentName = operand_.name;
  } else {
    const char before = at_ > 2 && in_[at_ - 2] == ' ' ? in_[at_ - 3]
                        : at_ > 1                      ? in_[at_ - 2]
                                                       : '\0';
    if (before == '}')
      for (const auto &[name, alias] : lastRenames_) assignAlias(name, alias);
    if (before == '}' || before == ']')
      targets_ = lastNames_;
    else if (!operand_.name.empty())
      targets_ = {operand_.name};
  }
  operand_ = {};
  left_ = {};
}

// Joins the operand with what stands before the `+`.
void CodeProgram::merge() {
  if (!left_.exists) return;
  Operand whole = std::exchange(left_, Operand());
  if (operand_.exists) {
    const bool isSeen = !whole.data.text.empty() && !whole.data.isUnseen();
    whole.isMixed = whole.isMixed || operand_.isMixed || (isSeen && operand_.data.isUnseen());
    if (operand_.data.text.empty() && !operand_.data.isUnseen() && !operand_.name.empty())
      whole.data.add('$' + operand_.name);
    else
      whole.data.add(operand_.data.text);
    whole.data.takeOriginOf(operand_.data);
  }
  whole.name.clear();
  operand_ = std::move(whole);
}

void CodeProgram::open(char kind) {
  if (kind == '[' && operand_.exists && in_.substr(at_, 6) == "[::-1]") {
    operand_.data.text = reversed(operand_.data.text);
    at_ += 6;
    return;
  }
  ++at_;
  if (frames_.size() >= maxFrames) giveUpFrames();
  if (frames_.empty()) frameLines_ = 0;
  Frame frame;
  frame.kind = kind;
  if (kind != '{') frame.receiver = std::exchange(operand_, Operand());
  frame.left = std::exchange(left_, Operand());
  frame.targets = std::exchange(targets_, {});
  frame.isAppended = std::exchange(isAppended_, false);
  frame.runs = std::exchange(runs_, Runs::Nothing);
  operand_ = {};
  frames_.push_back(std::move(frame));
}

void CodeProgram::close(char kind) {
  const char opener = kind == ')' ? '(' : kind == ']' ? '[' : '{';
  // Frames that were never closed are given up if the one that fits is near.
  std::size_t depth = frames_.size();
  while (depth > 0 && frames_.size() - depth < 3 && frames_[depth - 1].kind != opener) --depth;
  if (depth == 0 || frames_[depth - 1].kind != opener) return;
  while (frames_.size() > depth) {
    if (frames_.back().kind == '{')
      endStatement();
    else
      endArgument();
    frames_.pop_back();
  }
  if (opener == '{')
    endStatement();
  else
    endArgument();
  // The names that `for (x of y)` sets.
  if (opener == '(' && !targets_.empty() && !frames_.back().arguments.empty())
    for (const std::string &target : targets_) assign(target, frames_.back().arguments.back());
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  lastNames_ = frame.names;
  lastRenames_ = std::move(frame.renames);
  targets_ = std::move(frame.targets);
  isAppended_ = frame.isAppended;
  runs_ = frame.runs;
  Operand result;
  if (opener == '(') {
    if (frame.receiver.exists)
      result = call(frame);
    else if (!frame.arguments.empty())
      result = std::move(frame.arguments.back());
  } else if (opener == '[') {
    if (frame.receiver.exists) {
      result = frame.receiver;
      if (!frame.arguments.empty() && !frame.arguments[0].data.text.empty() &&
          result.name.size() < 128) {
        std::string name = asciiLowered(frame.arguments[0].data.text);
        result.name = name == "eval" || name == "exec" ? name : result.name + '.' + name;
      }
    } else {
      std::vector<Data> list;
      list.reserve(frame.arguments.size());
      std::size_t left = Data::maxText;
      for (Operand &one : frame.arguments) {
        result.data.takeOriginOf(one.data);
        result.data.isCut = result.data.isCut || one.data.text.size() > left;
        one.data.text.resize(std::min(one.data.text.size(), left));
        left -= one.data.text.size();
        list.push_back(std::move(one.data));
      }
      result.data.isCut = result.data.isCut || list.size() == maxArguments;
      result.list = std::make_shared<const std::vector<Data>>(std::move(list));
    }
    result.exists = true;
  }
  left_ = std::move(frame.left);
  operand_ = std::move(result);
}

// Keeps the name of an argument, which may be a parameter or a variable to be set.
void CodeProgram::nameArgument() {
  constexpr std::size_t maxNames = 16;
  Frame &frame = frames_.back();
  if (operand_.name.empty() || frame.names.size() + frame.renames.size() >= maxNames) return;
  if (frame.kind == '{' && !frame.argumentName.empty())
    frame.renames.emplace_back(operand_.name, frame.argumentName);
  else
    frame.names.push_back(operand_.name);
}

void CodeProgram::endArgument() {
  merge();
  runPending();
  if (frames_.empty()) {
    if (targets_.empty()) operand_ = {};
    return;
  }
  Frame &frame = frames_.back();
  nameArgument();
  if (frame.argumentName == "input" || frame.argumentName == "stdin")
    frame.input = operand_;
  else if (operand_.exists && frame.arguments.size() < maxArguments &&
           (frame.argumentName.empty() || frame.argumentName == "args" ||
            frame.argumentName == "url" || frame.argumentName == "command"))
    frame.arguments.push_back(std::move(operand_));
  frame.argumentName.clear();
  operand_ = {};
}

void CodeProgram::endStatement() {
  merge();
  runPending();
  if (!targets_.empty() && operand_.exists)
    for (const std::string &target : targets_) assign(target, operand_);
  if (!frames_.empty() && frames_.back().kind == '{') {
    nameArgument();
    frames_.back().argumentName.clear();
  }
  targets_.clear();
  isAppended_ = false;
  operand_ = {};
  piped_ = {};
}

void CodeProgram::runPending() {
  const Runs runs = std::exchange(runs_, Runs::Nothing);
  if (runs == Runs::Nothing || !operand_.exists) return;
  if (runs == Runs::Code)
    runCode(operand_);
  else
    runShell(operand_, {});
}

void CodeProgram::assign(const std::string &name, const Operand &value) {
  if (name.empty() || !reader_.spend(name.size() + value.bytes() + 64)) return;
  const auto old = variables_.find(name);
  if (old == variables_.end()) {
    if (variables_.size() < maxVariables)
      setAlias(variables_.emplace(name, value).first->second);
    else
      reader_.isCutShort_ = true;
    return;
  }
  if (!isAppended_) {
    old->second = value;
    setAlias(old->second);
    return;
  }
  old->second.data.add(value.data.text);
  old->second.data.takeOriginOf(value.data);
}

void CodeProgram::setAlias(Operand &value) {
  if (value.alias.empty()) value.alias = value.name;
}

const CodeProgram::Operand *CodeProgram::variable(const std::string &name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

// Gives the parameters of a function the data of the call that it is an argument of.
void CodeProgram::bindParameters(const std::vector<std::string> &names) {
  for (std::size_t depth = 1; depth <= std::min<std::size_t>(frames_.size(), 3); ++depth) {
    const Frame &frame = frames_[frames_.size() - depth];
    if (frame.kind != '(' || !frame.receiver.exists) continue;
    Operand value;
    value.exists = true;
    value.data.takeOriginOf(frame.receiver.data);
    callDownload(frame.receiver.name, lastName(frame.receiver.name), frame, value);
    if (!value.data.isUnseen()) continue;
    const bool wasAppended = std::exchange(isAppended_, false);
    for (const std::string &name : names) assign(name, value);
    isAppended_ = wasAppended;
    return;
  }
}

} // namespace skillhost
