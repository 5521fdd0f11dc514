// SPDX-License-Identifier: Apache-2.0
// This is the only source that includes CLI11.
#include "commandline/parser.hpp"

#include "base/fault.hpp"
#include "commandline/suggest.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

namespace skillhost::app {
namespace {

class Parser {
public:
  Parser(const CommandDescription &program, std::span<const std::string> arguments)
      : program_(program) {
    fill(app_, program, arguments);
    // Handle these flags without the library's callbacks, which would print. They end the parse
    // wherever they stand.
    app_.set_help_flag();
  }

  Result<ParsedArguments> parse(std::span<const std::string> arguments) {
    std::optional<std::string> why;
    try {
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ExtrasError &) {
      why = unexpected();
    } catch (const CLI::ParseError &error) {
      why = error.what();
    }
    collect(app_, program_);
    if (result_.has("--help") || result_.has("--version")) return std::move(result_);
    if (!why) why = wrongValue(program_);
    if (why) return refusedArguments(result_.commands, *why);
    return std::move(result_);
  }

private:
  // A command whose name is not among the arguments cannot be the called one, so it gets no
  // options: describing them all to the library takes longer than the rest of the parse.
  void fill(CLI::App &app, const CommandDescription &command,
            std::span<const std::string> arguments) {
    app.set_help_flag();
    app.fallthrough(command.inheritsOptions);
    app.require_subcommand(0, 1);
    for (const ArgumentDescription &option : command.options) add(app, option);
    for (const ArgumentDescription &positional : command.positionals) add(app, positional);
    for (const CommandDescription &one : command.commands) {
      CLI::App &below = *app.add_subcommand(one.name, one.help);
      if (std::find(arguments.begin(), arguments.end(), one.name) != arguments.end())
        fill(below, one, arguments);
    }
  }
  void add(CLI::App &app, const ArgumentDescription &argument) {
    const std::string names = joined(argument.names, ",");
    if (argument.value.empty()) {
      CLI::Option *flag = app.add_flag(names);
      flag->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      options_[&argument] = flag;
      return;
    }
    CLI::Option *option = app.add_option(names);
    options_[&argument] = option;
    option->multi_option_policy(argument.repeats ? CLI::MultiOptionPolicy::TakeAll
                                                 : CLI::MultiOptionPolicy::TakeLast);
    if (argument.valueOptional) option->expected(0, 1);
    if (argument.repeats && !option->nonpositional()) option->expected(-1);
  }

  // Follows the given commands from the program down.
  void collect(const CLI::App &app, const CommandDescription &command) {
    collectValues(command.options);
    collectValues(command.positionals);
    if (app.get_subcommands().empty()) return;
    const CLI::App &next = *app.get_subcommands().front();
    result_.commands.push_back(next.get_name());
    for (const CommandDescription &one : command.commands)
      if (one.name == next.get_name()) collect(next, one);
  }
  void collectValues(const std::vector<ArgumentDescription> &arguments) {
    for (const ArgumentDescription &argument : arguments) {
      const std::string &name = argument.names.back();
      const auto option = options_.find(&argument);
      if (option == options_.end() || option->second->count() == 0) continue;
      std::vector<std::string> &values = result_.values[name];
      for (const std::string &value : option->second->results())
        // The library uses these marks for an option without a value.
        if (value != "{}" && !(argument.valueOptional && value.empty())) values.push_back(value);
    }
  }

  std::optional<std::string> wrongValue(const CommandDescription &command) const {
    for (const auto *list : {&command.options, &command.positionals})
      for (const ArgumentDescription &argument : *list)
        if (auto wrong = isEmptyPath(argument) ? argument.names.back() + ": \"\" must not be empty"
                                               : wrongChoice(argument))
          return wrong;
    for (const CommandDescription &one : command.commands)
      if (std::find(result_.commands.begin(), result_.commands.end(), one.name) !=
          result_.commands.end())
        if (auto wrong = wrongValue(one)) return wrong;
    return std::nullopt;
  }
  bool isEmptyPath(const ArgumentDescription &argument) const {
    const auto values = result_.values.find(argument.names.back());
    const bool isPath =
        argument.value == "DIR" || argument.value == "FILE" || argument.value == "PATH";
    return isPath && !argument.mayBeEmpty && values != result_.values.end() &&
           std::find(values->second.begin(), values->second.end(), "") != values->second.end();
  }
  std::optional<std::string> wrongChoice(const ArgumentDescription &argument) const {
    const std::vector<std::string> choices = choicesOf(argument.value);
    const auto values = result_.values.find(argument.names.back());
    if (choices.empty() || values == result_.values.end()) return std::nullopt;
    for (const std::string &value : values->second) {
      if (std::any_of(choices.begin(), choices.end(), [&](const std::string &choice) {
            return CLI::detail::to_lower(choice) == CLI::detail::to_lower(value);
          }))
        continue;
      std::string text = argument.names.back() + ": expected ";
      for (std::size_t i = 0; i < choices.size(); ++i)
        text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
      return text + ", found \"" + value + '"' + didYouMean(value, choices);
    }
    return std::nullopt;
  }

  // Suggests the option or command for a place of skills; empty if the word names no such place.
  static std::string hintForPlace(const std::string &word) {
    const bool isAddress = word.find("://") != std::string::npos;
    std::error_code unknown;
    if (!isAddress && (word.starts_with('.') || word.starts_with('~') || word.starts_with('/') ||
                       std::filesystem::is_directory(word, unknown)))
      return "to serve the skills of a folder write --skills-dir " + word;
    if (!isAddress && word.find('/') == std::string::npos) return {};
    return "to add a place of skills for good write `skillhost add " + word + '`';
  }

  // Explains the first argument that no option or command took.
  std::string unexpected() const {
    const CLI::App *last = &app_;
    const CommandDescription *command = &program_;
    std::vector<std::string> options;
    std::vector<std::string> commands;
    for (;;) {
      if (!command->inheritsOptions) options.clear();
      for (const ArgumentDescription &option : command->options)
        options.insert(options.end(), option.names.begin(), option.names.end());
      commands.clear();
      for (const CommandDescription &one : command->commands) commands.push_back(one.name);
      if (last->get_subcommands().empty()) break;
      last = last->get_subcommands().front();
      command = &*std::find_if(command->commands.begin(), command->commands.end(),
                               [&](const auto &one) { return one.name == last->get_name(); });
    }
    const std::vector<std::string> extras = app_.remaining(true);
    const std::string extra = extras.empty() ? std::string{} : extras.front();
    if (extra.starts_with('-')) {
      const std::string name = extra.substr(0, extra.find('='));
      for (const auto &[absent, why] : program_.absentOptions)
        if (absent == name) return "unknown option " + name + why;
      return "unknown option " + extra + didYouMean(name, options);
    }
    if (command == &program_ || command->name == "serve")
      if (const std::string hint = hintForPlace(extra); !hint.empty())
        return "unknown command " + extra + ": " + hint;
    return (commands.empty() ? "unexpected argument " : "unknown command ") + extra +
           didYouMean(extra, commands);
  }

  const CommandDescription &program_;
  CLI::App app_;
  // The library's own look-up by name allocates in a noexcept function.
  std::map<const ArgumentDescription *, const CLI::Option *> options_;
  ParsedArguments result_;
};

} // namespace

std::string ParsedArguments::last(const std::string &name) const {
  const auto found = values.find(name);
  return found == values.end() || found->second.empty() ? std::string{} : found->second.back();
}

Result<ParsedArguments> parseArguments(const CommandDescription &program,
                                       std::span<const std::string> arguments) {
  return Parser(program, arguments).parse(arguments);
}

Failure refusedArguments(const std::vector<std::string> &commands, const std::string &why) {
  std::vector<std::string> words{"skillhost"};
  words.insert(words.end(), commands.begin(), commands.end());
  words.emplace_back("--help");
  return {Fault::InvalidInput, why + "\nRun `" + joined(words, " ") + "` for what is accepted."};
}

Status readWholeNumber(const ParsedArguments &arguments, const char *option, std::string_view unit,
                       std::uint64_t maximum, std::uint64_t &number) {
  if (!arguments.has(option)) return Done{};
  const std::string text = arguments.last(option);
  std::uint64_t read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error == std::errc{} && end == text.data() + text.size() && read >= 1 && read <= maximum) {
    number = read;
    return Done{};
  }
  return {Fault::InvalidInput, std::string(option) + ": expected a whole number" +
                                   (unit.empty() ? "" : " of ") + std::string(unit) +
                                   " from 1 to " + std::to_string(maximum) + ", found \"" + text +
                                   '"'};
}

} // namespace skillhost::app
