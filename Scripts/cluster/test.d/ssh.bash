# GNU parallel over ssh, for Scripts/cluster/test; sourced, never run.
#
# An sshd of its own, on the loopback, with a key that is made for it: two machines by name, which are both this one.
# shellcheck shell=bash

start_sshd() {
    local port name
    ssh=$scratch/ssh
    mkdir -m 700 "$ssh"
    port=$(free_ports 1)
    for name in host user; do ssh-keygen -q -t ed25519 -N '' -f "$ssh/$name"; done
    cp "$ssh/user.pub" "$ssh/authorized_keys"
    cat >"$ssh/sshd_config" <<END
ListenAddress 127.0.0.1:$port
HostKey $ssh/host
AuthorizedKeysFile $ssh/authorized_keys
AuthenticationMethods publickey
PermitRootLogin yes
AllowUsers $(id -un)
UsePAM no
# The folder is below one that others may write to.
StrictModes no
PidFile none
END
    cat >"$ssh/ssh_config" <<END
Host one other
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $ssh/user
    IdentitiesOnly yes
    HostKeyAlias anechoic
    UserKnownHostsFile $ssh/known_hosts
    BatchMode yes
END
    printf 'anechoic %s\n' "$(<"$ssh/host.pub")" >"$ssh/known_hosts"
    # What it gives up its privileges in; a service would have made it.
    if ((EUID == 0)) && [[ ! -d /run/sshd ]]; then
        mkdir -m 755 /run/sshd
        made+=(/run/sshd)
    fi
    start sshd "$(type -P sshd || echo /usr/sbin/sshd)" -D -e -f "$ssh/sshd_config"
    wait_until 20 "sshd answers" ssh -F "$ssh/ssh_config" one true
}

# parallel_plays: a part that plays and has something to lose, as `picked`.
parallel_plays() {
    local number
    for ((number = 1; number <= parts; number++)); do
        ! is_playing parallel "$number" || { picked=$number && return; }
    done
    return 1
}

play_parallel() {
    local pid status=0
    start_sshd
    printf '%s\n' one other : >"$ssh/machines"
    (cd "$scratch" && export PARALLEL_HOME=$ssh && exec "$here/soak.parallel" "$parts" \
        --sshloginfile "$ssh/machines" --ssh "ssh -F $ssh/ssh_config" -- \
        --campaign parallel --out "$shared" "${campaign[@]}" --runs "$runs" --jobs 1) \
        >"$scratch/logs/parallel.log" 2>&1 </dev/null &
    pid=$!
    pids+=("$pid")
    say "parallel: $parts parts on two machines by ssh, and on this one"
    wait_until 120 "a part plays" parallel_plays
    kill -KILL "$(player parallel "$picked")"
    say "parallel: part $picked was killed"
    wait "$pid" || status=$?
    ((status == 0)) || fault "parallel: it ended with $status"
    grep -q "part $picked of $parts of campaign parallel goes on" "$scratch/logs/parallel.log" ||
        fault "parallel: part $picked did not go on"
    judge parallel "$parts parts on $(cut -f 2 "$shared/parallel/joblog" | sed 1d | sort -u | wc -l) machines; one killed"
}
