import CommandLineTools
import JokesProtocol

/// The completion script for fish.
enum FishCompletion {
    static let script = #"""
        # Completion of jokesctl for fish, made by: jokesctl completions fish

        # The command among the words in front of the cursor.
        function __jokesctl_command
            set -l words (commandline -opc)
            set -l is_argument no
            for word in $words[2..-1]
                if test $is_argument = yes
                    set is_argument no
                    continue
                end
                switch $word
                    case \#(globalWithArgument)
                        set is_argument yes
                    case '-*'
                    case '*'
                        echo $word
                        return
                end
            end
        end

        function __jokesctl_without_command
            set -l command (__jokesctl_command)
            test -z "$command"
        end

        function __jokesctl_with
            set -l command (__jokesctl_command)
            test "$command" = $argv[1]
        end

        # The word at the cursor, without the option that it is the argument of.
        function __jokesctl_value
            commandline -ct | string replace -r -- '^--[a-z-]*=' ''
        end

        # What the daemon suggests.
        function __jokesctl_ask
            set -l words (commandline -opc)
            set -l socket
            for i in (seq 2 (count $words))
                switch $words[$i]
                    case --socket
                        set socket --socket $words[(math $i + 1)]
                    case '--socket=*'
                        set socket $words[$i]
                end
            end
            set -l value (__jokesctl_value)
            command $words[1] $socket complete $argv[1] "$value" 2>/dev/null
        end

        # Some of these, separated by commas.
        function __jokesctl_several
            set -l begun (__jokesctl_value | string replace -r -- '[^,]*$' '')
            printf '%s\n' "$begun"$argv
        end

        complete -c jokesctl -f
        \#(lines.joined(separator: "\n"))
        """#

    private static let globalWithArgument = Command.globalOptions.filter { $0.value != nil }
        .flatMap(\.spellings).joined(separator: " ")

    private static let lines: [String] = {
        let global = Command.globalOptions.map { "complete -c jokesctl\(switches($0))" }
        return global
            + Command.listed.flatMap { command in
                let with = "complete -c jokesctl -n \(quoted("__jokesctl_with \(command.name)"))"
                let name =
                    "complete -c jokesctl -n __jokesctl_without_command -a \(command.name) -d \(quoted(command.summary))"
                let operands = command.operands == .none ? "" : FishCompletion.operands(command.operands.value)
                return [name] + (operands.isEmpty ? [] : [with + operands])
                    + command.options.map { with + switches($0) }
            }
    }()

    private static func switches(_ option: CommandOption) -> String {
        let letter = option.specification.letter.map { " -s \($0)" } ?? ""
        let argument =
            switch option.value {
            case nil: ""
            case .file?: " -r -F"
            case let value?: " -x\(operands(value))"
            }
        return "\(letter) -l \(option.name)\(argument) -d \(quoted(option.specification.summary))"
    }

    private static func operands(_ value: OptionValue) -> String {
        switch value.offered {
        case .oneOf(let choices): " -a \(quoted(choices.joined(separator: " ")))"
        case .severalOf(let choices, _): " -a \(quoted("(__jokesctl_several \(choices.joined(separator: " ")))"))"
        case .known(let kind): " -a \(quoted("(__jokesctl_ask \(kind.rawValue))"))"
        case .file: " -F"
        case .number, .format, .page, .text: ""
        }
    }

    /// In single quotes, in which fish reads two escapes.
    private static func quoted(_ text: String) -> String {
        "'\(text.reduce(into: "") { $0 += "\\'".contains($1) ? "\\\($1)" : String($1) })'"
    }
}
