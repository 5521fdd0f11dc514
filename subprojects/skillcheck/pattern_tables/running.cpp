// SPDX-License-Identifier: Apache-2.0
// Patterns for running unseen code: downloads, decoded data, archives with passwords, reverse
// shells.
#include "patterns.hpp"

namespace skillhost {
namespace {

// Filters between two pipes, which pass their input on.
#define FILTERS                                                                                    \
  R"re((?:\|\s*(?:sudo\s+)?(?:tee|tr|sed|gunzip|gzip|zcat|xz|bzip2|zstd|grep|head|tail|cat|base64|openssl|jq|awk|cut|rev|xxd|funzip)\b[^|`]*)*)re"
// A shell or interpreter behind the last pipe that executes its input.
#define RUNS_INPUT                                                                                 \
  R"re(\|&?\s*(?:(?:sudo|doas|env|nohup|exec|command|busybox|xargs|setsid|time|nice)\s+(?:-[^\sc]\S*\s+|\w+=\S*\s+)*)*(?:[\w./~$-]*/)?(?:(?:ba|z|da|k|a|fi|c)?sh(?:\.exe)?(?:\s*$|\s*[;&|)"'`}<>\\,]|\s+-[abd-z-]|\s+[^-\s|]|\s+-\s|\s+-$)|(?:python[23]?(?:\.\d+)?|node|perl|ruby|php|osascript|pwsh|powershell(?:\.exe)?)\s*(?:$|[;&|)"'`}\\]|-(?:\s|$|["'])|-\s*<)))re"

constexpr Pattern runningTable[] = {
    // A download into a shell. In a table, a bar is no pipe, because the code ends before
    // it.
    {"exec.download-and-run", high, Speech::Download, Fact::None, "curl,wget,aria2c",
     R"re(\b(?:curl|wget|aria2c)(?:\.exe)?\s[^|`]*[.$%<{][^|`]*)re" FILTERS RUNS_INPUT},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "<(",
     R"re((?:\b(?:(?:ba|z|k|da)?sh|source|python[23]?|perl|ruby|node)\s+(?:-\S+\s+)*|(?:^|[\s;&(])\.\s+)<\(\s*(?:curl|wget)\b)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None,
     "$(curl,$(wget,$( curl,$( wget,`curl,`wget",
     R"re(\b(?:eval|(?:ba|z|da|k)?sh\s+-\w*c|exec|source|python[23]?\s+-c|(?:perl|ruby|node)\s+-e|php\s+-r|<<<)[\s\\]*["']?(?:\\?["'])?\s*(?:\$\(|`)\s*(?:curl|wget)\b)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "<<<",
     R"re(\b(?:ba|z|k)?sh\b[^|`]*<<<\s*["']?\$\(\s*(?:curl|wget)\b)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "iex,invoke-expression",
     R"re(\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|download(?:string|data)|openread)\b[^|`]*\|\s*(?:iex|invoke-expression)\b)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "iex,invoke-expression",
     R"re(\b(?:iex|invoke-expression)\b[^|`\n]*(?:downloadstring|downloaddata|invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|\bcurl\b|\bwget\b|net\.webclient))re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "mshta,regsvr32",
     R"re(\bmshta(?:\.exe)?\s+["']?https?:|\bregsvr32\b.*/i:\s*https?:)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None,
     "urlopen,requests.get,httpx.get,urllib",
     R"re(\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?[^\n]*(?:urlopen|requests\.get|httpx\.get|urllib2?\.request)\b)re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "eval(,function(",
     R"re(\beval\s*\(\s*await\b.*\bfetch\s*\(|\bnew\s+function\s*\(\s*await\b.*\bfetch\s*\(|\bfetch\s*\(.*=>\s*\(?\s*(?:0\s*,\s*)?eval\b|https?\.get\s*\(.*\beval\s*\()re"},
    {"exec.download-and-run", high, Speech::Download, Fact::None, "/releases/,http",
     R"re(\b(?:npx|uvx|pipx\s+run|deno\s+run)\s+(?:-\S+\s+)*["']?http://)re"},

    // Facts of downloads in two steps.
    {"", low, Speech::Download, Fact::SavesDownload, "curl,wget,aria2c",
     R"re(\b(?:curl|wget|aria2c)(?:\.exe)?\b[^|;&`]*?(?:\s-\w*o\s*|\s-O\s+|\s--out(?:put)?(?:-document)?[=\s]\s*|>\s*)["']?([^\s"';&|)`<>]+))re"},
    {"", low, Speech::Download, Fact::SavesDownload, "curl,wget",
     R"re(\bcurl(?:\.exe)?\b[^|;&`]*(?:\s-\w*O\b|--remote-name)[^|;&`]*https?://\S*?([\w.-]+)["']?(?:$|[\s;&)`]))re"},
    {"", low, Speech::Download, Fact::SavesDownload, "wget",
     R"re(\bwget\s+(?:-[a-np-z-]\S*\s+)*["']?(?:https?|ftp)://\S*?([\w.-]+)["']?(?:$|[\s;&)`]))re"},
    {"", low, Speech::Download, Fact::SavesDownload,
     "-outfile,downloadfile,urlretrieve,bitsadmin,certutil",
     R"re(-outfile\s+["']?([^\s"';|)]+))re"},
    {"", low, Speech::Download, Fact::SavesDownload, "downloadfile,urlretrieve",
     R"re((?:downloadfile|urlretrieve)\s*\([^,]+,\s*["']([^"']+)["'])re"},
    {"", low, Speech::Download, Fact::SavesDownload, "certutil,bitsadmin",
     R"re(\b(?:certutil\b.*-urlcache|bitsadmin\b.*/transfer)\b.*https?://\S+\s+["']?([^\s"';&|]+))re"},
    {"", low, Speech::Command, Fact::RunsFile,
     "sh ,source ,python,node ,perl ,ruby ,chmod ,start ,start-process,open "
     ",os.system,subprocess,"
     "execfile,rundll32",
     R"re((?:^|[\s;&|(`"'\[])(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|source|python[23]?|node|perl|ruby|chmod\s+(?:[augo]*\+[rwsX]*x[rwsX]*|[0-7]*[1357][0-7]*)|start(?:-process)?|rundll32|open|xattr\s+-\w+\s+\S+)["',]*\s+(?:-[abd-z]\S*\s+|/\w\s+)*["']?([^\s"';&|)`<>,]+))re"},
    {"", low, Speech::Command, Fact::RunsFile,
     "./,/tmp/,/dev/shm/,$home/,~/,%temp%,$env:temp,$tmpdir",
     R"re((?:^|[\s;&|(`"'])(?:sudo\s+|nohup\s+|exec\s+)?((?:\./|/tmp/|/var/tmp/|/dev/shm/|~/|\$\{?home\}?/|\$\{?tmpdir\}?/|%temp%\\|\$env:temp\\)[^\s"';&|)`<>,]+))re"},
    {"", low, Speech::Download, Fact::FetchesInto,
     "requests.get,urlopen,httpx.get,fetch(,curl,wget",
     R"re(\b(\w+)\s*=\s*(?:await\s+|\(await\s+)*(?:requests\.get|httpx\.get|urllib\.request\.urlopen|urlopen|fetch)\s*\()re"},
    {"", low, Speech::Download, Fact::FetchesInto, "$(curl,$(wget",
     R"re(\b(\w+)=["']?\$\(\s*(?:curl|wget)\b)re"},
    {"", low, Speech::Command, Fact::DecodesInto,
     "b64decode,unhexlify,fromhex,atob(,buffer.from,decompress,base64",
     R"re(\b(\w+)\s*=\s*.{0,80}?(?:b64decode|b32decode|b85decode|unhexlify|fromhex|\batob|zlib\.decompress|buffer\.from\s*\(.*?["'](?:base64|hex)["'])\s*[(),.])re"},
    {"", low, Speech::Command, Fact::DecodesInto, "base64",
     R"re(\b(\w+)=["']?\$\([^)]*base64\s+(?:-\w*d|--decode|-D))re"},
    {"", low, Speech::Command, Fact::EvaluatesVariable,
     "exec(,eval(,exec (,eval (,eval ,system(,function(,-c ",
     R"re((?:\b(?:exec|eval|os\.system|execSync|new\s+function|vm\.runinthiscontext)\s*\(\s*(?:compile\s*\(\s*)?|\beval\s+["']?\$\{?|\b(?:ba)?sh\s+-c\s+["']?\$\{?)(\w+))re"},

    // Decoding and running.
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "base64,xxd,uudecode,base32",
     R"re(\b(?:(?:base64|base32|basenc\s+\S+)\s+(?:-i\s+)?(?:-\w*d\w*|--decode|-D)\b|openssl\s+(?:enc\s+-?)?-?base64\s+(?:-\S+\s+)*-d|xxd\s+(?:-\w+\s+)*-r|uudecode\b)[^|`]*)re" FILTERS
         RUNS_INPUT},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "\\x,\\0,| rev,|rev,tr ",
     R"re(\b(?:echo\s+-\w*e\w*|printf)\s+["']?(?:\\x[0-9a-f]{2}|\\0?[0-7]{3}){4,}[^|`]*)re" FILTERS
         RUNS_INPUT},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "| rev,|rev,n-za-m",
     R"re(\becho\s[^|`]*\|\s*(?:rev|tr\s+["']?a-za-z["']?\s+["']?n-za-m\S*)\s*)re" RUNS_INPUT},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "base64,xxd",
     R"re((?:\b(?:eval|(?:ba|z|da|k)?sh\s+-\w*c|source|exec|python[23]?\s+-c|(?:ba|z)?sh)\s*["']?\s*|<<<\s*["']?|(?:^|\s)\.\s+)(?:\$\(|`|<\()[^)`]*\b(?:base64\s+(?:-\w*d|--decode|-D)|xxd\s+(?:-\w+\s+)*-r))re"},
    {"exec.decode-and-run", high, Speech::Command, Fact::None,
     "b64decode,b32decode,b85decode,a85decode,unhexlify,fromhex,decompress,rot13,rot_13",
     R"re(\b(?:exec|eval|compile|marshal\.loads|os["']?\)?\.(?:system|popen)|subprocess\.\w+|getattr\s*\(\s*__builtins__[^)]*\))\s*\(.*(?:b64decode|b32decode|b85decode|a85decode|unhexlify|fromhex|zlib\.decompress|rot_?13))re"},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "buffer.from,atob",
     R"re(\b(?:eval|function|run(?:in\w*context|script)|exec(?:sync)?)\s*\(.{0,60}(?:buffer\.from\s*\(.*?["'](?:base64|hex)["']|\batob\s*\())re"},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "powershell,pwsh",
     R"re(\b(?:powershell|pwsh)(?:\.exe)?\b.*\s[-/](?:e|en|enc|encod\w*|ec)\s+["']?(?:[a-z0-9+/=]{12,}|\$\w+))re"},
    {"exec.decode-and-run", high, Speech::Command, Fact::None, "frombase64string",
     R"re(\b(?:iex|invoke-expression)\b.*frombase64string|frombase64string.*\|\s*(?:iex|invoke-expression)\b)re"},
    {"exec.decode-and-run", high, Speech::Command, Fact::None,
     "decode64,base64_decode,gzinflate,decode_base64,unpack(",
     R"re(\b(?:eval|assert|system|instance_eval)\s*[( ]\s*.{0,40}(?:base64\.(?:strict_|urlsafe_)?decode64|base64_decode|gzinflate|decode_base64|unpack\s*\(?["']m))re"},

    {"exec.decode-and-run", high, Speech::Command, Fact::None, "chr(,fromcharcode",
     R"re(\b(?:exec|eval)\s*\(\s*(?:["']{2}\.join\s*\(.*\bchr\s*\(|string\.fromcharcode\s*\())re"},

    // A shell on the network.
    {"exec.reverse-shell", high, Speech::Command, Fact::None, "/dev/tcp/,/dev/udp/",
     R"re((?:\b(?:ba|z|k|da)?sh\b\s+-i\b.*/dev/(?:tcp|udp)/|0<&\d+-?;.*/dev/(?:tcp|udp)/|/dev/(?:tcp|udp)/\S+.*(?:\|\s*(?:ba|z)?sh\b|while\s+read.*do.*(?:eval|\$line|\$cmd)|0>&1|0<&1))|\b(?:ba|z)?sh\b[^|]*<\s*/dev/(?:tcp|udp)/)re"},
    {"exec.reverse-shell", high,
     Speech::Command, Fact::None, "nc ,ncat,netcat,nc.exe,nc.traditional", R"re(\b(?:nc|ncat|netcat|nc\.traditional|nc\.openbsd)(?:\.exe)?\s.*\s?(?:-\w*[ec]\s*|--(?:sh-)?exec[=\s]\s*)["']?(?:[\w/\\:.]*[/\\])?(?:(?:ba|z|da|a|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)\b)re"},
    {"exec.reverse-shell", high, Speech::Command, Fact::None, "nc ,ncat,netcat",
     R"re(\b(?:nc|ncat|netcat)\s+[^|`]*\|\s*(?:[\w./]*/)?(?:ba|z|da)?sh(?:\s*$|\s*[;&|)"'`]|\s+-i|\s+[0-9>]))re"},
    {"exec.reverse-shell", high, Speech::Command, Fact::None, "mkfifo,mknod",
     R"re(\b(?:mkfifo|mknod\s+\S+\s+p)\b.*\b(?:nc|ncat|netcat|s_client|telnet|socat)\b)re"},
    {"exec.reverse-shell", high, Speech::Command, Fact::None, "sh -i",
     R"re(\b(?:ba|z|da)?sh\s+-i\b[^|`]*\|\s*(?:nc|ncat|netcat|openssl\s+s_client|telnet)\b)re"},
    {"exec.reverse-shell", high, Speech::Command, Fact::None, "socat",
     R"re(\bsocat\b.*\b(?:exec|system):\s*["']?\S*(?:sh|cmd|powershell)\b)re"},
    {"exec.reverse-shell", high, Speech::Command, Fact::None,
     "perl,ruby,php,fsockopen,tcpsocket,/inet/tcp,lua",
     R"re(\bperl\b.*\bsocket\b.*\b(?:exec|system)\b|\bfsockopen\s*\(.*\b(?:exec|shell_exec|proc_open|passthru|system|popen)\s*\(|\btcpsocket\.(?:new|open)\b.*(?:\bexec\b|\bspawn\b|popen|\bsh\b)|/inet/(?:tcp|udp)/.*(?:getline|\|&)|\blua\b.*socket\.tcp.*(?:popen|execute))re"},
    {"", low, Speech::Command, Fact::OpensSocket, "socket",
     R"re(\bsocket\.socket\s*\(|\bs\.connect\s*\(\s*\(|\bimport\s+socket\b|\bsocket\.create_connection\s*\()re"},
    {"", low, Speech::Command, Fact::DuplicatesDescriptor, "dup2", R"re(\bdup2\s*\()re"},
    {"", low, Speech::Command, Fact::StartsShell,
     R"(pty.spawn,subprocess,/bin/sh,/bin/bash,cmd.exe,"sh",'sh',os.exec)",
     R"re(\bpty\.spawn\s*\(|["'](?:/bin/|/usr/bin/)?(?:ba|z)?sh["']|["'](?:c:\\\\?windows\\\\?system32\\\\?)?cmd(?:\.exe)?["']|\bos\.exec\w*\s*\()re"},
    {"", low, Speech::Command, Fact::OpensTcpDescriptor, "/dev/tcp/",
     R"re(\bexec\s+(\d+)<>\s*/dev/(?:tcp|udp)/)re"},
    {"", low, Speech::Command, Fact::ShellOnDescriptor, "<&",
     R"re(\b(?:ba|z|da)?sh\b[^|]*<&\s*(\d+)|\bcat\s*<&(\d+)\s*\|)re"},
    {"", low, Speech::Command, Fact::TcpClient, "tcpclient", R"re(net\.sockets\.tcpclient)re"},
    {"", low, Speech::Command, Fact::EvaluatesText, "iex,invoke-expression,cmd.exe",
     R"re(\b(?:iex|invoke-expression)\b|cmd\.exe|start-process)re"},
    {"", low, Speech::Command, Fact::ConnectsInNode, "net.",
     R"re(\bnet\.(?:socket|connect|createconnection)\s*\()re"},
    {"", low, Speech::Command, Fact::StartsChildInNode, "spawn(,child_process",
     R"re(\bspawn\s*\(\s*["'](?:/bin/|/usr/bin/)?(?:(?:ba|z)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)["'])re"},

    // Other patterns.
    {"exec.temporary-code", medium, Speech::Command, Fact::None, "/tmp,/dev/shm",
     R"re(\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?open\s*\(\s*["'](?:/tmp|/var/tmp|/dev/shm)/)re"},
    {"exec.temporary-code", medium, Speech::Command, Fact::None, "/tmp/.,/dev/shm/",
     R"re((?:^|[\s;&|`])(?:(?:ba|z|da)?sh|source|\.|python[23]?|nohup|node)\s+["']?(?:/tmp/\.|/var/tmp/\.|/dev/shm/)\S)re"},
    {"exec.paste-from-web", high, Speech::Words, Fact::None,
     "glot.io,rentry.,pastebin.com,hastebin,dpaste,paste.ee,justpaste,telegra.ph,controlc."
     "com,"
     "ghostbin,privatebin",
     R"re(https?://(?:[\w-]+\.)*(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin\.\w+|dpaste\.\w+|ghostbin\.\w+|controlc\.com|justpaste\.it|telegra\.ph|privatebin\.\w+).*\b(?:paste|copy|run|execute|terminal|commands?|install\w*|script)\b)re"},
    // `unzip -p` writes a file to the output; only `-P` gives a password.
    {"exec.password-archive", medium, Speech::Command, Fact::None, "unzip,7z,unrar",
     R"re(\b(?:curl|wget|https?:)\b.*\b(?:unzip\b.*\s(?-i:-P)\s*\S|7z[arz]?\s+[xe]\b.*\s-p\S|unrar\b.*\s-p\w))re"},
    {"exec.password-archive", low, Speech::Command, Fact::PasswordForArchive, "unzip,7z,unrar",
     R"re(\bunzip\b.*\s(?-i:-P)\s*\S|\b7z[arz]?\s+[xe]\b.*\s-p\S|\bunrar\s+[xe]\b.*\s-p\w)re"},
    {"exec.password-archive", high, Speech::Words, Fact::None, ".zip,.rar,.7z,.exe,.dmg,/releases/",
     R"re((?:\.(?:zip|rar|7z|exe|dmg)\b|/releases/).*\b(?:extract|unzip|unpack|open)\w*\b.{0,40}\b(?:pass(?:word|code|phrase)?|pw)\b\s*(?:is)?\s*[:=]?[\s`"'*]*\w)re"},
    {"exec.password-archive", high, Speech::Words, Fact::None, ".zip,.rar,.7z,.exe,.dmg",
     R"re(\.(?:zip|rar|7z|exe|dmg)\b.{0,20}[(\[]\s*pass(?:word|code)?\s*[:=]\s*\S)re"},
    {"", low, Speech::Words, Fact::NamesArchive, ".zip,.rar,.7z,.exe,.dmg",
     R"re(https?://[^\s)"'`<>]+\.(?:zip|rar|7z|exe|dmg)\b)re"},
    {"", low, Speech::Words, Fact::PasswordForArchive, "password,passcode,pass:",
     R"re(\b(?:extract|unzip|unpack|unlock|archive)\w*\b[^.\n]{0,60}\bpass(?:word|code)?\b\s*(?:is)?\s*[:=]?\s*[*`"':]+\s*(\S+)|^\W*password\W*[:=]\W*(\w+)\W*$)re"},
    // A program that the reader must fetch from a page.
    {"exec.required-download", high, Speech::Page, Fact::None,
     "must be installed,must install,be installed before,install it first,required before,"
     "must be downloaded,must first install,must download,need to install,needs to be "
     "installed",
     R"re(\b(?:must|needs?\s+to|has\s+to|have\s+to|required?)\b[^\n]{0,40}(?:\bdownload(?:ed)?\b[^\n]{0,80}\b(?:before|first|prior|to\s+(?:use|run)|in\s+order)\b[^\n]{0,120}|\binstall(?:ed)?\b[^\n]{0,80}\b(?:before|first|prior|to\s+(?:use|run)|in\s+order)\b[^\n]{0,120}\b(?:from|at|via|here|visit|download|get|go\s+to|page|link|installer|setup)\b[^\n]{0,60})https?://[^\s)"'`<>]+)re"},
    // Perhaps only a page about a well-known program.
    {"exec.required-download", medium, Speech::Page, Fact::None,
     "must be installed,must install,be installed before,install it first,required before,"
     "must be downloaded,must first install,must download,need to install,needs to be "
     "installed",
     R"re(\b(?:must|needs?\s+to|has\s+to|have\s+to|required?)\b[^\n]{0,40}\b(?:install|download)(?:ed)?\b[^\n]{0,80}\b(?:before|first|prior|to\s+(?:use|run)|in\s+order)\b[^\n]{0,120}https?://[^\s)"'`<>]+)re"},
    {"", low, Speech::Words, Fact::RequiresInstallation,
     "must be installed,must install,be installed before,required before,"
     "must be downloaded,must first install,must download,needs to be installed",
     R"re(\b(?:must|needs?\s+to|has\s+to|have\s+to|required?)\b[^\n]{0,40}\b(?:install|download)(?:ed)?\b[^\n]{0,80}\b(?:before|first|prior|to\s+(?:use|run)|in\s+order)\b)re"},
    {"", low, Speech::Words, Fact::NamesDownloadPage, "http",
     R"re(\b(?:download(?:s|ing)?|install(?:er|ing)?|get|visit)\b[^\n]{0,80}https?://[^\s)"'`<>]+)re"},
    {"exec.inline-command", low, Speech::Anywhere, Fact::None, "!`", R"re((?:^|\s)!`[!-_a-~])re"},
};

#undef FILTERS
#undef RUNS_INPUT

} // namespace

std::span<const Pattern> runningPatterns() noexcept { return runningTable; }

} // namespace skillhost
