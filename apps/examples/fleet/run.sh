#!/usr/bin/env bash
# A fleet on one machine: a node of NATS, two fronts behind HAProxy, three workers; parts of it are killed while calls
# are made, and what became of the calls is counted.
#   run.sh [FOLDER OF THE PROGRAMS]     needs nats-server and haproxy; PORTS in the environment are other ports to use
set -euo pipefail
read -r nats_port port front1_port front2_port <<<"${PORTS:-4222 8080 8081 8082}"
bin=$(cd "${1:-build/release/bin}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$PATH:/usr/sbin
for program in nats-server haproxy "$bin/partyline-gateway" "$bin/partyline-echo" "$bin/partyline-call"; do
    command -v "$program" >/dev/null || { echo "run.sh: there is no $program" >&2; exit 77; }
done

scratch=$(mktemp -d)
declare -A process=()
trap 'kill -9 "${process[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT

password() { echo "p$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"; } # with a letter: else NATS may take it for a number
FRONT_PASSWORD=$(password)
WORKER_PASSWORD=$(password)
NATS_STORE=$scratch/store
export FRONT_PASSWORD WORKER_PASSWORD NATS_STORE

start() { # NAME COMMAND...
    local name=$1
    shift
    "$@" >>"$scratch/$name.log" 2>&1 &
    process[$name]=$!
    disown # its end is no news
}
until_says() { # NAME TEXT
    timeout 30 bash -c "until grep -qs '$2' '$scratch/$1.log'; do sleep 0.1; done" ||
        { echo "run.sh: $1 has not said: $2" >&2; cat "$scratch/$1.log" >&2; exit 1; }
}
start_worker() {
    start "$1" "$bin/partyline-gateway" --bus "nats://worker:$WORKER_PASSWORD@127.0.0.1:$nats_port" --service calculator \
        -- "$bin/partyline-echo"
}
start_front() {
    start "$1" "$bin/partyline-gateway" --listen "$2" --node "$1" \
        --bus "nats://front:$FRONT_PASSWORD@127.0.0.1:$nats_port" --service calculator
}

start nats nats-server -c "$here/nats.conf" -a 127.0.0.1 -p "$nats_port"
until_says nats 'Server is ready'
for worker in worker1 worker2 worker3; do start_worker "$worker"; done
start_front front1 "127.0.0.1:$front1_port"
start_front front2 "127.0.0.1:$front2_port"
for each in worker1 worker2 worker3 front1 front2; do until_says "$each" 'the bus is connected'; done
sed "s/:8080/:$port/; s/:8081/:$front1_port/; s/:8082/:$front2_port/" "$here/haproxy.cfg" >"$scratch/haproxy.cfg"
start haproxy haproxy -f "$scratch/haproxy.cfg" -db
timeout 30 bash -c "until curl -sf http://127.0.0.1:$port/healthz; do sleep 0.1; done" >/dev/null

call() { "$bin/partyline-call" "http://127.0.0.1:$port/rpc" "$@"; }
echo "2 + 40 is $(call add 2 40)"

for number in $(seq 60); do
    { call add "$number" 1000 || echo lost; } >"$scratch/answer-$number" 2>&1 &
    calls+=($!)
    case $number in
        15) kill -9 "${process[worker1]}"; start_worker worker1; echo 'worker1 was killed, and started again' ;;
        30) kill "${process[worker2]}"; start_worker worker2; echo 'worker2 was restarted' ;;
        45) kill -9 "${process[nats]}"; start nats nats-server -c "$here/nats.conf" -a 127.0.0.1 -p "$nats_port"
            echo 'NATS was killed, and started again' ;;
    esac
    sleep 0.02
done
wait "${calls[@]}"

right=0
for number in $(seq 60); do
    [ "$(cat "$scratch/answer-$number")" != $((number + 1000)) ] || right=$((right + 1))
done
echo "$right of 60 calls are answered"
grep -h error "$scratch"/answer-* || true
[ "$right" -ge 55 ] # a call that a killed worker had begun is lost, since addition is not known to be idempotent
