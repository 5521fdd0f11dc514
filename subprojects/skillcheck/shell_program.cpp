// SPDX-License-Identifier: Apache-2.0
#include "shell_program.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxSubscript = 256; // bytes between `[` and `]` behind a name
constexpr std::size_t maxBraces = 256;    // bytes of a word with braces

bool isBlankByte(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
bool endsWord(char c) noexcept {
  return isBlankByte(c) || c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')' ||
         c == '<' || c == '>';
}

constexpr std::array<std::string_view, 5> connectors{"then", "do", "else", "elif", "!"};
constexpr std::array<std::string_view, 5> declarations{"declare", "local", "export", "readonly",
                                                       "typeset"};
constexpr std::array<std::string_view, 5> closers{"}", "done", "fi", "esac", "in"};
constexpr std::array<std::string_view, 9> openers{"{",    "while",  "until", "if",      "for",
                                                  "case", "select", "[[",    "function"};

// Commands that always succeed, or whose failure leaves nothing to run.
constexpr std::array<std::string_view, 9> surely{"curl",   "wget",  "aria2c", "cd",    "echo",
                                                 "printf", "mkdir", "set",    "export"};
constexpr std::array<std::string_view, 11> stoppers{"exit", "return", "false",    "rm",
                                                    "kill", "break",  "continue", "throw",
                                                    "quit", "unlink", "bail"};

// Returns true if one of these commands stops the program, or takes the bad file away.
bool stops(std::string_view commands) {
  constexpr std::size_t looked = 1024; // bytes
  commands = commands.substr(0, looked);
  while (!commands.empty()) {
    const std::size_t end = std::min(commands.find_first_of(";&|\n"), commands.size());
    std::string_view command = commands.substr(0, end);
    commands.remove_prefix(std::min(end + 1, commands.size()));
    for (int left = 4; left > 0; --left) {
      command.remove_prefix(std::min(command.find_first_not_of(" \t\r{("), command.size()));
      const std::string_view word = command.substr(0, command.find_first_of(" \t\r)}"));
      if (isOneOf(stoppers, word)) return true;
      // Functions of the program, by their usual names.
      for (const std::string_view begin : {"die", "fail", "err", "fatal", "abort", "panic"})
        if (word.starts_with(begin)) return true;
      if (!isOneOf(connectors, word)) break;
      command.remove_prefix(word.size());
    }
  }
  return false;
}

// Returns true if what stands behind `||` stops the program.
bool stopsBehind(std::string_view text) {
  text = text.substr(0, 1024);
  const char first = text.empty() ? '\0' : text[0];
  return stops(text.substr(0, first == '{'   ? text.find('}')
                              : first == '(' ? text.find(')')
                                             : text.find_first_of(";\n")));
}

std::string quotedIfNeeded(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\n\"'|&;<>()`") == npos) return std::string(word);
  const char mark = word.find('\'') == npos ? '\'' : '"';
  return mark + std::string(word) + mark;
}

} // namespace

void ShellProgram::skipBlanks() noexcept {
  while (isBlankByte(byte(at_)) || (byte(at_) == '\\' && byte(at_ + 1) == '\n'))
    at_ += byte(at_) == '\\' ? 2 : 1;
}

void ShellProgram::skipLine() noexcept { at_ = std::min(in_.find('\n', at_), in_.size()); }

std::string_view ShellProgram::peekWord() const noexcept {
  std::size_t end = at_;
  while (end < in_.size() && end - at_ < 16 && !endsWord(in_[end])) ++end;
  return in_.substr(at_, end - at_);
}

bool ShellProgram::skipSeparators(End end) {
  while (at_ < in_.size()) {
    const char c = in_[at_];
    if (c == '\n') {
      at_ = hereDocumentEnd_ > at_ ? hereDocumentEnd_ : at_ + 1;
      hereDocumentEnd_ = 0;
    } else if (isBlankByte(c) || c == ';' || c == '&' || c == '|') {
      ++at_;
    } else if (c == '#' && (at_ == 0 || byte(at_ - 1) != '$')) {
      skipLine();
    } else if (c == ')') {
      if (end == End::Parenthesis) {
        ++at_;
        return true;
      }
      if (end != End::OfText && end != End::Esac) return true;
      ++at_;
    } else {
      const std::string_view word = peekWord();
      constexpr std::array<std::pair<std::string_view, End>, 4> ends{
          {{"}", End::Brace}, {"done", End::Done}, {"fi", End::Fi}, {"esac", End::Esac}}};
      for (const auto &[keyword, kind] : ends)
        if (word == keyword && kind == end) {
          at_ += word.size();
          return true;
        }
      // The prompt of a session is no command.
      const bool isPrompt = (word == "$" || word == "%") && isBlankByte(byte(at_ + 1));
      if (!isOneOf(connectors, word) && !isOneOf(closers, word) && !isPrompt) return false;
      at_ += word.size();
    }
  }
  return true;
}

Data ShellProgram::readList(End end, const Data &input) {
  Data output;
  if (reader_.groups_ >= CommandReader::maxGroups) {
    // The caller reads the commands of the group, which begin behind the current place.
    return output;
  }
  ++reader_.groups_;
  const std::string separators = reader_.separators_;
  // A check of a download counts only if its failure stops what follows. So it counts for nothing
  // before `|| echo bad` and before `&`; behind `&&` or `||` it counts up to the end of these.
  CommandReader::Moment first = reader_.now();
  CommandReader::Moment condition = first;
  bool isConditional = false;
  std::size_t behind = at_; // the last pipeline
  while (!skipSeparators(end) && !reader_.isExhausted()) {
    const std::size_t before = at_;
    const std::string_view passed = in_.substr(behind, std::min<std::size_t>(at_ - behind, 256));
    const std::string_view connector = trimmedSpacesAndTabs(passed);
    if (connector.starts_with("||")) {
      if (stopsBehind(in_.substr(at_))) {
        isConditional = false;
      } else {
        reader_.distrustSince(first, false);
        if (!isConditional) condition = reader_.now();
        isConditional = true;
      }
    } else if (connector.starts_with("&&")) {
      const std::string_view command = std::string_view(plain_).substr(0, plain_.find(' '));
      if (!isConditional && !isOneOf(surely, command) && command.find('=') == npos) {
        condition = reader_.now();
        isConditional = true;
      }
    } else {
      // Commands behind `then` run only if the conditions hold.
      if (isConditional && passed.find("then") == npos) reader_.distrustSince(condition, true);
      isConditional = false;
      first = reader_.now();
    }
    const CommandReader::Moment beforeThis = reader_.now();
    const Data result = readPipeline(input);
    behind = at_;
    if (byte(at_) == '&' && byte(at_ + 1) != '&') reader_.distrustSince(beforeThis, false);
    if (!output.text.empty() && !result.text.empty() && output.text.back() != '\n')
      output.add("\n");
    output.add(result.text);
    output.takeOriginOf(result);
    if (at_ == before) ++at_; // a byte that begins nothing
  }
  if (isConditional) reader_.distrustSince(condition, true);
  if (end == End::Parenthesis) reader_.separators_ = separators; // those of a subshell end with it
  --reader_.groups_;
  return output;
}

Data ShellProgram::readPipeline(const Data &input) {
  const std::size_t outerPlace = std::exchange(pipelinePlace_, place());
  std::string pipeline;
  const bool outer = std::exchange(respelled_, false);
  Data output;
  for (bool isPiped = false;; isPiped = true) {
    plain_.clear();
    const CommandReader::Moment before = reader_.now();
    output = readStage(isPiped ? output : input, isPiped);
    pipeline += plain_;
    skipBlanks();
    if (byte(at_) != '|' || byte(at_ + 1) == '|') break;
    at_ += byte(at_ + 1) == '&' ? 2 : 1;
    while (isBlankByte(byte(at_)) || (byte(at_) == '\n' && hereDocumentEnd_ == 0)) ++at_;
    // The last command of a pipeline decides whether it fails.
    if (peekWord() != "grep") reader_.distrustSince(before, false);
    pipeline += " | ";
  }
  reader_.addCommand(pipeline, pipelinePlace_, respelled_);
  pipelinePlace_ = outerPlace;
  plain_ = std::move(pipeline);
  respelled_ = outer || respelled_;
  return output;
}

Data ShellProgram::readStage(const Data &input, bool isPiped) {
  skipBlanks();
  if (byte(at_) == '(') {
    if (byte(at_ + 1) == '(') { // arithmetic
      at_ = pastGroup(at_);
      return {};
    }
    ++at_;
    Data output = readList(End::Parenthesis, input);
    Redirections redirections;
    while (skipBlanks(), readRedirection(redirections)) {}
    return apply(redirections, std::move(output));
  }
  const std::string_view word = peekWord();
  if (word == "coproc" && reader_.groups_ < CommandReader::maxGroups) return readCoprocess();
  if (isOneOf(openers, word)) {
    at_ += word.size();
    return readCompound(word, input);
  }
  return readSimple(input, isPiped);
}

Data ShellProgram::readCompound(std::string_view keyword, const Data &input) {
  if (keyword == "function") {
    skipBlanks();
    const std::string_view name = peekWord();
    at_ += name.size();
    skipBlanks();
    if (byte(at_) == '(' && byte(at_ + 1) == ')') at_ += 2;
    readFunction(name);
    return {};
  }
  if (keyword == "[[") {
    const std::size_t line = std::min(in_.find('\n', at_), in_.size());
    const std::size_t end = in_.substr(at_, line - at_).find("]]");
    at_ = end == npos ? line : at_ + end + 2;
    return {};
  }
  if (keyword == "for" || keyword == "select" || keyword == "case") {
    skipBlanks();
    std::vector<Data> words;
    readWord(words);
    skipBlanks();
    if (peekWord() == "in") at_ += 2;
    if (keyword == "case") return readList(End::Esac, input);
    std::vector<Data> values;
    while (skipBlanks(), at_ < in_.size() && !endsWord(byte(at_))) readWord(values);
    if (!words.empty() && !values.empty()) reader_.assign(words[0].text, values[0]);
  }
  const End end = keyword == "{" ? End::Brace : keyword == "if" ? End::Fi : End::Done;
  // A redirection of the input stands behind the group, so it is looked for first.
  const std::size_t begin = at_;
  const CommandReader::Moment before = reader_.now();
  Data output = readList(end, input);
  if (end == End::Fi) {
    // A check within `if` counts behind it if its failure stops the program there.
    const std::string_view text = trimmedSpacesAndTabs(in_.substr(begin, at_ - begin));
    const std::size_t otherwise = text.starts_with('!') ? text.find("then") : text.rfind("else");
    if (otherwise == npos || !stops(text.substr(otherwise))) reader_.distrustSince(before, true);
  }
  Redirections redirections;
  while (skipBlanks(), readRedirection(redirections)) {}
  if (redirections.hasInput && redirections.input.isUnseen() && !input.isUnseen() &&
      reader_.spend(2 * (at_ - begin))) {
    const std::size_t behind = at_;
    at_ = begin;
    output = readList(end, redirections.input);
    at_ = behind;
  }
  return apply(redirections, std::move(output));
}

void ShellProgram::readFunction(std::string_view name) {
  while (isBlankByte(byte(at_)) || byte(at_) == '\n') ++at_;
  if (byte(at_) != '{' && byte(at_) != '(') return;
  const End end = byte(at_) == '{' ? End::Brace : End::Parenthesis;
  const std::size_t begin = ++at_;
  const CommandReader::Moment before = reader_.now();
  readList(end, {});
  reader_.distrustSince(before, false); // it may never be called
  const std::string_view body = in_.substr(begin, at_ - begin - (at_ > begin ? 1 : 0));
  if (!name.empty() && reader_.spend(body.size()))
    reader_.assign(reader_.functions_, name, std::string(body));
}

// Other commands name the output and the input of a co-process by the array of its name.
Data ShellProgram::readCoprocess() {
  at_ += std::string_view("coproc").size();
  skipBlanks();
  std::string name = "COPROC";
  std::size_t end = at_;
  while (isNameByte(byte(end))) ++end;
  const std::string_view word = in_.substr(at_, end - at_);
  const std::size_t first = std::exchange(at_, end);
  skipBlanks();
  const bool isCompound = byte(at_) == '(' || isOneOf(openers, peekWord());
  if (!word.empty() && isCompound && !isOneOf(openers, word))
    name = word; // only a compound command can have a name
  else
    at_ = first;
  const std::size_t begin = at_;
  ++reader_.groups_;
  reader_.save(name + "-output", readStage({}, false));
  --reader_.groups_;
  if (reader_.spend(at_ - begin))
    reader_.assign(reader_.coprocesses_, name + "-input",
                   std::string(in_.substr(begin, at_ - begin)));
  std::array<Data, 2> ends;
  ends[0].text = name + "-output";
  ends[1].text = name + "-input";
  for (std::size_t i = 0; i < ends.size(); ++i)
    assignElement(name, std::to_string(i), std::move(ends[i]));
  return {};
}

Data ShellProgram::readSimple(const Data &input, bool isPiped) {
  std::vector<Data> words;
  Redirections redirections;
  std::string canonical;
  bool setsSeparators = false;
  while (at_ < in_.size()) {
    skipBlanks();
    const char c = byte(at_);
    if (readRedirection(redirections)) continue;
    setsSeparators = setsSeparators || (words.empty() && in_.substr(at_).starts_with("IFS="));
    if (c == '(') {
      if (words.size() == 1 && byte(at_ + 1) == ')') {
        at_ += 2;
        readFunction(words[0].text);
        plain_.clear();
        return {};
      }
      ++at_; // a parenthesis of prose
      continue;
    }
    const bool isFile = c == '<' && byte(at_ + 1) == '(';
    if (c == '#' || c == '\0' || (endsWord(c) && !isFile)) {
      if (c == '#') skipLine();
      if (c == '\0' && at_ < in_.size()) {
        ++at_;
        continue;
      }
      break;
    }
    if ((words.empty() || (assignsArray() && isOneOf(declarations, words[0].text))) &&
        readAssignment(canonical))
      continue;
    readWord(words);
  }
  for (const Data &word : words) {
    if (!canonical.empty()) canonical += ' ';
    canonical += quotedIfNeeded(word.text);
  }
  for (const std::string &file : redirections.outputs) canonical.append(" > ").append(file);
  reader_.spend(canonical.size());
  plain_ = canonical;
  // In front of a command, a value of IFS is for that command alone.
  if (words.empty() && setsSeparators) reader_.separateBy(reader_.variables_["IFS"].text);
  if (words.empty()) return apply(redirections, redirections.input);
  // `exec 3<file` opens a descriptor, which readRedirection() has done.
  const Data &given = redirections.hasInput ? std::as_const(redirections.input) : input;
  Data output =
      carryOut(reader_, std::move(words), given, isPiped || redirections.hasInput, pipelinePlace_);
  if (!output.isUnseen())
    for (const std::string_view consumer : redirections.consumers)
      reader_.readNestedShell(consumer, pipelinePlace_, given);
  plain_ = std::move(canonical);
  return apply(redirections, std::move(output));
}

// Returns true if `name=(` or `name+=(` is at the current place.
bool ShellProgram::assignsArray() const noexcept {
  std::size_t end = at_;
  while (isNameByte(byte(end))) ++end;
  if (byte(end) == '+') ++end;
  return end != at_ && byte(end) == '=' && byte(end + 1) == '(';
}

bool ShellProgram::readAssignment(std::string &canonical) {
  std::size_t end = at_;
  while (isNameByte(byte(end))) ++end;
  if (end == at_ || digit(byte(at_))) return false;
  const std::string_view name = in_.substr(at_, end - at_);
  std::string_view key;
  if (byte(end) == '[') {
    const std::string_view rest = in_.substr(end, maxSubscript);
    const std::size_t close = rest.find_first_of("]\n");
    if (close == npos || rest[close] != ']') return false;
    key = rest.substr(1, close - 1);
    end += close + 1;
  }
  bool isAppended = byte(end) == '+' && byte(end + 1) == '=';
  if (!isAppended && byte(end) != '=') return false;
  at_ = end + (isAppended ? 2 : 1);
  std::vector<Data> values;
  const bool isArray = byte(at_) == '(';
  if (isArray) {
    ++at_;
    if (!isAppended) reader_.arrays_.erase(std::string(name));
    while (at_ < in_.size() && byte(at_) != ')' && !reader_.isExhausted()) {
      if (byte(at_) == '[') // `[key]=value`
        if (const std::size_t close = in_.substr(at_, maxSubscript).find("]=");
            close != npos && in_.substr(at_, close).find_first_of(" \t\n") == npos) {
          const std::string_view element = in_.substr(at_ + 1, close - 1);
          at_ += close + 2;
          std::vector<Data> value;
          readWord(value);
          if (!value.empty()) assignElement(name, element, value[0]);
          continue;
        }
      if (byte(at_) == '#')
        skipLine();
      else if (endsWord(byte(at_)))
        ++at_;
      else
        readWord(values);
    }
    at_ = std::min(at_ + 1, in_.size());
    for (const Data &value : values) assignElement(name, {}, value);
  } else {
    if (!isAppended && key.empty()) isAppended = skipOwnValue(name, values);
    if (at_ < in_.size() && !endsWord(byte(at_))) readWord(values);
  }
  Data value;
  for (const Data &one : values) {
    if (isArray && !value.text.empty()) value.add(" ");
    value.add(one.text);
    value.takeOriginOf(one);
  }
  reader_.spend(name.size() + value.text.size());
  canonical.append(canonical.empty() ? "" : " ")
      .append(name)
      .append("=")
      .append(quotedIfNeeded(value.text));
  if (!key.empty()) {
    assignElement(name, key, std::move(value));
    return true;
  }
  if (!isAppended || !reader_.append(name, isArray ? " " : "", value))
    reader_.assign(name, std::move(value));
  return true;
}

// Passes over `$name` at the beginning of a value of the same variable if its value is long, and
// reads the rest within quotation marks. The caller appends this. So a text that grows line by line
// is not copied in each.
bool ShellProgram::skipOwnValue(std::string_view name, std::vector<Data> &values) {
  constexpr std::size_t longValue = 1024; // bytes
  const auto known = reader_.variables_.find(name);
  if (known == reader_.variables_.end() || known->second.text.size() < longValue) return false;
  std::size_t at = at_;
  const bool isQuoted = byte(at) == '"';
  if (isQuoted) ++at;
  if (byte(at) != '$') return false;
  const bool isBraced = byte(++at) == '{';
  if (isBraced) ++at;
  if (!in_.substr(at).starts_with(name)) return false;
  at += name.size();
  if (isBraced ? byte(at) != '}' : isNameByte(byte(at))) return false;
  if (isBraced) ++at;
  if (isQuoted && in_.find('"', at) == npos) return false;
  respelled_ = true;
  at_ = at;
  if (!isQuoted) return true;
  Data rest;
  readQuoted(rest);
  if (byte(at_) == '"') ++at_;
  isArray_ = false;
  elements_.clear();
  values.push_back(std::move(rest));
  return true;
}

bool ShellProgram::readRedirection(Redirections &to) {
  std::size_t at = at_;
  while (digit(byte(at)) && at - at_ < 3) ++at;
  const std::string descriptor(in_.substr(at_, at - at_));
  if (at == at_ && byte(at) == '&' && byte(at + 1) == '>') ++at;
  const char direction = byte(at);
  if (direction != '<' && direction != '>') return false;
  if (byte(at + 1) == '(') { // a substituted file
    if (direction == '<') return false;
    const std::size_t open = at + 1;
    at_ = pastGroup(open);
    to.consumers.push_back(in_.substr(open + 1, at_ - open - 2));
    return true;
  }
  if (direction == '<' && byte(at + 1) == '<') {
    at_ = at + 2;
    if (byte(at_) == '<') {
      ++at_;
      skipBlanks();
      std::vector<Data> fields;
      readWord(fields);
      to.hasInput = true;
      to.input = {};
      for (const Data &field : fields) {
        if (!to.input.text.empty()) to.input.add(" ");
        to.input.add(field.text);
        to.input.takeOriginOf(field);
      }
      return true;
    }
    readHereDocument(to);
    return true;
  }
  at_ = at + 1;
  if (byte(at_) == '>' || byte(at_) == '|') ++at_;
  const bool isDescriptor = byte(at_) == '&';
  if (isDescriptor) ++at_;
  skipBlanks();
  if (direction == '>' && byte(at_) == '>' && byte(at_ + 1) == '(') {
    const std::size_t open = at_ + 1;
    at_ = pastGroup(open);
    to.consumers.push_back(in_.substr(open + 1, at_ - open - 2));
    return true;
  }
  std::vector<Data> fields;
  if (at_ < in_.size() && (!endsWord(byte(at_)) || byte(at_) == '<')) readWord(fields);
  if (fields.empty()) return true;
  std::string name = fields.front().text;
  if (isDescriptor) name = "/dev/fd/" + name;
  if (direction == '<') {
    to.hasInput = true;
    if (name.starts_with("/dev/tcp/") || name.starts_with("/dev/udp/")) {
      to.input.downloaded = true;
      to.input.address = "http://" + name.substr(9);
    } else if (const Data *file = reader_.savedFile(name);
               file != nullptr && reader_.spend(file->text.size())) {
      to.input = *file;
    }
    if (!descriptor.empty()) reader_.save("/dev/fd/" + descriptor, to.input);
  } else if (const std::string *program = coprocessOf(name); program && !descriptor.empty()) {
    reader_.assign(reader_.coprocesses_, descriptor, *program);
  } else if (!isDescriptor || descriptor.empty()) {
    if (descriptor != "2") to.outputs.push_back(std::move(name));
  }
  return true;
}

void ShellProgram::readHereDocument(Redirections &to) {
  const bool isIndented = byte(at_) == '-';
  if (isIndented) ++at_;
  skipBlanks();
  bool isLiteral = false;
  std::string mark;
  for (; at_ < in_.size() && !endsWord(byte(at_)); ++at_) {
    if (in_[at_] == '\'' || in_[at_] == '"' || in_[at_] == '\\')
      isLiteral = true;
    else
      mark += in_[at_];
  }
  const std::size_t lineEnd = in_.find('\n', at_);
  if (mark.empty() || lineEnd == npos) return;
  const std::size_t begin = std::max(lineEnd + 1, hereDocumentEnd_);
  const std::size_t line = findLine(mark, begin);
  if (line == npos || !reader_.spend(line - begin)) return;
  const std::string_view text = in_.substr(begin, line - begin);
  to.hasInput = true;
  to.input = {};
  hereDocumentEnd_ = std::min(std::min(in_.find('\n', line), in_.size()) + 1, in_.size());
  if (isLiteral) {
    to.input.add(text);
    return;
  }
  // Expand the text as if it were between quotation marks.
  ShellProgram body(reader_, text, isWhole_ ? base_ + begin : base_, isWhole_);
  if (reader_.depth_ >= CommandReader::maxDepth) {
    reader_.isCutShort_ = true;
    return;
  }
  ++reader_.depth_;
  while (body.at_ < body.in_.size() && !reader_.isExhausted()) {
    body.readQuoted(to.input);
    if (body.byte(body.at_) == '"') {
      to.input.add("\"");
      ++body.at_;
    }
  }
  --reader_.depth_;
}

// Returns the place of the first line from `from` on that is `wanted` without the blanks around it,
// or npos. The lines are sorted once, because each `<<` of a program in another language looks like
// a document.
std::size_t ShellProgram::findLine(std::string_view wanted, std::size_t from) {
  const auto precedes = [](std::string_view a, std::string_view b) {
    return a != b ? a < b : a.data() < b.data();
  };
  if (lines_.empty()) {
    if (!reader_.spend(in_.size())) return npos;
    for (std::size_t line = 0; line < in_.size();) {
      const std::size_t end = std::min(in_.find('\n', line), in_.size());
      const std::string_view text = trimmedLine(in_.substr(line, end - line));
      if (!text.empty()) lines_.push_back(text);
      line = end + 1;
    }
    std::sort(lines_.begin(), lines_.end(), precedes);
  }
  auto found = std::lower_bound(lines_.begin(), lines_.end(), wanted);
  const auto same = std::upper_bound(found, lines_.end(), wanted);
  const char *const first = in_.data() + std::min(from, in_.size());
  found =
      std::partition_point(found, same, [&](std::string_view one) { return one.data() < first; });
  if (found == same) return npos;
  const auto at = static_cast<std::size_t>(found->data() - in_.data());
  return in_.substr(0, at).rfind('\n') + 1; // 0 if there is none
}

// Returns the co-process that reads from this descriptor, or nullptr.
const std::string *ShellProgram::coprocessOf(std::string_view file) const {
  constexpr std::string_view folder = "/dev/fd/";
  if (!file.starts_with(folder)) return nullptr;
  const auto found = reader_.coprocesses_.find(file.substr(folder.size()));
  return found == reader_.coprocesses_.end() ? nullptr : &found->second;
}

Data ShellProgram::apply(const Redirections &redirections, Data output) {
  for (const std::string &file : redirections.outputs) {
    if (const std::string *program = coprocessOf(file))
      reader_.readNestedShell(*program, place(), output);
    else
      reader_.save(file, output);
  }
  for (const std::string_view consumer : redirections.consumers)
    if (output.isUnseen()) reader_.readNestedShell(consumer, place(), output);
  if (!redirections.outputs.empty()) return {};
  return output;
}

// Reads on to the end of the text or to an unescaped quotation mark, which it leaves.
void ShellProgram::readQuoted(Data &into) {
  while (at_ < in_.size() && in_[at_] != '"') {
    const char c = in_[at_];
    if (c == '\\' && at_ + 1 < in_.size()) {
      const char next = in_[at_ + 1];
      if (next != '"' && next != '$' && next != '`' && next != '\\') into.add("\\");
      into.add({&next, 1});
      at_ += 2;
    } else if (c == '$') {
      readExpansion(into, true);
    } else if (c == '`') {
      const Data value = readBackticks();
      into.add(value.text);
      into.takeOriginOf(value);
    } else {
      into.add({&c, 1});
      ++at_;
    }
  }
}

void ShellProgram::readWord(std::vector<Data> &fields) {
  if (readBraces(fields)) return;
  Data word;
  bool isSplit = false;
  bool isQuoted = false;
  const std::size_t begin = at_;
  std::vector<Data> outer = std::exchange(elements_, {});
  while (at_ < in_.size()) {
    const char c = in_[at_];
    if (c == '<' && byte(at_ + 1) == '(' && at_ == begin) {
      at_ += 2;
      const std::string name = "/dev/fd/stream" + std::to_string(reader_.streams_++ % 1000);
      reader_.save(name, readList(End::Parenthesis, {}));
      word.text = name;
      break;
    }
    if (endsWord(c)) break;
    if (c == '\\') {
      if (at_ + 1 < in_.size() && in_[at_ + 1] != '\n') {
        word.add(in_.substr(at_ + 1, 1));
        respelled_ = true;
      }
      at_ = std::min(at_ + 2, in_.size());
    } else if (c == '\'') {
      const std::size_t close = in_.find('\'', at_ + 1);
      if (close == npos || !reader_.spend(close - at_)) {
        word.add("'");
        ++at_;
        continue;
      }
      if (at_ != begin) respelled_ = true;
      word.add(in_.substr(at_ + 1, close - at_ - 1));
      at_ = close + 1;
      if (at_ < in_.size() && !endsWord(in_[at_])) respelled_ = true;
      isQuoted = true;
    } else if (c == '"') {
      if (in_.find('"', at_ + 1) == npos) {
        word.add("\"");
        ++at_;
        continue;
      }
      if (at_ != begin) respelled_ = true;
      ++at_;
      isArray_ = false;
      readQuoted(word);
      isSplit = std::exchange(isArray_, false) || isSplit;
      if (byte(at_) == '"') ++at_;
      if (at_ < in_.size() && !endsWord(in_[at_])) respelled_ = true;
      isQuoted = true;
    } else if (c == '$') {
      isSplit = readExpansion(word, false) || isSplit;
    } else if (c == '`') {
      const Data value = readBackticks();
      word.add(value.text);
      word.takeOriginOf(value);
      isSplit = true;
    } else {
      word.add({&c, 1});
      ++at_;
    }
  }
  std::vector<Data> elements = std::exchange(elements_, std::move(outer));
  if (at_ == begin) return;
  if (fields.size() >= CommandReader::maxWords) reader_.isCutShort_ = true;
  // An array that is a whole word becomes its elements, whatever these contain.
  std::size_t size = elements.empty() ? 0 : elements.size() - 1; // of the elements with blanks
  for (const Data &one : elements) size += one.text.size();
  if (!elements.empty() && size == word.text.size()) {
    for (Data &one : elements)
      if (fields.size() < CommandReader::maxWords) fields.push_back(std::move(one));
    return;
  }
  // IFS counts only where a command is named, so a wrong idea of it can hide no file.
  const std::string separators = " \t\n" + (fields.empty() ? reader_.separators_ : std::string());
  if (!isSplit || word.text.find_first_of(separators) == npos) {
    if ((!word.text.empty() || isQuoted || word.isUnseen()) &&
        fields.size() < CommandReader::maxWords)
      fields.push_back(std::move(word));
    return;
  }
  // An expansion without quotes is split into words.
  std::string_view rest = word.text;
  while (fields.size() < CommandReader::maxWords && reader_.spend(sizeof(Data))) {
    rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
    if (rest.empty()) return;
    const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
    Data field;
    field.takeOriginOf(word);
    field.text = rest.substr(0, end);
    fields.push_back(std::move(field));
    rest.remove_prefix(end);
  }
}

// Reads `{a,b}` that is a whole word.
bool ShellProgram::readBraces(std::vector<Data> &fields) {
  if (byte(at_) != '{') return false;
  const std::size_t close = in_.substr(at_, maxBraces).find('}');
  if (close == npos) return false;
  const std::string_view inside = in_.substr(at_ + 1, close - 1);
  if (inside.find(',') == npos || inside.find_first_of(" \t\n{:\"") != npos)
    if (inside.find("://") == npos || inside.find(',') == npos ||
        inside.find_first_of(" \t\n{\"") != npos)
      return false;
  if (!endsWord(byte(at_ + close + 1)) && at_ + close + 1 < in_.size()) return false;
  at_ += close + 1;
  respelled_ = true;
  for (std::size_t from = 0; from <= inside.size();) {
    const std::size_t end = std::min(inside.find(',', from), inside.size());
    ShellProgram part(reader_, inside.substr(from, end - from), place(), false);
    std::vector<Data> found;
    part.readWord(found);
    for (Data &one : found) fields.push_back(std::move(one));
    from = end + 1;
  }
  return true;
}

// Returns the place behind the parenthesis that closes the one at `open`, or the end of the text.
std::size_t ShellProgram::pastGroup(std::size_t open) const noexcept {
  std::size_t depth = 0;
  char quote = 0;
  for (std::size_t at = open; at < in_.size(); ++at) {
    const char c = in_[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '\\') {
      ++at;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return in_.size();
}

} // namespace skillhost
