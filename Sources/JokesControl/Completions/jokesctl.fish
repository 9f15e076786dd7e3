# Completion of jokesctl for fish, as jokesctl completions prints it.

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
