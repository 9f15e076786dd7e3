import JokesProtocol
import Unix

/// The completion script for bash 4.3 or newer.
///
/// Bash splits words at the characters of COMP_WORDBREAKS, such as the colon in IDs. The script joins the parts, and
/// returns the text after the last of these characters, which bash replaces.
enum BashCompletion {
    static let script = #"""
        # Completion of jokesctl for bash, made by: jokesctl completions bash

        # The words up to the cursor, whole, in the array words.
        _jokesctl_words() {
            local line=${COMP_LINE:0:COMP_POINT} word rest
            words=()
            for word in "${COMP_WORDS[@]}"; do
                rest=${line#"${line%%[![:blank:]]*}"}
                [[ -n $rest ]] || break
                [[ -n $word ]] || continue
                [[ $rest == "$word"* ]] || word=$rest
                if [[ $rest != "$line" || ${#words[@]} == 0 ]]; then words+=("$word"); else words[-1]+=$word; fi
                line=${rest#"$word"}
            done
            if [[ -n $line ]]; then words+=(''); fi
        }

        # What the daemon suggests for the value, in the array replies.
        _jokesctl_ask() {
            local program=${words[0]} i
            local socket=()
            for ((i = 1; i < ${#words[@]} - 1; i++)); do
                case ${words[i]} in
                --socket) socket=(--socket "${words[i + 1]}") ;;
                --socket=*) socket=("${words[i]}") ;;
                esac
            done
            type -P -- "$program" >/dev/null || program=jokesctl
            mapfile -t replies < <(command "$program" "${socket[@]}" complete "$1" "$value" 2>/dev/null)
            # The beginning of an id is no word yet.
            if [[ ${replies[*]} == *$'\t'* ]]; then compopt -o nospace; fi
            replies=("${replies[@]%%$'\t'*}")
        }

        # Whether the option $2 of the command $1 has an argument, and in takes what that may be.
        _jokesctl_takes() {
            case $1:$2 in
        \#(options.joined(separator: "\n"))
            *) return 1 ;;
            esac
        }

        # The options of the command $1, in options, and what its operands are, in takes and at most.
        _jokesctl_command() {
            takes='' most=0
            case $1 in
        \#(commands.joined(separator: "\n"))
            *) options='' ;;
            esac
            options+=\#((" " + names(of: Command.globalOptions)).quotedForShell)
        }

        # What the value may become, of which takes says what it is, in the array replies.
        _jokesctl_value() {
            case $takes in
            '') ;;
            file) compopt -o default ;;
            @*) _jokesctl_ask "${takes#@}" ;;
            ,*)
                head+=${value%"${value##*,}"}
                mapfile -t replies < <(compgen -W "${takes#,}" -- "${value##*,}")
                ;;
            *) mapfile -t replies < <(compgen -W "$takes" -- "$value") ;;
            esac
        }

        _jokesctl() {
            local IFS=$' \t\n' words=() replies=() options='' takes='' command='' head='' ended='' most=0 count=0 i
            _jokesctl_words
            local last=$((${#words[@]} - 1))
            local value=${words[last]}
            local argument=''
            for ((i = 1; i < last; i++)); do
                if [[ -z $ended && ${words[i]} == -- ]]; then
                    ended=1
                elif [[ -z $ended && ${words[i]} == -?* ]]; then
                    if _jokesctl_takes "$command" "${words[i]}" && ((++i == last)); then argument=1; fi
                elif [[ -z $command ]]; then
                    command=${words[i]}
                else
                    count=$((count + 1))
                fi
            done
            if [[ -n $argument ]]; then
                _jokesctl_value
            elif [[ -z $ended && $value == --*=* ]]; then
                head=${value%%=*}=
                if _jokesctl_takes "$command" "${value%%=*}"; then
                    value=${value#*=}
                    _jokesctl_value
                fi
            elif [[ -z $ended && $value == -* ]]; then
                _jokesctl_command "$command"
                mapfile -t replies < <(compgen -W "$options" -- "$value")
            elif [[ -z $command ]]; then
                takes=\#(Command.listed.map(\.name).joined(separator: " ").quotedForShell)
                _jokesctl_value
            else
                _jokesctl_command "$command"
                if ((count < most)); then _jokesctl_value; fi
            fi

            local breaks=${COMP_WORDBREAKS//[^:=@]/} before=''
            if [[ -n $breaks ]]; then before=${words[last]%"${words[last]##*["$breaks"]}"}; fi
            COMPREPLY=("${replies[@]/#/"$head"}")
            COMPREPLY=("${COMPREPLY[@]#"$before"}")
        }

        complete -F _jokesctl jokesctl
        """#

    private static let options: [String] = {
        let global = Command.globalOptions.compactMap { line(for: $0, of: "*") }
        let own = Command.listed.flatMap { command in
            command.options.compactMap { line(for: $0, of: command.name) }
        }
        return global + own
    }()

    private static func line(for option: CommandOption, of command: String) -> String? {
        guard let value = option.value else { return nil }
        let patterns = option.spellings.map { "\(command):\($0)" }
        return "    \(patterns.joined(separator: " | "))) takes=\(notation(of: value).quotedForShell) ;;"
    }

    private static let commands = Command.listed.map { command in
        let options = "options=\(names(of: command.options).quotedForShell)"
        let operands =
            "takes=\(notation(of: command.operands.value).quotedForShell) most=\(command.operands.count.upperBound)"
        return "    \(command.name)) \(options) \(operands) ;;"
    }

    private static func names(of options: [CommandOption]) -> String {
        options.flatMap(\.spellings).joined(separator: " ")
    }

    /// The form that `_jokesctl_value` reads.
    private static func notation(of value: OptionValue) -> String {
        switch value.offered {
        case .oneOf(let choices): choices.joined(separator: " ")
        case .severalOf(let choices, _): "," + choices.joined(separator: " ")
        case .known(let kind): "@\(kind.rawValue)"
        case .file: "file"
        case .number, .format, .page, .text: ""
        }
    }
}
