/// A shell that has a completion script, for all programs. The script passes the words up to the cursor to `jokesctl complete`,
/// or to `jokesd complete` and so on, and offers the words that it prints; see `Completion`.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var completionScript: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// For bash 4.3 or newer, which splits words at the characters of COMP_WORDBREAKS, such as the colon in IDs. The script
    /// joins the parts, and returns the text after the last of these characters, which bash replaces.
    private static let bashScript = #"""
        # Completion of jokesctl for bash, made by: jokesctl completions bash

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
        """#

    /// To be sourced, or saved as `_jokesctl` in a folder of `fpath`.
    private static let zshScript = #"""
        #compdef jokesctl jokesd jokes-tui
        # Completion of jokesctl for zsh, made by: jokesctl completions zsh

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
        """#

    private static let fishScript = #"""
        # Completion of jokesctl for fish, made by: jokesctl completions fish

        function __jokesctl_complete
            set -l words (commandline -opc)
            set -l value (commandline -ct)
            set -l found (command $words[1] complete -- $words[2..-1] "$value" 2>/dev/null)
            if test "$found" = :files
                set -l option (string match -r -- '^--[a-z-]+=' "$value")
                printf '%s\n' "$option"(__fish_complete_path (string replace -- "$option" '' "$value"))
            else if set -q found[1]
                printf '%s\n' $found
            end
        end

        complete -c jokesctl -c jokesd -c jokes-tui -f -a '(__jokesctl_complete)'
        """#
}
