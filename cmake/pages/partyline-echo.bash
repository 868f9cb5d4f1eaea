# bash completion of partyline-echo
_partyline_echo()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [ "${COMP_WORDS[i]}" != -- ] || { compopt -o default; return; } # the words of another program
    done
    case $before in
        --unix|--http-unix|--tls-certificate|--tls-key|--tls-client-ca|--access-log|--access|--message-log|--on-overload|--trace) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames; return ;;
        --tcp|--listen|--http|--unix-mode|--allow-host|--allow-origin|--max-connections|--max-connections-per-address|--lame-duck-ms|--http-drain-ms|--threads|--metrics|--otlp|--memory-bytes|--first-message-timeout|--idle-timeout|--end-of-input|--profile|--framing|--pool-threads|--drain-ms|--cancel-grace-ms|--write-stall-ms|--write-stall-bytes|--max-message-bytes|--max-depth|--max-id-bytes|--max-batch|--max-header-bytes|--max-in-flight|--max-in-flight-bytes|--max-waiting|--max-waiting-bytes|--max-peer-waits|--max-calls|--max-call-bytes|--outbox-soft-bytes|--outbox-hard-bytes) return ;;
    esac
    [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W '--help --version --demo --unix --tcp --listen --http --proxy-protocol --http-unix --unix-mode --listen-inherited --http-inherited --tls-certificate --tls-key --tls-client-ca --tls-only --allow-any-address --allow-host --allow-origin --access-log --max-connections --max-connections-per-address --lame-duck-ms --http-drain-ms --threads --access --metrics --otlp --message-log --memory-bytes --first-message-timeout --idle-timeout --end-of-input --profile --framing --pool-threads --drain-ms --cancel-grace-ms --write-stall-ms --write-stall-bytes --on-overload --expose-errors --trace --stats --max-message-bytes --max-depth --max-id-bytes --max-batch --max-header-bytes --max-in-flight --max-in-flight-bytes --max-waiting --max-waiting-bytes --max-peer-waits --max-calls --max-call-bytes --outbox-soft-bytes --outbox-hard-bytes' -- "$word")
}
complete -F _partyline_echo partyline-echo
