# bash completion of partyline-call
eval "$(partyline-call --completion)"
