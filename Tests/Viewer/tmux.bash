# shellcheck shell=bash disable=SC2154
# The terminal of drive in a tmux pane. drive documents these functions.

run_tmux() { tmux -S "$folder/tmux" -f /dev/null "$@"; }

open_terminal() {
    run_tmux new-session -d -x 80 -y 24 env -i "${environment[@]}" TERM=tmux-256color bash --norc --noprofile
    run_tmux set-option -s set-clipboard on
}
close_terminal() { run_tmux kill-server 2>/dev/null; }

screen() { run_tmux capture-pane -p; }
styled_screen() { run_tmux capture-pane -e -p; }
send_keys() { run_tmux send-keys "$@"; }

# send_mouse BUTTON COLUMN ROW LETTER   sends a mouse report; the letter is M for a press, m for a release
send_mouse() { run_tmux send-keys -l $'\e'"[<$1;$2;$3$4"; }
click() {
    local number
    for ((number = 0; number < $3; number++)); do
        send_mouse 0 "$1" "$2" M
        send_mouse 0 "$1" "$2" m
    done
}
wheel_down() {
    local number
    for ((number = 0; number < $3; number++)); do send_mouse 65 "$1" "$2" M; done
}

resize() { run_tmux resize-window -x "$1" -y "$2"; }
shell_pid() { run_tmux display-message -p '#{pane_pid}'; }
terminal_modes() {
    run_tmux display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{mouse_sgr_flag} #{keypad_flag} #{keypad_cursor_flag} #{insert_flag} #{wrap_flag} #{scroll_region_upper}-#{scroll_region_lower} #{pane_title}'
}
tty_path() { run_tmux display-message -p '#{pane_tty}'; }
clipboard_is() { [[ $(run_tmux show-buffer 2>/dev/null) == "$1" ]]; }
screenshot() { :; }
set_light_colors() { :; }
set_dark_colors() { :; }
