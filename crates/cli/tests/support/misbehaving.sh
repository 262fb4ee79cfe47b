# An engine with a fault: misbehaving.sh FAULT ENGINE ONCE
#
# All lines are passed on to ENGINE, and what it says is said, until the third `go`. Whoever then
# is the first to make the folder ONCE shows the fault; all others behave. With ONCE `always`
# everybody shows it. Faults that are harmless, or that show at the start, are there always.

fault=$1 engine=$2 once=$3
exec 3>&1

pass() {
    printf '%s\n' "$line"
}

# Whether the fault is to be shown now.
first() {
    [ "$once" = always ] || { mkdir "$once" 2>/dev/null && : >"$once/$$"; }
}

# Ends the passing on, and with it ENGINE; `afterwards` does the rest.
leave() {
    exit 0
}

# What has no end keeps a processor busy in the sweeps alone.
pause() {
    [ "$KALAH_DEEP" ] || sleep 0.2
}

misbehave() {
    case $fault in
    silent | no-word) [ "$fault" = silent ] || printf 'bestmove\n' >&3 ;;
    late) sleep 10 && pass ;;
    only-garbage) printf 'bestmvoe A\n\n  \nbest move A\nreadyok\nuciok\n' >&3 ;;
    illegal) printf 'info depth 1 score cp 100\nbestmove L\n' >&3 ;;
    unparseable) printf 'bestmove \303\244\033[2J-A ponder b\n' >&3 ;;
    run-together) printf 'bestmove AB\n' >&3 ;;
    refusal) printf 'info string error: I know\001no such\tlimit\ninfo string error: sorry\n' >&3 ;;
    null-move) printf 'bestmove 0000\n' >&3 ;;
    flood) while :; do yes 'info depth 1 score cp 1' | head -n 5000; pause; done >&3 ;;
    endless-line) while :; do yes x | tr -d '\n' | head -c 500000; pause; done >&3 ;;
    grandchild) sleep 1000 & sleep 1000 ;;
    deaf-grandchild) (trap '' TERM INT HUP; sleep 1000 & sleep 1000) ;;
    *) leave ;;
    esac
}

# After the passing on has ended; ENGINE has left, too.
afterwards() {
    [ "$fault" != no-quit ] || sleep 1000
    [ -e "$once/$$" ] || exit 0
    case $fault in
    crash) printf 'first words\nout of seeds\n\n' >&2; exit 7 ;;
    killed) kill -9 $$ ;;
    orphan) sleep 1000 & exit 3 ;;
    noisy-orphan) yes 'info depth 1 score cp 1' >&3 & exit 4 ;;
    closed-output) exec 1>&- 3>&-; sleep 1000 ;;
    closed-input) exec 0<&-; sleep 1000 ;;
    *) exit 0 ;;
    esac
}

case $fault in
mute) while read -r line; do :; done; exit 0 ;;
mute-and-deaf) exec sleep 1000 ;;
mute-later) ! mkdir started 2>/dev/null && first && { while read -r line; do :; done; exit 0; } ;;
dead) printf 'no licence\n' >&2; exit 5 ;;
flood-at-start) while :; do printf 'info string more\n'; done ;;
esac

case $fault in
none | newgame | mute-later | one-rule | early | twice | unready | no-quit | garbage | bytes | long-line | chatter | errors) has_moment= ;;
*) has_moment=yes ;;
esac

{
    asked=0 games=0
    while read -r line; do
        case $line in
        go*)
            asked=$((asked + 1))
            case $fault in
            garbage)
                printf 'info\ninfo depth\ninfo score cp x pv\nbestmove\nid name\noption\n\nhello\n' >&3
                printf 'info depth 99999999999 score cp 99999999999 nodes -1\n' >&3
                ;;
            bytes) printf 'info \000\377\376 depth 3\n\303\n\000\n\r\n' >&3 ;;
            long-line) [ $asked != 2 ] || { head -c 3000000 /dev/zero >&3; printf '\n' >&3; } ;;
            chatter) [ $asked != 2 ] || yes 'info depth 1 score cp 1' | head -n 20000 >&3 ;;
            errors) [ $asked != 2 ] || yes 'oh dear' | head -c 1000000 >&2 ;;
            esac
            if [ $asked = 3 ] && [ "$has_moment" ] && first; then
                misbehave
            else
                pass
            fi
            ;;
        *Capture*)
            if [ "$fault" = one-rule ]; then
                # What a terminal would obey comes as a space.
                printf 'info string error: there is\033one rule\n' >&3
            else
                pass
            fi
            ;;
        ucinewgame)
            games=$((games + 1))
            if [ "$fault" = newgame ] && [ $games = 2 ] && first; then leave; fi
            pass
            ;;
        position*)
            [ "$fault" != twice ] || printf 'bestmove L\n' >&3
            pass
            ;;
        isready)
            [ "$fault" != early ] || printf 'bestmove L\nbestmove A\n' >&3
            if [ "$fault" = unready ] && [ $games = 2 ] && first; then exec sleep 1000; fi
            pass
            ;;
        *) pass ;;
        esac
    done
} | "$engine"

afterwards
