#include "bash_completion.hpp"

namespace call {

// Only a server that runs already is asked: to start one at a Tab, whatever command stands there, would surprise. What
// it says is compared as text and never expanded, and of its names those are proposed that mean nothing to a shell.
// clang-format off
const char* const bash_completion = R"script(# eval "$(partyline-call --completion)"
_partyline_call() {
    local word=${COMP_WORDS[COMP_CWORD]} words server=() name i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [[ ${COMP_WORDS[i]} != -- ]] || return # the words behind it are the server's
    done
    if [[ $word == -* ]]; then
        while IFS= read -r name; do
            [[ $name != "$word"* ]] || COMPREPLY+=("$name")
        done < <(partyline-call --help | grep -o -e '--[a-z][a-z-]*' | sort -u)
        return
    fi
    case ${COMP_WORDS[COMP_CWORD - 1]} in
        --profile) words='plain lsp mcp' ;;
        --era) words='auto legacy modern' ;;
        --color) words='auto always never' ;;
        --framing) words='lines content-length' ;;
        --stderr) words='show pass drop' ;;
        --log-level) words='debug info notice warning error critical alert emergency' ;;
        --list) [[ $COMP_LINE != *'--profile mcp'* ]] || words='tools resources templates prompts' ;;
    esac
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        return
    fi
    read -ra words <<<"$COMP_LINE" # bash splits its own words at : and =
    for ((i = 1; i < ${#words[@]}; ++i)); do
        case ${words[i]} in
            --) return ;;
            --unix | --tcp | --tls | --tls-ca | --client-certificate | --client-key | --profile | --framing)
                server+=("${words[i]}" "${words[i + 1]}") ;;
            --unix=* | --tcp=* | --tls=* | --tls-ca=* | --client-*=* | --profile=* | --framing=*)
                server+=("${words[i]}") ;;
        esac
    done
    ((COMP_CWORD == 1 && ${#server[@]} > 0)) || return
    while IFS= read -r name; do
        [[ $name != "$word"* ]] || COMPREPLY+=("$name")
    done < <(partyline-call --list --timeout 2s "${server[@]}" 2>/dev/null | sed 's/(.*//' | grep -xE '[A-Za-z0-9_./-]+')
}
complete -o default -F _partyline_call partyline-call
)script";
// clang-format on

} // namespace call
