// SPDX-License-Identifier: Apache-2.0
#include "hosts.hpp"

#include "ground/text.hpp"
#include "skillmd/characters.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t maxAddressText = 4096;

// A host, or a host and the beginning of a path.
constexpr std::array<std::string_view, 78> wellKnown{
    "sh.rustup.rs",
    "static.rust-lang.org",
    "astral.sh",
    "bun.sh",
    "bun.com",
    "deno.land",
    "deno.com",
    "get.docker.com",
    "download.docker.com",
    "brew.sh",
    "raw.githubusercontent.com/homebrew/",
    "raw.githubusercontent.com/nvm-sh/nvm/",
    "raw.githubusercontent.com/helm/helm/",
    "raw.githubusercontent.com/k3d-io/k3d/",
    "raw.githubusercontent.com/ohmyzsh/ohmyzsh/",
    "raw.githubusercontent.com/pyenv/",
    "raw.githubusercontent.com/rancher/k3d/",
    "raw.githubusercontent.com/astral-sh/",
    "raw.githubusercontent.com/golangci/golangci-lint/",
    "raw.githubusercontent.com/aquasecurity/",
    "raw.githubusercontent.com/anchore/",
    "raw.githubusercontent.com/kubernetes-sigs/",
    "raw.githubusercontent.com/argoproj/",
    "raw.githubusercontent.com/microsoft/",
    "raw.githubusercontent.com/azure/",
    "raw.githubusercontent.com/dotnet/",
    "raw.githubusercontent.com/github/",
    "raw.githubusercontent.com/google/",
    "install.python-poetry.org",
    "get.helm.sh",
    "fly.io",
    "get.pnpm.io",
    "deb.nodesource.com",
    "rpm.nodesource.com",
    "nodejs.org",
    "aka.ms",
    "dot.net",
    "builds.dotnet.microsoft.com",
    "aspire.dev",
    "sdk.cloud.google.com",
    "dl.google.com",
    "storage.googleapis.com/cloud-samples-",
    "cli.github.com",
    "ollama.com",
    "ollama.ai",
    "fluxcd.io",
    "run.linkerd.io",
    "get.k3s.io",
    "starship.rs",
    "mise.run",
    "mise.jdx.dev",
    "get.volta.sh",
    "fnm.vercel.app",
    "get.sdkman.io",
    "nixos.org",
    "install.determinate.systems",
    "claude.ai",
    "cursor.com",
    "release.solana.com",
    "release.anza.xyz",
    "foundry.paradigm.xyz",
    "tailscale.com",
    "get.pulumi.com",
    "install.duckdb.org",
    "bootstrap.pypa.io",
    "micro.mamba.pm",
    "repo.anaconda.com",
    "pixi.sh",
    "packages.microsoft.com",
    "zed.dev",
    "dl.k8s.io",
    "get.opentofu.org",
    "istio.io",
    "awscli.amazonaws.com",
    "packages.cloud.google.com",
    "apt.releases.hashicorp.com",
    "pkgs.k8s.io",
    "pypi.org"};

constexpr std::array<std::string_view, 28> suspicious{"pastebin.com",
                                                      "paste.ee",
                                                      "hastebin.com",
                                                      "rentry.co",
                                                      "rentry.org",
                                                      "glot.io",
                                                      "ix.io",
                                                      "termbin.com",
                                                      "transfer.sh",
                                                      "0x0.st",
                                                      "file.io",
                                                      "gofile.io",
                                                      "catbox.moe",
                                                      "bit.ly",
                                                      "tinyurl.com",
                                                      "t.ly",
                                                      "is.gd",
                                                      "cutt.ly",
                                                      "rebrand.ly",
                                                      "ngrok.io",
                                                      "ngrok.app",
                                                      "ngrok-free.app",
                                                      "trycloudflare.com",
                                                      "serveo.net",
                                                      "loca.lt",
                                                      "cdn.discordapp.com",
                                                      "temp.sh",
                                                      "dpaste.com"};
constexpr std::array<std::string_view, 8> forges{"raw.githubusercontent.com",
                                                 "github.com",
                                                 "gitlab.com",
                                                 "bitbucket.org",
                                                 "codeberg.org",
                                                 "objects.githubusercontent.com",
                                                 "gist.githubusercontent.com",
                                                 "cdn.jsdelivr.net"};

bool isOrBelow(std::string_view host, std::string_view domain) noexcept {
  return host == domain || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

bool isNumber(std::string_view host) noexcept {
  return std::count(host.begin(), host.end(), '.') == 3 &&
         host.find_first_not_of("0123456789.") == npos;
}

bool isPrivate(std::string_view host) noexcept {
  for (const std::string_view start :
       {"127.", "10.", "192.168.", "169.254.", "0.0.0.0", "192.0.2.", "198.51.100.", "203.0.113."})
    if (host.starts_with(start)) return true;
  if (!host.starts_with("172.") || host.size() < 7) return false;
  const std::string_view second = host.substr(4, 3);
  return second >= "16." && second <= "31." && second[2] == '.';
}

// Returns true for a host that nobody can own (RFC 2606, 6761), where it stands for the reader's
// own.
bool isPlaceholder(std::string_view host) noexcept {
  constexpr std::array<std::string_view, 10> usual{"",   "www",  "api", "docs",    "app",
                                                   "my", "your", "get", "install", "cdn"};
  for (const std::string_view domain : {"example.com", "example.org", "example.net"})
    if (isOrBelow(host, domain)) {
      const std::string_view label =
          host.substr(0, host.size() - std::min(host.size(), domain.size() + 1));
      return std::find(usual.begin(), usual.end(), label) != usual.end();
    }
  return isOrBelow(host, "localhost") || host.ends_with(".local") || host.ends_with(".internal") ||
         host.starts_with("your") || host.starts_with("my-") || host == "..." || host == "url";
}

Standing standing(std::string_view host, std::string_view address, bool secured) {
  if (host.find_first_of("<${%[") != npos || host.empty()) return Standing::None;
  if (isNumber(host)) return isPrivate(host) ? Standing::Placeholder : Standing::Suspicious;
  if (isPlaceholder(host)) return Standing::Placeholder;
  for (const std::string_view one : suspicious)
    if (isOrBelow(host, one)) return Standing::Suspicious;
  for (const std::string_view one : wellKnown)
    if (one.find('/') != npos ? address.starts_with(one) : isOrBelow(host, one))
      return secured ? Standing::WellKnown : Standing::Unknown;
  for (const std::string_view one : forges)
    if (isOrBelow(host, one)) return secured ? Standing::Forge : Standing::Suspicious;
  return secured ? Standing::Unknown : Standing::Suspicious;
}

} // namespace

Standing standingOf(std::string_view text) {
  const std::string lower = asciiLowered(text.substr(0, maxAddressText));
  const std::string_view all = lower;
  Standing worst = Standing::None;
  for (std::size_t at = all.find("://"); at != npos; at = all.find("://", at + 3)) {
    std::string_view address = all.substr(at + 3);
    address = address.substr(0, address.find_first_of(" \t\"'`)<>|;,\\"));
    std::string_view host = address.substr(0, address.find_first_of("/?#"));
    if (const std::size_t name = host.rfind('@'); name != npos) host.remove_prefix(name + 1);
    host = host.substr(0, host.find(':'));
    const bool secured = at >= 5 && all.substr(at - 5, 5) == "https";
    worst = std::max(worst, standing(host, address, secured));
  }
  return worst;
}

} // namespace skillhost
