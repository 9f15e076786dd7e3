# shellcheck shell=bash disable=SC2154
# A pane of tmux as the terminal of drive, which says what each of these is.

terminal() { tmux -S "$folder/tmux" -f /dev/null "$@"; }

open_terminal() {
    terminal new-session -d -x 80 -y 24 env -i "${environment[@]}" TERM=tmux-256color bash --norc --noprofile
    terminal set-option -s set-clipboard on
}
close_terminal() { terminal kill-server 2>/dev/null; }

screen() { terminal capture-pane -p; }
styled_screen() { terminal capture-pane -e -p; }
keys() { terminal send-keys "$@"; }

# report BUTTON COLUMN ROW LETTER
report() { terminal send-keys -l $'\e'"[<$1;$2;$3$4"; }
click() {
    local number
    for ((number = 0; number < $3; number++)); do
        report 0 "$1" "$2" M
        report 0 "$1" "$2" m
    done
}
wheel_down() {
    local number
    for ((number = 0; number < $3; number++)); do report 65 "$1" "$2" M; done
}

resize() { terminal resize-window -x "$1" -y "$2"; }
shell() { terminal display-message -p '#{pane_pid}'; }
modes() {
    terminal display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{mouse_sgr_flag} #{keypad_flag} #{keypad_cursor_flag} #{insert_flag} #{wrap_flag} #{scroll_region_upper}-#{scroll_region_lower} #{pane_title}'
}
line() { terminal display-message -p '#{pane_tty}'; }
clipboard_is() { [[ $(terminal show-buffer 2>/dev/null) == "$1" ]]; }
screenshot() { :; }
paint_light() { :; }
paint_dark() { :; }
