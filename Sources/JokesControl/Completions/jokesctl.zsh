#compdef jokesctl jokesd jokes-tui
# Completion of jokesctl for zsh, as jokesctl completions prints it. Source it, or save it as _jokesctl in a folder of fpath.

_jokesctl() {
    local program=${(Q)words[1]} line ret=1
    local -a found described ignoring_case=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
    whence -p -- $program >/dev/null || program=jokesctl
    found=(${(f)"$(command $program complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"})
    if [[ $found == :files ]]; then
        compset -P '--*='
        _files
        return
    fi
    # No space after a prefix of several IDs.
    compadd $ignoring_case -S '' -- ${${(M)found:#*$'\t…'}%%$'\t'*} && ret=0
    compadd $ignoring_case -- ${found:#*$'\t'*} && ret=0
    for line in ${(M)${found:#*$'\t…'}:#*$'\t'*}; do
        described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    (( $#described )) && _describe argument described && ret=0
    return ret
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _jokesctl "$@"
else
    compdef _jokesctl jokesctl jokesd jokes-tui
fi
