# shellcheck shell=bash disable=SC2154
# A window of xterm as the terminal of drive, which says what each of these is. It is on a display that only Xvfb sees.

display='' xterm='' window='' taken=0

open_terminal() {
    Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$folder/display" 2>"$folder/display.log" &
    display=$!
    until_true 'there was a display' test -s "$folder/display"
    DISPLAY=:$(<"$folder/display")
    export DISPLAY
    # xterm prints its screen with its styles, as the terminal itself has it, when F20 is pressed.
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
    until_true 'the shell was there' at_prompt
    keys "tty >$folder/line" Enter
    until_true 'the shell had said where it is' test -s "$folder/line"
}
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

has_printed() {
    xdotool key F20
    local look
    for ((look = 0; look < 100; look++)); do
        [[ -e $folder/printed ]] && return
        sleep 0.01
    done
    return 1
}
styled_screen() {
    local end=$((SECONDS + timeout))
    rm -f "$folder/printed"
    until has_printed; do
        ((SECONDS < end)) || return
    done
    # Each row begins with its width and its style. Of 256 colours xterm tells none, as 3-1.
    sed $'s/\e#5//; s/\e\\[0m//; s/\r$//; s/;[34]-1//g' "$folder/printed"
}
screen() { styled_screen | sed $'s/\e\\[[0-9;:]*m//g; s/ *$//'; }

keys() {
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

# point COLUMN ROW   moves the mouse to the middle of the cell
point() {
    local WIDTH HEIGHT rows columns
    # Sets WIDTH and HEIGHT.
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -E '^(WIDTH|HEIGHT)=[0-9]+$')"
    read -r rows columns < <(stty size -F "$(line)")
    xdotool mousemove --window "$window" \
        $((6 + (2 * $1 - 1) * (WIDTH - 12) / (2 * columns))) $((6 + (2 * $2 - 1) * (HEIGHT - 12) / (2 * rows)))
}
click() {
    point "$1" "$2"
    xdotool click --repeat "$3" --delay 20 1
}
wheel_down() {
    point "$1" "$2"
    xdotool click --repeat "$3" --delay 20 5
}

resize() { xdotool windowsize --usehints "$window" "$1" "$2"; }
shell() { pgrep -P "$xterm" bash; }
modes() {
    rm -f "$folder/modes"
    keys terminal-modes Enter
    until_true 'the terminal had said how it is' test -e "$folder/modes"
    until_true 'the shell was there again' at_prompt
    cat "$folder/modes"
    xdotool getwindowname "$window"
}
line() { cat "$folder/line"; }
# Nobody but X11 knows what is selected, and the viewer has said that it was sent.
clipboard_is() { :; }

screenshot() {
    taken=$((taken + 1))
    import -window "$window" "$pictures/$(printf '%02d' "$taken")-$1.png"
}
# The terminal's own colours; the line's other end is xterm.
paint_light() { printf '\e]10;#383a42\a\e]11;#fafafa\a' >"$(line)"; }
paint_dark() { printf '\e]10;#c5c8c6\a\e]11;#1d1f21\a' >"$(line)"; }

require() {
    command -v "$1" >/dev/null && return
    printf 'There is no %s here (package %s): no pictures are taken.\n' "$1" "$2" >&2
    exit 69
}
require Xvfb xvfb
require xterm xterm
require xdotool xdotool
require import imagemagick
