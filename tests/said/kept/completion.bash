# bash completion for skillhost. Load it with: source <(skillhost completion bash)
_skillhost_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_skillhost_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_skillhost_option() {
  local chain=$1
  value='' optional=0
  while true; do
    case "$chain $2" in
    ' -c'|' --config') value='files'; return ;;
    ' --set') value='anything'; return ;;
    ' --watch') value='auto inotify poll off'; return ;;
    ' --example-config') value='yaml json markdown' optional=1; return ;;
    ' --skills-dir') value='folders'; return ;;
    ' --project-root') value='folders'; return ;;
    ' --expose') value='gateway skills both'; return ;;
    ' --results') value='auto text both structured'; return ;;
    ' --paths') value='auto absolute uri untouched'; return ;;
    ' --skills-lock') value='files'; return ;;
    ' --skill-rules') value='lenient basic strict'; return ;;
    ' --names') value='first strict'; return ;;
    ' --include') value='anything'; return ;;
    ' --exclude') value='anything'; return ;;
    ' --top-k') value='anything'; return ;;
    ' --max-skill-content-chars') value='anything'; return ;;
    ' --transport') value='stdio http'; return ;;
    ' --listen') value='anything'; return ;;
    ' --port') value='anything'; return ;;
    ' --public-url') value='anything'; return ;;
    ' --tls-certificate') value='files'; return ;;
    ' --tls-key') value='files'; return ;;
    ' --plugins-dir') value='folders'; return ;;
    ' --plugins-lock') value='files'; return ;;
    ' --search') value='anything'; return ;;
    ' --min-score') value='anything'; return ;;
    ' --auth') value='anything'; return ;;
    ' --oauth-client-id') value='anything'; return ;;
    ' --oauth-client-secret') value='anything'; return ;;
    ' --oauth-provider-url') value='anything'; return ;;
    ' --audit-log') value='files'; return ;;
    ' --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' --log-format') value='text json'; return ;;
    ' validate --skill-rules') value='lenient basic strict'; return ;;
    ' validate --rules') value='folders'; return ;;
    ' validate --fail-on') value='error warning advice never'; return ;;
    ' plugins --write-lock') value='files'; return ;;
    ' search --against') value='files'; return ;;
    ' skill list --skill-dir') value='folders'; return ;;
    ' skill list --store-key') value='files'; return ;;
    ' skill list --trusted-key') value='files'; return ;;
    ' skill info --skill-dir') value='folders'; return ;;
    ' skill info --store-key') value='files'; return ;;
    ' skill info --trusted-key') value='files'; return ;;
    ' skill new --in') value='folders'; return ;;
    ' skill new --description') value='anything'; return ;;
    ' skill validate --skill-rules') value='lenient basic strict'; return ;;
    ' skill validate --rules') value='folders'; return ;;
    ' skill validate --fail-on') value='error warning advice never'; return ;;
    ' skill save --skill-dir') value='folders'; return ;;
    ' skill save --store-key') value='files'; return ;;
    ' skill save --keep') value='anything'; return ;;
    ' skill save --wasm') value='files'; return ;;
    ' skill load --skill-dir') value='folders'; return ;;
    ' skill load --store-key') value='files'; return ;;
    ' skill load --trusted-key') value='files'; return ;;
    ' skill load --output') value='folders'; return ;;
    ' skill remove --skill-dir') value='folders'; return ;;
    ' skill verify --skill-dir') value='folders'; return ;;
    ' skill verify --store-key') value='files'; return ;;
    ' skill verify --trusted-key') value='files'; return ;;
    ' skill export --skill-dir') value='folders'; return ;;
    ' skill export --store-key') value='files'; return ;;
    ' skill export --trusted-key') value='files'; return ;;
    ' skill import --skill-dir') value='folders'; return ;;
    ' skill import --store-key') value='files'; return ;;
    ' skill import --keep') value='anything'; return ;;
    ' skill import --trusted-key') value='files'; return ;;
    ' skill rollback --skill-dir') value='folders'; return ;;
    ' skill rollback --store-key') value='files'; return ;;
    ' skill rollback --to') value='anything'; return ;;
    ' skill rollback --above') value='anything'; return ;;
    ' skill rollback --key') value='files'; return ;;
    ' skill sign --skill-dir') value='folders'; return ;;
    ' skill sign --store-key') value='files'; return ;;
    ' skill sign --key') value='files'; return ;;
    ' skill push --user') value='anything'; return ;;
    ' skill push --token-env') value='anything'; return ;;
    ' skill push --token-file') value='files'; return ;;
    ' skill push --docker-config') value='files'; return ;;
    ' skill push --credential-helper') value='anything'; return ;;
    ' skill push --ca-file') value='files'; return ;;
    ' skill push --timeout') value='anything'; return ;;
    ' skill pull --into') value='folders'; return ;;
    ' skill pull --trusted-key') value='files'; return ;;
    ' skill pull --user') value='anything'; return ;;
    ' skill pull --token-env') value='anything'; return ;;
    ' skill pull --token-file') value='files'; return ;;
    ' skill pull --docker-config') value='files'; return ;;
    ' skill pull --credential-helper') value='anything'; return ;;
    ' skill pull --ca-file') value='files'; return ;;
    ' skill pull --timeout') value='anything'; return ;;
    ' add -c'|' add --config') value='files'; return ;;
    ' add --name') value='anything'; return ;;
    ' add --token-env') value='anything'; return ;;
    ' add --plugin') value='github well_known filesystem'; return ;;
    ' remove -c'|' remove --config') value='files'; return ;;
    ' update -c'|' update --config') value='files'; return ;;
    ' list -c'|' list --config') value='files'; return ;;
    ' usage --since') value='anything'; return ;;
    ' usage --until') value='anything'; return ;;
    ' usage --by') value='skill client day principal query'; return ;;
    ' usage --kind') value='load read search refusal'; return ;;
    ' usage --skill') value='anything'; return ;;
    ' usage --limit') value='anything'; return ;;
    ' lock --file') value='files'; return ;;
    ' review approve --reason') value='anything'; return ;;
    ' review approve --expires') value='anything'; return ;;
    ' review approve --who') value='anything'; return ;;
    ' review approve --digest') value='anything'; return ;;
    ' review approve --seen') value='anything'; return ;;
    ' review approve --sign') value='files'; return ;;
    ' review reject --reason') value='anything'; return ;;
    ' review reject --expires') value='anything'; return ;;
    ' review reject --who') value='anything'; return ;;
    ' review reject --digest') value='anything'; return ;;
    ' review reject --seen') value='anything'; return ;;
    ' review reject --sign') value='files'; return ;;
    ' inbox approve --reason') value='anything'; return ;;
    ' inbox approve --who') value='anything'; return ;;
    ' inbox reject --reason') value='anything'; return ;;
    ' inbox reject --who') value='anything'; return ;;
    ' check --config') value='files'; return ;;
    ' check --deadline-ms') value='anything'; return ;;
    ' check --only') value='anything'; return ;;
    ' check --allow-read') value='files'; return ;;
    ' try --config') value='files'; return ;;
    ' try --deadline-ms') value='anything'; return ;;
    ' try --skills') value='folders'; return ;;
    ' try --resource') value='anything'; return ;;
    ' try --allow-read') value='files'; return ;;
    ' token add --file') value='files'; return ;;
    ' token add --scope') value='anything'; return ;;
    ' token add --expires-in') value='anything'; return ;;
    ' token list --file') value='files'; return ;;
    ' token revoke --file') value='files'; return ;;
    ' key new --kind') value='signing store'; return ;;
    ' connect --token-env') value='anything'; return ;;
    ' connect --token-file') value='files'; return ;;
    ' connect --token-command') value='anything'; return ;;
    ' connect --client-secret-env') value='anything'; return ;;
    ' connect --client-secret-file') value='files'; return ;;
    ' connect --issuer') value='anything'; return ;;
    ' connect --header') value='anything'; return ;;
    ' connect --ca-file') value='files'; return ;;
    ' connect --connect-timeout-ms') value='anything'; return ;;
    ' connect --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' connect --log-format') value='text json'; return ;;
    ' connect --client-id') value='anything'; return ;;
    ' connect --scope') value='anything'; return ;;
    ' connect --client-metadata') value='anything'; return ;;
    ' login --client-id') value='anything'; return ;;
    ' login --scope') value='anything'; return ;;
    ' login --client-metadata') value='anything'; return ;;
    ' login --ca-file') value='files'; return ;;
    ' login --connect-timeout-ms') value='anything'; return ;;
    ' login --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' login --log-format') value='text json'; return ;;
    ' logout --ca-file') value='files'; return ;;
    ' logout --connect-timeout-ms') value='anything'; return ;;
    ' logout --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' logout --log-format') value='text json'; return ;;
    ' health --ca-file') value='files'; return ;;
    ' health --connect-timeout-ms') value='anything'; return ;;
    ' generate --url') value='anything'; return ;;
    ' generate --output') value='folders'; return ;;
    ' generate --timeout') value='anything'; return ;;
    ' generate --token-env') value='anything'; return ;;
    ' generate --token-file') value='files'; return ;;
    ' generate --token-command') value='anything'; return ;;
    ' generate --client-secret-env') value='anything'; return ;;
    ' generate --client-secret-file') value='files'; return ;;
    ' generate --issuer') value='anything'; return ;;
    ' generate --header') value='anything'; return ;;
    ' generate --ca-file') value='files'; return ;;
    ' generate --connect-timeout-ms') value='anything'; return ;;
    ' generate --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' generate --log-format') value='text json'; return ;;
    ' generate --client-id') value='anything'; return ;;
    ' generate --scope') value='anything'; return ;;
    ' generate --skill-dir') value='folders'; return ;;
    ' generate --store-key') value='files'; return ;;
    ' generate --keep') value='anything'; return ;;
    ' client-config --file') value='files'; return ;;
    ' client-config --name') value='anything'; return ;;
    ' client-config --url') value='anything'; return ;;
    ' client-config --token-env') value='anything'; return ;;
    ' client-config --token-file') value='files'; return ;;
    ' client-config --token-command') value='anything'; return ;;
    ' client-config --header') value='anything'; return ;;
    ' sync --agent') value='claude-code codex cursor copilot gemini-cli opencode goose agents'; return ;;
    ' sync --folder') value='folders'; return ;;
    ' sync --interval') value='anything'; return ;;
    ' sync --url') value='anything'; return ;;
    ' sync --token-env') value='anything'; return ;;
    ' sync --token-file') value='files'; return ;;
    ' sync --token-command') value='anything'; return ;;
    ' sync --client-secret-env') value='anything'; return ;;
    ' sync --client-secret-file') value='files'; return ;;
    ' sync --issuer') value='anything'; return ;;
    ' sync --header') value='anything'; return ;;
    ' sync --ca-file') value='files'; return ;;
    ' sync --connect-timeout-ms') value='anything'; return ;;
    ' sync --client-id') value='anything'; return ;;
    ' sync --scope') value='anything'; return ;;
    ' propose --url') value='anything'; return ;;
    ' propose --note') value='anything'; return ;;
    ' propose --token-env') value='anything'; return ;;
    ' propose --token-file') value='files'; return ;;
    ' propose --token-command') value='anything'; return ;;
    ' propose --client-secret-env') value='anything'; return ;;
    ' propose --client-secret-file') value='files'; return ;;
    ' propose --issuer') value='anything'; return ;;
    ' propose --header') value='anything'; return ;;
    ' propose --ca-file') value='files'; return ;;
    ' propose --connect-timeout-ms') value='anything'; return ;;
    ' propose --log-level') value='DEBUG INFO WARNING ERROR'; return ;;
    ' propose --log-format') value='text json'; return ;;
    ' propose --client-id') value='anything'; return ;;
    ' propose --scope') value='anything'; return ;;
    ' model fetch --index-url') value='anything'; return ;;
    ' model fetch --model') value='minilm bge-small e5-small bge-small-zh multilingual-e5-small'; return ;;
    ' model check --model') value='minilm bge-small e5-small bge-small-zh multilingual-e5-small'; return ;;
    ' model check --instructions') value='auto portable avx2 avx512 neon'; return ;;
    esac
    case "$chain" in
    ' serve'|' plugins'|' search'|' skill'|' skill list'|' skill info'|' skill save'|' skill import'|' skill push'|' source'|' source list'|' source status'|' source refresh'|' usage'|' doctor'|' lock'|' review'|' review list'|' review show'|' review diff'|' review approve'|' review reject'|' review sign'|' review export'|' review import'|' inbox'|' inbox list'|' inbox show'|' inbox approve'|' inbox reject'|' bom'|' client-config'|' sync') chain=${chain% *} ;;
    *) return ;;
    esac
  done
}

_skillhost() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path='' i value optional
  COMPREPLY=()
  # Bash splits --option=value at the equals sign.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    _skillhost_option "$path" "${COMP_WORDS[i]}"
    if [[ -n $value && $optional == 0 ]]; then
      ((i++))
      [[ ${COMP_WORDS[i]} == '=' ]] && ((i++))
      continue
    fi
    case "$path ${COMP_WORDS[i]}" in
    ' serve') path=' serve' ;;
    ' validate') path=' validate' ;;
    ' plugins') path=' plugins' ;;
    ' search') path=' search' ;;
    ' skill') path=' skill' ;;
    ' skill list') path=' skill list' ;;
    ' skill info') path=' skill info' ;;
    ' skill new') path=' skill new' ;;
    ' skill validate') path=' skill validate' ;;
    ' skill save') path=' skill save' ;;
    ' skill load') path=' skill load' ;;
    ' skill remove') path=' skill remove' ;;
    ' skill verify') path=' skill verify' ;;
    ' skill export') path=' skill export' ;;
    ' skill import') path=' skill import' ;;
    ' skill rollback') path=' skill rollback' ;;
    ' skill sign') path=' skill sign' ;;
    ' skill push') path=' skill push' ;;
    ' skill pull') path=' skill pull' ;;
    ' add') path=' add' ;;
    ' remove') path=' remove' ;;
    ' update') path=' update' ;;
    ' list') path=' list' ;;
    ' source') path=' source' ;;
    ' source list') path=' source list' ;;
    ' source status') path=' source status' ;;
    ' source refresh') path=' source refresh' ;;
    ' usage') path=' usage' ;;
    ' doctor') path=' doctor' ;;
    ' lock') path=' lock' ;;
    ' review') path=' review' ;;
    ' review list') path=' review list' ;;
    ' review show') path=' review show' ;;
    ' review diff') path=' review diff' ;;
    ' review approve') path=' review approve' ;;
    ' review reject') path=' review reject' ;;
    ' review sign') path=' review sign' ;;
    ' review export') path=' review export' ;;
    ' review import') path=' review import' ;;
    ' inbox') path=' inbox' ;;
    ' inbox list') path=' inbox list' ;;
    ' inbox show') path=' inbox show' ;;
    ' inbox approve') path=' inbox approve' ;;
    ' inbox reject') path=' inbox reject' ;;
    ' bom') path=' bom' ;;
    ' check') path=' check' ;;
    ' try') path=' try' ;;
    ' token') path=' token' ;;
    ' token add') path=' token add' ;;
    ' token list') path=' token list' ;;
    ' token revoke') path=' token revoke' ;;
    ' key') path=' key' ;;
    ' key new') path=' key new' ;;
    ' connect') path=' connect' ;;
    ' login') path=' login' ;;
    ' logout') path=' logout' ;;
    ' health') path=' health' ;;
    ' generate') path=' generate' ;;
    ' client-config') path=' client-config' ;;
    ' sync') path=' sync' ;;
    ' propose') path=' propose' ;;
    ' model') path=' model' ;;
    ' model fetch') path=' model fetch' ;;
    ' model list') path=' model list' ;;
    ' model check') path=' model check' ;;
    ' completion') path=' completion' ;;
    esac
  done
  _skillhost_option "$path" "$previous"
  case $value in
  '') ;;
  anything) return ;;
  folders) _skillhost_paths -d; return ;;
  files) _skillhost_paths -f; return ;;
  *) _skillhost_words "$value"; return ;;
  esac
  case "$path" in
  ' serve')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' validate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-rules --strict --hidden --rules --json --sarif --fail-on '
    else _skillhost_paths -f; fi ;;
  ' plugins')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --write-lock -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' search')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --explain --evaluate --against -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' skill info')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' skill new')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --in --description '
    else :; fi ;;
  ' skill validate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-rules --strict --hidden --rules --json --sarif --fail-on '
    else _skillhost_paths -f; fi ;;
  ' skill save')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --keep --zstd --wasm --allow-leaked-keys -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill load')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature --output '
    else :; fi ;;
  ' skill remove')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir '
    else :; fi ;;
  ' skill verify')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature '
    else :; fi ;;
  ' skill export')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature '
    else :; fi ;;
  ' skill import')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --keep --zstd --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill rollback')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --to --above --key '
    else :; fi ;;
  ' skill sign')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-dir --store-key --key '
    else :; fi ;;
  ' skill push')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --force --allow-leaked-keys --user --token-env --token-file --docker-config --credential-helper --ca-file --plain-http --allow-private-addresses --timeout -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill pull')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --into --force --trusted-key --user --token-env --token-file --docker-config --credential-helper --ca-file --plain-http --allow-private-addresses --timeout '
    else :; fi ;;
  ' skill')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list info new validate save load remove verify export import rollback sign push pull '; fi ;;
  ' add')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config --name --token-env --plugin --hidden --no-check '
    else _skillhost_paths -f; fi ;;
  ' remove')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config '
    else :; fi ;;
  ' update')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -c --config '
    else :; fi ;;
  ' list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -c --config '
    else :; fi ;;
  ' source list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source status')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source refresh')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list status refresh '; fi ;;
  ' usage')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --since --until --by --kind --skill --unused --limit --json --csv -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' doctor')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' lock')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --check -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --all -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review show')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review diff')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review approve')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --expires --who --digest --seen --sign -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review reject')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --expires --who --digest --seen --sign -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review sign')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review export')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review import')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list show diff approve reject sign export import '; fi ;;
  ' inbox list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --all -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' inbox show')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' inbox approve')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --who --even-if-changed -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' inbox reject')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --who -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' inbox')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list show approve reject '; fi ;;
  ' bom')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --files -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' check')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --config --json --deadline-ms --only --allow-read --trusted '
    else _skillhost_paths -f; fi ;;
  ' try')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --config --deadline-ms --skills --resource --allow-read --trusted '
    else _skillhost_paths -f; fi ;;
  ' token add')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --scope --expires-in '
    else :; fi ;;
  ' token list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --json '
    else :; fi ;;
  ' token revoke')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file '
    else :; fi ;;
  ' token')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'add list revoke '; fi ;;
  ' key new')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --kind '
    else _skillhost_paths -f; fi ;;
  ' key')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'new '; fi ;;
  ' connect')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --token-env --token-file --token-command --login --client-secret-env --client-secret-file --issuer --header --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format --client-id --scope --client-metadata --no-browser '
    else :; fi ;;
  ' login')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --client-id --scope --client-metadata --no-browser --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format '
    else :; fi ;;
  ' logout')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format '
    else :; fi ;;
  ' health')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --ready --ca-file --connect-timeout-ms '
    else :; fi ;;
  ' generate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --url --output --force --save-skill --save --dry-run --timeout --token-env --token-file --token-command --login --client-secret-env --client-secret-file --issuer --header --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format --client-id --scope --skill-dir --store-key --keep --zstd '
    else :; fi ;;
  ' client-config')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --write --remove --project --file --name --url --token-env --token-file --token-command --header --allow-plain-token --connect -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'claude-code claude-desktop vscode cursor windsurf zed codex gemini-cli goose opencode json'; fi ;;
  ' sync')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --agent --project --folder --dry-run --remove --follow --interval --url --token-env --token-file --token-command --login --client-secret-env --client-secret-file --issuer --header --ca-file --connect-timeout-ms --allow-plain-token --client-id --scope -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' propose')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --url --note --list --token-env --token-file --token-command --login --client-secret-env --client-secret-file --issuer --header --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format --client-id --scope '
    else _skillhost_paths -d; fi ;;
  ' model fetch')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --force --index-url --model '
    else _skillhost_paths -d; fi ;;
  ' model list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json '
    else _skillhost_paths -d; fi ;;
  ' model check')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --model --instructions '
    else _skillhost_paths -d; fi ;;
  ' model')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'fetch list check '; fi ;;
  ' completion')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'bash zsh fish'; fi ;;
  '')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'serve validate plugins search skill add remove update list source usage doctor lock review inbox bom check try token key connect login logout health generate client-config sync propose model completion '; fi ;;
  esac
}
complete -F _skillhost skillhost
