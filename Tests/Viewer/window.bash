# shellcheck shell=bash disable=SC2154
# The terminal of drive in an xterm window, on a hidden display of Xvfb. drive documents these functions.

display='' xterm='' window='' screenshot_count=0

open_terminal() {
    Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$folder/display" 2>"$folder/display.log" &
    display=$!
    wait_until 'Xvfb has a display' test -s "$folder/display"
    DISPLAY=:$(<"$folder/display")
    export DISPLAY
    # The key F20 makes xterm print its screen with styles.
    write_command "$folder/path/print-screen" "cat >'$folder/printed.new'; mv '$folder/printed.new' '$folder/printed'"
    write_command "$folder/path/terminal-modes" "exec python3 '$here/terminal_modes.py' '$folder/modes'"
    env -i "${environment[@]}" DISPLAY="$DISPLAY" \
        xterm -tn xterm-256color -geometry 80x24 -fa 'DejaVu Sans Mono' -fs 12 -bg '#1d1f21' -fg '#c5c8c6' -b 6 +sb -title xterm \
        -xrm "XTerm*printerCommand: $folder/path/print-screen" -xrm 'XTerm*printAttributes: 1' \
        -xrm 'XTerm*VT100.translations: #override <Key>F20: print()' -xrm 'XTerm*allowWindowOps: true' \
        -xrm 'XTerm*allowTitleOps: true' \
        -e bash --norc --noprofile &
    xterm=$!
    window=$(xdotool search --sync --onlyvisible --class xterm | head -n 1)
    xdotool windowfocus --sync "$window"
    wait_until 'the shell prompt appears' at_prompt
    send_keys "tty >$folder/tty" Enter
    wait_until 'the shell writes the path of its tty' test -s "$folder/tty"
}
# write_command PATH TEXT   writes an executable shell script
write_command() {
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
close_terminal() {
    local process
    for process in $xterm $display; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}

# Presses F20, and waits up to a second for the printed screen.
print_screen() {
    xdotool key F20
    local attempt
    for ((attempt = 0; attempt < 100; attempt++)); do
        [[ -e $folder/printed ]] && return
        sleep 0.01
    done
    return 1
}
styled_screen() {
    local end=$((SECONDS + timeout))
    rm -f "$folder/printed"
    until print_screen; do
        ((SECONDS < end)) || return
    done
    # Each row starts with its width and a style reset. xterm prints all colors of the 256-color palette as 3-1 or 4-1.
    sed $'s/\e#5//; s/\e\\[0m//; s/\r$//; s/;3-1//g; s/;4-1/;48;5/g' "$folder/printed"
}
screen() { styled_screen | sed $'s/\e\\[[0-9;:]*m//g; s/ *$//'; }

send_keys() {
    local key
    for key; do
        case $key in
        Enter) xdotool key Return ;;
        Space) xdotool key space ;;
        Tab | Escape) xdotool key "$key" ;;
        C-?) xdotool key "ctrl+${key#C-}" ;;
        *) xdotool type --delay 2 -- "$key" ;;
        esac
    done
}

# move_pointer COLUMN ROW   moves the mouse pointer to the center of the cell
move_pointer() {
    local WIDTH HEIGHT rows columns
    # The output of xdotool sets WIDTH and HEIGHT.
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(WIDTH|HEIGHT)=[0-9]+$')"
    read -r rows columns < <(stty size -F "$(tty_path)")
    xdotool mousemove --window "$window" \
        $((6 + (2 * $1 - 1) * (WIDTH - 12) / (2 * columns))) $((6 + (2 * $2 - 1) * (HEIGHT - 12) / (2 * rows)))
}
click() {
    move_pointer "$1" "$2"
    xdotool click --repeat "$3" --delay 20 1
}
wheel_down() {
    move_pointer "$1" "$2"
    xdotool click --repeat "$3" --delay 20 5
}

resize() { xdotool windowsize --usehints "$window" "$1" "$2"; }
shell_pid() { pgrep -P "$xterm" bash; }
terminal_modes() {
    rm -f "$folder/modes"
    send_keys terminal-modes Enter
    wait_until 'the terminal reports its modes' test -e "$folder/modes"
    wait_until 'the shell prompt appears' at_prompt
    cat "$folder/modes"
    xdotool getwindowname "$window"
}
tty_path() { cat "$folder/tty"; }
# Not checked: xterm sends the text to X11. drive checks the message of the viewer.
clipboard_is() { :; }

screenshot() {
    screenshot_count=$((screenshot_count + 1))
    import -window "$window" "$screenshots/$(printf '%02d' "$screenshot_count")-$1.png"
}
# Set the default colors of the terminal. xterm reads the sequences from its tty.
set_light_colors() { printf '\e]10;#383a42\a\e]11;#fafafa\a' >"$(tty_path)"; }
set_dark_colors() { printf '\e]10;#c5c8c6\a\e]11;#1d1f21\a' >"$(tty_path)"; }
set_nord_colors() { printf '\e]10;#d8dee9\a\e]11;#2e3440\a' >"$(tty_path)"; }
set_white_colors() { printf '\e]10;#000000\a\e]11;#ffffff\a' >"$(tty_path)"; }

# require_program PROGRAM PACKAGE
require_program() {
    command -v "$1" >/dev/null && return
    printf 'Tests/Viewer: %s is not installed\nRun: apt-get install %s\n' "$1" "$2" >&2
    exit 69
}
require_program Xvfb xvfb
require_program xterm xterm
require_program xdotool xdotool
require_program import imagemagick
