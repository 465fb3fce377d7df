# shellcheck shell=bash
# Starts and stops a camserver of our own; sourced by other scripts.
#
# `start_camserver PROGRAM ARGUMENT...` sets `port`.

camserver_pid=''
camserver_messages=''

# Starts camserver on any free port of the loopback network and waits until it listens.
start_camserver() {
    local folder line lines=()
    folder=$(mktemp -d)
    mkfifo "$folder/messages"
    "$1" --port 0 --bind 127.0.0.1 "${@:2}" 2>"$folder/messages" &
    camserver_pid=$!
    exec {camserver_messages}<"$folder/messages"
    rm -r "$folder"
    port=''
    while [ -z "$port" ] && read -r -t 60 -u "$camserver_messages" line; do
        case $line in
            *'listening on '*) port=${line##*:} ;;
            *) lines+=("$line") ;;
        esac
    done
    [ -n "$port" ] || {
        printf '%s\n' "${lines[@]}" "$0: camserver does not listen; see its messages above" >&2
        stop_camserver
        exit 69
    }
}

# Ends the server that was started, if it still runs.
stop_camserver() {
    [ -n "$camserver_pid" ] || return 0
    kill "$camserver_pid" 2>/dev/null || :
    wait "$camserver_pid" 2>/dev/null || :
    exec {camserver_messages}<&-
    camserver_pid=''
}
