# bash completion of partyline-tools
_partyline_tools()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [ "${COMP_WORDS[i]}" != -- ] || { compopt -o default; return; } # the words of another program
    done
    case $before in
        --root|--http-unix|--tls-certificate|--tls-key|--tls-client-ca|--access-log|--state-keys|--access|--message-log) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames; return ;;
        --allow-command|--command-timeout|--max-file-bytes|--listen|--http|--unix-mode|--allow-host|--allow-origin|--max-connections|--max-connections-per-address|--lame-duck-ms|--http-drain-ms|--threads|--node|--page-size|--metrics|--otlp) return ;;
    esac
    [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W '--help --version --root --allow-command --command-timeout --max-file-bytes --listen --http --proxy-protocol --http-unix --unix-mode --listen-inherited --http-inherited --tls-certificate --tls-key --tls-client-ca --tls-only --allow-any-address --allow-host --allow-origin --access-log --max-connections --max-connections-per-address --lame-duck-ms --http-drain-ms --threads --node --page-size --state-keys --access --metrics --otlp --message-log' -- "$word")
}
complete -F _partyline_tools partyline-tools
