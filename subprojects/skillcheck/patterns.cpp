// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

namespace skillhost {
namespace {

using Order = Sequence::Order;

constexpr std::array sequences{
    Sequence{"exec.download-then-run",
             medium,
             Speech::Download,
             {Fact::SavesDownload, Fact::RunsFile, Fact::None},
             25,
             Order::SameName},
    Sequence{"exec.download-and-run",
             high,
             Speech::Download,
             {Fact::FetchesInto, Fact::EvaluatesVariable, Fact::None},
             25,
             Order::SameName},
    Sequence{"exec.decode-and-run",
             high,
             Speech::Command,
             {Fact::DecodesInto, Fact::EvaluatesVariable, Fact::None},
             25,
             Order::SameName},
    Sequence{"exec.reverse-shell",
             high,
             Speech::Command,
             {Fact::OpensSocket, Fact::DuplicatesDescriptor, Fact::StartsShell},
             20,
             Order::Any},
    Sequence{"exec.reverse-shell",
             high,
             Speech::Command,
             {Fact::OpensTcpDescriptor, Fact::ShellOnDescriptor, Fact::None},
             10,
             Order::SameName},
    Sequence{"exec.reverse-shell",
             high,
             Speech::Command,
             {Fact::TcpClient, Fact::EvaluatesText, Fact::None},
             25,
             Order::Any},
    Sequence{"exec.reverse-shell",
             high,
             Speech::Command,
             {Fact::ConnectsInNode, Fact::StartsChildInNode, Fact::None},
             12,
             Order::Any},
    Sequence{"exec.password-archive",
             high,
             Speech::Words,
             {Fact::NamesArchive, Fact::PasswordForArchive, Fact::None},
             12,
             Order::InOrder},
    Sequence{"exec.required-download",
             high,
             Speech::Page,
             {Fact::RequiresInstallation, Fact::NamesDownloadPage, Fact::None},
             4,
             Order::InOrder},
    Sequence{"instruct.after-every-task",
             high,
             Speech::Words,
             {Fact::AfterEveryTask, Fact::SendsToServer, Fact::None},
             8,
             Order::InOrder},
    Sequence{"exfil.file-posted",
             medium,
             Speech::Command,
             {Fact::NamesEndpoint, Fact::PostsFiles, Fact::None},
             40,
             Order::InOrder},
    Sequence{"secret.credentials-sent",
             high,
             Speech::Command,
             {Fact::ReadsCredentials, Fact::Sends, Fact::None},
             15,
             Order::Any},
    Sequence{"secret.environment-sent",
             high,
             Speech::Command,
             {Fact::WholeEnvironment, Fact::Sends, Fact::None},
             12,
             Order::InOrder},
    Sequence{"secret.environment-sent",
             medium,
             Speech::Command,
             {Fact::SecretInto, Fact::SendsVariable, Fact::None},
             12,
             Order::SameName},
    Sequence{"secret.environment-collected",
             medium,
             Speech::Command,
             {Fact::SecretIntoMap, Fact::WritesJson, Fact::None},
             8,
             Order::InOrder},
    Sequence{"secret.environment-collected",
             medium,
             Speech::Command,
             {Fact::WholeEnvironment, Fact::PicksSecrets, Fact::None},
             6,
             Order::Any},
};

} // namespace

std::vector<Pattern> allPatterns() {
  std::vector<Pattern> all;
  for (const std::span<const Pattern> some :
       {runningPatterns(), secretPatterns(), exfiltrationPatterns(), persistencePatterns(),
        instructionPatterns()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::span<const Sequence> allSequences() noexcept { return sequences; }

} // namespace skillhost
