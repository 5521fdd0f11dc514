// SPDX-License-Identifier: Apache-2.0
// Patterns for lasting changes (jobs, profiles, keys, hooks), and for commands that weaken or
// destroy.
#include "patterns.hpp"

namespace skillhost {
namespace {

#define PROFILE                                                                                    \
  R"re(["']?(?:~|\$\{?home\}?|/root|/home/[\w$]+|/etc)/(?:\.?(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|bash\.bashrc|zlogin)|\.config/fish/config\.fish)\b)re"
#define WRITES                                                                                     \
  R"re((?:>>?|\btee\s+(?:-a\s+)?|\b(?:cp|mv|install|ln)\s(?:-\S+\s+)*\S+\s+)\s*["']?)re"

constexpr Pattern
    persistenceTable
        [] =
            {
                {"persist.scheduled-job", medium, Speech::Command, Fact::None,
                 "crontab,/etc/cron,cron.d",
                 R"re(\|\s*(?:sudo\s+)?crontab\s+(?:-u\s+\S+\s+)?-(?:\s|$|["')`;])|\bcrontab\s+(?:-u\s+\S+\s+)?(?:-\s*<|<|/\S|\S+\.(?:cron|txt|tab)\b)|(?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+\S+\s+)\s*["']?/(?:etc/cron|var/spool/cron)|["']\s*/etc/cron\S*["']\s*,\s*["'][aw])re"},
                {"persist.scheduled-job", medium, Speech::Command, Fact::None,
                 "schtasks,register-scheduledtask,new-scheduledtask,systemd-run",
                 R"re(\bschtasks(?:\.exe)?\s+/create\b|\bregister-scheduledtask\b|\bsystemd-run\b.*--on-(?:calendar|boot|unit))re"},
                {"persist.scheduled-job", medium, Speech::Command, Fact::None, "| at ",
                 R"re(\|\s*at\s+(?:now|\d|midnight|noon))re"},
                {"persist.shell-profile", medium, Speech::Command, Fact::None,
                 "bashrc,zshrc,profile,zprofile,zshenv,bash_login,config.fish,zlogin",
                 R"re((?:\b(?:curl|wget|nohup|base64|nc|python[23]?\s|perl\s|bash\s+-c|sh\s+-c|/tmp/|/dev/)|\balias\s+(?:sudo|ssh|git|ls)=|\bLD_PRELOAD\b).*(?:>>|\btee\s+-a)\s*)re" PROFILE},
                {"persist.shell-profile", low, Speech::Command, Fact::None,
                 "bashrc,zshrc,profile,zprofile,zshenv,bash_login,config.fish,zlogin",
                 R"re((?:>>?|\btee\s+(?:-a\s+)?)\s*)re" PROFILE},
                {"persist.shell-profile", medium, Speech::Command, Fact::None,
                 "bashrc,zshrc,profile,zprofile,zshenv",
                 R"re(\b(?:open|appendfile(?:sync)?|write_text|fopen)\s*\(.{0,80}\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)["'].{0,20}(?:["']a|["']w|,))re"},
                {"persist.shell-profile", medium, Speech::Command, Fact::None, "$profile",
                 R"re((?:>>|\b(?:add|set|out)-(?:content|file)\b.*)\s*["']?\$profile\b)re"},
                {"persist.authorized-keys", high, Speech::Command, Fact::None, "authorized_keys",
                 R"re((?:>>?|\btee\s+(?:-a\s+)?|\bcp\s+\S+\s+)\s*["']?\S*\.ssh/authorized_keys|\b(?:open|appendfile(?:sync)?|write_text|writefile(?:sync)?|join|fopen)\s*\(.{0,80}authorized_keys["').\s,]{1,6}.{0,40}(?:["']a|["']w|write|ssh-))re"},
                {"persist.login-item", medium, Speech::Command, Fact::None,
                 "/systemd/,systemd/user,rc.local,/etc/init.d,ld.so.preload,.desktop",
                 WRITES
                 R"re((?:/etc/systemd/system|/usr/lib/systemd/system|/lib/systemd/system|(?:~|\$\{?home\}?)/\.config/systemd/user|/etc/rc\.local|/etc/init\.d|/etc/ld\.so\.preload|(?:~|\$\{?home\}?)/\.config/autostart))re"},
                {"persist.login-item", medium, Speech::Command, Fact::None,
                 "launchagents,launchdaemons,launchctl",
                 WRITES
                 R"re(\S*library/launch(?:agents|daemons)/|\blaunchctl\s+(?:load|bootstrap|submit)\b)re"},
                {"persist.login-item", medium, Speech::Command, Fact::None,
                 R"(currentversion\run,currentversion\\run,startup)",
                 R"re(\b(?:reg(?:\.exe)?\s+add|set-itemproperty|new-itemproperty|setvalue\w*|openkey|createkey)\b.*currentversion\\+run|start\s+menu\\+programs\\+startup\\+\S+\.(?:exe|bat|lnk|vbs|ps1|cmd)|\bcopy\b.*\\startup\\)re"},
                {"persist.git-hook", medium, Speech::Command, Fact::None, ".git/hooks,hookspath",
                 WRITES
                 R"re(\S*\.git/hooks/\w|\bgit\s+config\s+(?:--global|--system)\s+core\.hookspath)re"},

                {"system.weaker-protection", medium, Speech::Command, Fact::None, "chmod",
                 R"re(\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx|ugo\+rwx)\s+(?:-R\s+)?["']?(?:/|~|\$home)|\bchmod\s+(?:-R\s+)?(?:[ug]*\+[rwx]*s[rwx]*|[2467][0-7]{3})\s)re"},
                {"system.weaker-protection", medium, Speech::Command, Fact::None,
                 "nopasswd,setenforce 0,ufw "
                 "disable,disablerealtimemonitoring,exclusionpath,master-disable,"
                 "com.apple.quarantine,executionpolicy,iptables -f,advfirewall",
                 R"re(\bnopasswd\s*:.*(?:>|\btee\b)|(?:>|\btee\b).*\bnopasswd\s*:|\bsetenforce\s+0|\bufw\s+disable|-disablerealtimemonitoring\s+(?:\$true|1)|-exclusionpath\b|\bspctl\s+--master-disable|\bxattr\s+-\w*[dc]\w*\s+(?:com\.apple\.quarantine\s+)?\S+|\biptables\s+-F\b|advfirewall\s+set\s+\w+\s+state\s+off)re"},
                {"system.destroys", medium,
                 Speech::Command, Fact::None, "rm ", R"re((?:^[\s@$#>*-]*|[;&|(\x60]\s*|\b(?:sudo|doas|exec|xargs|then|do|else|time|nohup|env)\s+(?:-\S+\s+)*|(?:\s-\w*c|\b(?:eval|system|\w*run|popen|\w*call|exec\w*|shell))\b[\s(\["'=,:]*|^\s*"\w+"\s*:\s*")rm\s+-\w*[rf]\w*(?:\s+[^\s;|&]+)*?\s+["']?(?:/\*?(?:\s|$|["'\x60;])|~/?\*?(?:\s|$|["'\x60;])|\$\{?home\}?/?\*?(?:\s|$|["'\x60;])|/var/log\b|/home/?(?:\s|$|["'\x60;])|/etc/?(?:\s|$|\*))|--no-preserve-root)re"},
                {"system.destroys", medium, Speech::Command, Fact::None,
                 "history "
                 "-c,histfile,bash_history,:(){,of=/dev/,mkfs.,vssadmin,clear-eventlog,wevtutil",
                 R"re(\bhistory\s+-c\b|\bunset\s+histfile|\bhistfile=/dev/null|(?:>|\brm\s+(?:-\w+\s+)?|\bshred\s.*)\s*~/\.(?:bash|zsh)_history|:\(\)\s*\{\s*:\s*\|\s*:\s*&|\bdd\s+.*\bof=/dev/(?:sd|nvme|disk|hd)|\bmkfs\.\w+\s+.*/dev/|vssadmin\s+delete|\bclear-eventlog\b|wevtutil\s+cl\b)re"},

                {"system.destroys", low, Speech::Command, Fact::None, "rm ,--force,--hard",
                 R"re(\brm\s+-\w*[rf]\w*(?:\s+[^\s;|&]+)*?\s+["']?(?:\.{1,2}/)?\*|\bgit\s+(?:push\s[^\n]*--force\b|reset\s+--hard|clean\s+-\w*f))re"},

                // Scripts of package managers.
                {"package.install-hook", high, Speech::Command, Fact::None,
                 R"("preinstall,"postinstall,"install")",
                 R"re("(?:pre|post)?install"\s*:\s*"[^"\n]*(?:\bcurl\b|\bwget\b|https?://|\bbase64\b|\bnc\s|/dev/tcp|powershell|\beval\b))re"},
                {"package.install-hook", medium, Speech::Command, Fact::None,
                 R"("preinstall,"postinstall,"install")",
                 R"re("(?:pre|post)?install"\s*:\s*"[^"\n]*(?:\bnode\s+(?:-e|\S+\.js)|\b(?:ba)?sh\s|\bpython[23]?\s|\./))re"},
                {"package.install-hook", medium, Speech::Command, Fact::None, "cmdclass",
                 R"re(\bcmdclass\s*=\s*\{?[^\n]*(?:install|develop|egg_info|build_py|bdist_egg)\b)re"},
                {"package.install-hook", medium, Speech::Command, Fact::None,
                 "(install),(develop),(egg_info)",
                 R"re(\bclass\s+\w+\s*\(\s*(?:\w+\.)?(?:install|develop|egg_info)\s*\)\s*:)re"},
};

#undef PROFILE
#undef WRITES

} // namespace

std::span<const Pattern> persistencePatterns() noexcept { return persistenceTable; }

} // namespace skillhost
