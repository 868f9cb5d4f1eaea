# bash completion of partyline-gateway
_partyline_gateway()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [ "${COMP_WORDS[i]}" != -- ] || { compopt -o default; return; } # the words of another program
    done
    case $before in
        --http-unix|--tls-certificate|--tls-key|--tls-client-ca|--access-log|--access|--message-log|--token-file|--tls-ca|--client-certificate|--client-key|--client-secret-file|--client-jwt-key|--bus-credentials|--check-access) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames; return ;;
        --listen|--http|--unix-mode|--allow-host|--allow-origin|--max-connections|--max-connections-per-address|--lame-duck-ms|--http-drain-ms|--threads|--node|--metrics|--otlp|--stdio|--header|--proxy|--client-id|--client-metadata|--scope|--issuer|--redirect-port|--bus|--service|--at-once|--drain-ms|--max-sessions|--session-idle|--retry-after|--new-token|--new-key|--explain) return ;;
    esac
    [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W '--help --version --listen --http --proxy-protocol --http-unix --unix-mode --listen-inherited --http-inherited --tls-certificate --tls-key --tls-client-ca --tls-only --allow-any-address --allow-host --allow-origin --access-log --max-connections --max-connections-per-address --lame-duck-ms --http-drain-ms --threads --node --access --metrics --otlp --message-log --stdio --header --token-file --allow-plain-token --proxy --proxy-of-environment --tls-ca --client-certificate --client-key --tls-insecure --login --client-id --client-secret-file --client-jwt-key --client-metadata --scope --issuer --redirect-port --allow-private-issuer --bus --service --bus-credentials --at-once --drain-ms --share --forward-peer --trace-upstream --max-sessions --session-idle --retry-after --new-token --new-key --explain --check-access' -- "$word")
}
complete -F _partyline_gateway partyline-gateway
