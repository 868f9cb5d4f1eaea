#include "bash_completion.hpp"

namespace call {

// The server stands behind the word that is completed, mostly; bash's own words are split at : and =, so the line is read.
// clang-format off
const char* const bash_completion = R"script(# eval "$(partyline-call --completion)"
_partyline_call() {
    local word=${COMP_WORDS[COMP_CWORD]} words server=() i
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(partyline-call --help | grep -o -e '--[a-z][a-z-]*')" -- "$word")
        return
    fi
    read -ra words <<<"$COMP_LINE"
    for ((i = 1; i < ${#words[@]}; ++i)); do
        case ${words[i]} in
            --) server+=("${words[@]:i}"); break ;;
            --unix | --tcp | --profile | --framing) server+=("${words[i]}" "${words[i + 1]}") ;;
        esac
    done
    ((COMP_CWORD == 1 && ${#server[@]} > 0)) || return
    mapfile -t COMPREPLY < <(compgen -W "$(partyline-call --list --timeout 2s "${server[@]}" 2>/dev/null |
        sed 's/(.*//')" -- "$word")
}
complete -o default -F _partyline_call partyline-call
)script";
// clang-format on

} // namespace call
