# bash completion for busctl-rx. The program names the candidates: see Sources/busctl-rx/Completion.
# shellcheck shell=bash

_busctl_rx() {
    local words=() line=${COMP_LINE:0:COMP_POINT} last=-1 index word
    # Bash breaks words at = and :, too. What no space is between is one word, apart from a redirection.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ $last -lt 0 || $line == [[:space:]]* || ${words[last]} == *[\<\>] ]]; then
            line=${line#"${line%%[![:space:]]*}"}
            words[++last]=
        fi
        if ((index == COMP_CWORD)); then word=$line; fi
        words[last]+=$word
        line=${line#"$word"}
    done

    if [[ $last -gt 0 && ${words[last - 1]} == *[\<\>] ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "${words[last]}")
        return
    fi

    # Of the last word, bash replaces only what comes after this.
    local typed=${words[last]} breaks=${COMP_WORDBREAKS//[!=:@]/} head=
    if [[ -n $breaks && $typed != [\'\"]* ]]; then head=${typed%"${typed##*["$breaks"]}"}; fi
    # shellcheck disable=SC2162 # read removes the backslashes as the shell would.
    for index in "${!words[@]}"; do
        case ${words[index]} in
        [\'\"]*) words[index]=${words[index]#?} && words[index]=${words[index]%[\'\"]} ;;
        *) IFS= read "words[index]" <<<"${words[index]}" ;;
        esac
    done

    COMPREPLY=()
    while IFS= read -r line; do
        word=${line%%$'\t'*}
        case $line in
        $'\t'files* | $'\t'directories*)
            local before=${line##*$'\t'} option=-f path
            if [[ $line == $'\t'directories* ]]; then option=-d; fi
            compopt -o filenames
            while IFS= read -r path; do
                path=$before$path
                COMPREPLY+=("${path#"$head"}")
            done < <(compgen "$option" -- "${words[last]#"$before"}")
            ;;
        *)
            if [[ $word == *[=:] ]]; then compopt -o nospace; fi
            if [[ $typed != [\'\"]* && $word == *[!A-Za-z0-9_.,:=@/+%-]* ]]; then printf -v word %q "$word"; fi
            if [[ $word == "$head"* ]]; then COMPREPLY+=("${word#"$head"}"); fi
            ;;
        esac
    done < <("${words[0]}" ---complete "${words[@]:1}" 2>/dev/null)
}

complete -F _busctl_rx busctl-rx
