# Completion of jokesctl for bash, as jokesctl completions prints it.
# Bash 4.3 or newer splits words at the characters of COMP_WORDBREAKS, such as the colon in IDs. This script joins the
# parts, and returns the text after the last of these characters, which bash replaces.

_jokesctl() {
    local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} words=() replies=() word rest
    for word in "${COMP_WORDS[@]}"; do
        rest=${line#"${line%%[![:blank:]]*}"}
        [[ -n $rest ]] || break
        [[ -n $word ]] || continue
        [[ $rest == "$word"* ]] || word=$rest
        if [[ $rest != "$line" || ${#words[@]} == 0 ]]; then words+=("$word"); else words[-1]+=$word; fi
        line=${rest#"$word"}
    done
    if [[ -n $line ]]; then words+=(''); fi

    local program=${words[0]}
    type -P -- "$program" >/dev/null || program=jokesctl
    mapfile -t replies < <(command "$program" complete -- "${words[@]:1}" 2>/dev/null)
    if [[ ${replies[*]} == :files ]]; then
        compopt -o default
        return
    fi
    # No space after a prefix of several IDs.
    if [[ ${replies[*]} == *$'\t…'* ]]; then compopt -o nospace; fi
    replies=("${replies[@]%%$'\t'*}")
    local breaks=${COMP_WORDBREAKS//[^:=@]/} before=''
    if [[ -n $breaks ]]; then before=${words[-1]%"${words[-1]##*["$breaks"]}"}; fi
    COMPREPLY=("${replies[@]#"$before"}")
}

complete -F _jokesctl jokesctl jokesd jokes-tui
