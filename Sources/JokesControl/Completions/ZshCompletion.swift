import CommandLineTools
import JokesProtocol

/// The completion script for zsh: to be read, or to be found in a folder of `fpath` under the name `_jokesctl`.
enum ZshCompletion {
    static let script = #"""
        #compdef jokesctl
        # Completion of jokesctl for zsh, made by: jokesctl completions zsh

        # Offers what the daemon suggests.
        _jokesctl_ask() {
            local program=${(Q)_jokesctl_words[1]} at
            local -a socket found ignoring_case
            at=${_jokesctl_words[(I)--socket]}
            (( at )) && socket=(--socket ${(Q)_jokesctl_words[at + 1]})
            at=${_jokesctl_words[(I)--socket=*]}
            (( at )) && socket=(${(Q)_jokesctl_words[at]})
            whence -p -- $program >/dev/null || program=jokesctl
            found=(${(f)"$(command $program $socket complete $1 "${(Q)PREFIX}" 2>/dev/null)"})
            [[ $1 == category ]] && ignoring_case=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}')
            # The beginning of an id is no word yet.
            compadd $ignoring_case -S '' -- ${${(M)found:#*$'\t'*}%%$'\t'*}
            compadd $ignoring_case -- ${found:#*$'\t'*}
        }

        _jokesctl_commands() {
            local -a commands=(
        \#(commands.joined(separator: "\n"))
            )
            _describe -t commands command commands
        }

        # Offers the pages of help: the commands and other topics.
        _jokesctl_pages() {
            local ret=1
            local -a topics=(\#(HelpPage.topics.joined(separator: " ")))
            _jokesctl_commands && ret=0
            _describe -t topics topic topics && ret=0
            return ret
        }

        _jokesctl() {
            local curcontext=$curcontext state state_descr line ret=1
            local -A opt_args
            local -a _jokesctl_words=("${(@)words}")
            local -a common=(
        \#(Command.globalOptions.flatMap(specifications).map { "        \($0)" }.joined(separator: "\n"))
            )
            _arguments -C -s -S $common '1:command: _jokesctl_commands' '*::argument:->argument' && ret=0
            [[ $state == argument ]] || return ret
            case $words[1] in
        \#(cases.joined(separator: "\n"))
            esac
            return ret
        }

        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            _jokesctl "$@"
        else
            compdef _jokesctl jokesctl
        fi
        """#

    private static let commands = Command.listed.map { command in
        "        \("\(command.name):\(escaped(command.summary))".quotedForShell)"
    }

    private static let cases = Command.listed.map { command in
        let own = command.options.flatMap(specifications) + operands(of: command)
        let lines = own.map { " \\\n            \($0)" }.joined()
        return "    (\(command.name))\n        _arguments -s -S $common\(lines) && ret=0\n        ;;"
    }

    /// For `_arguments`: one for each way to write the option, of which one excludes the other.
    private static func specifications(of option: CommandOption) -> [String] {
        let spellings = option.spellings
        let others = spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
        return spellings.map { spelling in
            let isLong = spelling.hasPrefix("--")
            let mark = option.value == nil ? "" : isLong ? "=" : "+"
            let text = "[\(escaped(option.specification.summary))]"
            let argument = option.value.map { ":\(option.specification.argument ?? ""):\(action($0))" } ?? ""
            return "\(others)\(spelling)\(mark)\(text)\(argument)".quotedForShell
        }
    }

    private static func operands(of command: Command) -> [String] {
        guard command.operands != .none else { return [] }
        let place = command.operands.count.upperBound == 1 ? "1" : "*"
        return ["\(place):\(escaped(command.operands.synopsis)):\(action(command.operands.value))".quotedForShell]
    }

    private static func action(_ value: OptionValue) -> String {
        if value == .page { return " _jokesctl_pages" }
        return switch value.offered {
        case .oneOf(let choices): "(\(choices.joined(separator: " ")))"
        case .severalOf(let choices, let noun): "_values -s , \(noun) \(choices.joined(separator: " "))"
        case .known(let kind): " _jokesctl_ask \(kind.rawValue)"
        case .file: "_files"
        case .number, .format, .page, .text: " "
        }
    }

    /// With a backslash before what ends a description.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += "\\:[]".contains($1) ? "\\\($1)" : String($1) }
    }
}
