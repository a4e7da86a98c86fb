#!/usr/bin/env bash
# A network for `residual` from no labels: two generations of labels and of training, then the match that counts.
#
# usage: [GAMES=9000] [SETS=10000] [SEED=1] [THREADS=2] speedrun.sh FOLDER
#
# GAMES are the games of each generation. Begun again with the same settings, it continues. `jantaku`, and a `python`
# that has the package with its training, must be in PATH.
set -euo pipefail
games=${GAMES:-9000} sets=${SETS:-10000} seed=${SEED:-1} threads=${THREADS:-2}
[ $# = 1 ] || { sed -n '2,7s/^# \?//p' "$0"; exit 2; }
mkdir -p "$1" && cd "$1"
settings="GAMES=$games SEED=$seed"
[ -e settings ] || echo "$settings" > settings
[ "$(cat settings)" = "$settings" ] || { echo "$1: was begun with $(cat settings), found $settings: name another folder" >&2; exit 2; }

# The processor time of the programs that have ended, in seconds. `times` reports only its own shell.
spent() { times > times.txt; awk 'NR == 2 { split($0, t, "[ms ]+"); printf "%.0f", 60 * (t[1] + t[3]) + t[2] + t[4] }' times.txt > spent.txt; }
# Adds what the present step has taken to what it took before a stop.
account() { [ -z "$running" ] || { spent; echo $((earlier + $(cat spent.txt) - before)) > "$running.spent"; }; }
running=
trap account EXIT
step() {
    local name=$1; shift
    if [ ! -e "$name.done" ]; then
        spent; before=$(cat spent.txt) earlier=$(cat "$name.spent" 2>/dev/null || echo 0) running=$name
        "$@"
        account; mv "$name.spent" "$name.done"; running=
    fi
    echo "$name: $(cat "$name.done") s of processor time"
}
labels() { # OUT AGENT SEED
    local resume=(); [ ! -e "$1/run.toml" ] || resume=(--resume)
    jantaku selfplay --agents "$2" --games "$games" --seed "$3" --games-per-part 500 --labels --threads "$threads" \
        --out "$1" "${resume[@]}"
}
train() { # OUT LABELS [START]
    printf 'labels = ["%s"]\nout = "%s"\nbatch = 4096\ntested = 1\nthreads = %s\nseed = %s\ndevice = "cpu"\n' \
        "$2" "$1" "$threads" "$seed" > "$1.toml"
    if [ $# = 3 ]; then printf 'start = "%s"\nrate = 1e-3\n' "$3" >> "$1.toml"; fi
    python -m jantaku.train improve "$1.toml"
}

step labels-1 labels labels-1 noisy:base=\"heuristic:version=3\",p=0.05 "${seed}000000"
step first train first labels-1
step labels-2 labels labels-2 residual:model=first/residual.safetensors "${seed}500000"
step second train second labels-2 first/residual.safetensors
cat ./*.done | awk '{ s += $1 } END { printf "core-hours: %.2f\n", s / 3600 }'
jantaku match --challenger residual:model=second/residual.safetensors --baseline heuristic:version=1 \
    --sets "$sets" --seed "${seed}900000"
