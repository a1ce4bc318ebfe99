# A Slurm of two nodes on this machine, for Scripts/cluster/test; sourced, never run.
#
# Everything of it lies in `scratch`: configuration, key, sockets, logs. It listens on the loopback alone, and neither
# reads nor disturbs a Slurm that this machine belongs to.
# shellcheck shell=bash

nodes=(alpha beta)

# write_slurm_conf: two nodes of one core each, whatever this machine has, so that a queue is there to see.
write_slurm_conf() {
    local host ports port line
    host=$(hostname -s)
    read -r -a ports <<<"$(free_ports $((1 + ${#nodes[@]})))"
    cat >"$slurm/slurm.conf" <<END
ClusterName=anechoic
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/%n.spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/%n.log
AuthType=auth/munge
# A task that was requeued waits until what it was started with has run out: ten seconds instead of four minutes.
AuthInfo=socket=$slurm/munge.socket,cred_expire=5
CryptoType=crypto/munge
# No control groups: a container has none to give.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=$(type -P true)
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=1,sched_interval=2,bf_interval=2
MinJobAge=7200
PartitionName=all Nodes=$(IFS=,; echo "${nodes[*]}") Default=YES MaxTime=INFINITE State=UP
END
    port=0
    for line in "${nodes[@]}"; do
        echo "NodeName=$line NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[$((++port))]} CPUs=1"
    done >>"$slurm/slurm.conf"
}

start_slurm() {
    local node
    slurm=$scratch/slurm
    mkdir -p "$slurm/state" "$slurm/key"
    chmod 700 "$slurm/key"
    head -c 1024 /dev/urandom >"$slurm/key/munge.key"
    chmod 400 "$slurm/key/munge.key"
    write_slurm_conf
    start munged munged --foreground --key-file="$slurm/key/munge.key" --socket="$slurm/munge.socket" \
        --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed"
    wait_until 20 "munged answers" test -S "$slurm/munge.socket"
    export SLURM_CONF=$slurm/slurm.conf
    start slurmctld slurmctld -D -f "$SLURM_CONF"
    # One slurmd a node, each with a name of its own: Debian builds it with multiple-slurmd.
    for node in "${nodes[@]}"; do start "$node" slurmd -D -N "$node" -f "$SLURM_CONF"; done
    wait_until 60 "both nodes are idle" nodes_are_idle
}

nodes_are_idle() { [[ $(sinfo -h -o '%D %t' 2>/dev/null) == "${#nodes[@]} idle" ]]; }

# task FIELD NUMBER: what Slurm says of a task of the array, for example JobState.
task() { scontrol show job -o "${array}_$2" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$1=//p" | head -n 1; }

is_done() { [[ $(task JobState "$1") == COMPLETED ]]; }

# count_done: how many tasks are over.
count_done() {
    local number count=0
    for ((number = 0; number < parts; number++)); do ! is_done "$number" || ((++count)); done
    echo "$count"
}

are_done() { (($(count_done) >= $1)); }

# pick [NODE]: a task that plays, there if a node is named, and has something to lose; as `picked`.
pick() {
    local number
    for ((number = 0; number < parts; number++)); do
        [[ $(task JobState "$number") == RUNNING ]] || continue
        [[ -z ${1-} || $(task NodeList "$number") == "$1" ]] || continue
        is_playing slurm $((number + 1)) || continue
        picked=$number
        return
    done
    return 1
}

# has_restarted NUMBER COUNT
has_restarted() { (($(task Restarts "$1") >= $2)); }

play_slurm() {
    local number killed drained warned restarts=0
    start_slurm
    # As a user does it, from a folder of his own.
    array=$(cd "$scratch" && sbatch --parsable --array="0-$((parts - 1))" --output="$scratch/logs/task-%a.log" \
        "$here/soak.sbatch" "${campaign[@]}" --runs "$runs" --campaign slurm --out "$shared")
    say "slurm: an array of $parts tasks on ${#nodes[@]} nodes"

    wait_until 120 "a task plays" pick
    killed=$picked
    kill -KILL "$(player slurm $((killed + 1)))"
    wait_until 30 "the killed task queues again" has_restarted "$killed" 1
    say "slurm: task $killed was killed, and queued again by itself"

    wait_until 300 "two tasks are over" are_done 2
    wait_until 120 "a task plays on beta" pick beta
    drained=$picked
    scontrol update NodeName=beta State=DRAIN Reason=test
    scontrol requeue "${array}_$drained"
    wait_until 60 "beta is drained" is_drained
    say "slurm: beta was drained, and task $drained requeued from it"

    wait_until 120 "a task plays on alpha" pick alpha
    warned=$picked
    # It would try again while the task changes its state, and so warn it twice.
    timeout 3 scancel --batch --signal=USR1 "${array}_$warned" || true
    wait_until 60 "the warned task queues again" has_restarted "$warned" 1
    say "slurm: task $warned heard that its time was nearly up, and queued again by itself"

    wait_until 1200 "all tasks are over" are_done "$parts"
    for ((number = 0; number < parts; number++)); do ((restarts += $(task Restarts "$number"))) || true; done
    ((restarts == 3)) || fault "slurm: expected 3 restarts, and there were $restarts"
    [[ $(task NodeList "$drained") == alpha ]] || fault "slurm: task $drained was played on a drained node"
    for number in "$killed" "$drained" "$warned"; do
        grep -q "goes on$" "$scratch/logs/task-$number.log" || fault "slurm: task $number did not go on"
    done
    judge slurm "an array of $parts tasks; one killed, one requeued from a drained node, one out of time"
}

is_drained() { [[ $(sinfo -h -n beta -o %t) == drain ]]; }
