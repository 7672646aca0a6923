# Sourced before a question: starts a process that keeps the worktree, in the environment of the question.
# If git finds no worktree, only git can answer.

# Variables whose difference makes a resident process refuse a question.
deciding_environment() {
  env -0 | sort -z | grep -z -e '^GIT_' -e '^HOME=' -e '^XDG_CONFIG_HOME=' | tr '\0' '\n' |
    grep -v -e '^GIT_OPTIONAL_LOCKS=' -e '^GIT_PAGER' -e '^GIT_EDITOR=' -e '^GIT_ASKPASS=' -e '^GIT_TRACE' \
      -e '^GIT_AUTHOR_' -e '^GIT_COMMITTER_' -e '^GIT_TERMINAL_PROMPT=' -e '^GIT_PREFIX=' -e '^GIT_EXEC_PATH='
}

is_ours() {
  [ "$(readlink "/proc/$1/exe" 2>/dev/null)" = "$(readlink -f "$program")" ]
}

# Ends a process that is not a child of this script.
end_process() {
  kill "$1" 2>/dev/null
  tail -f -s 0.02 --pid="$1" /dev/null
}

# Makes paths absolute: a process in another directory must find the same files. git gives the same answer.
in_full() {
  for name in GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY; do
    eval "path=\${$name-}"
    case $path in
    '' | /*) ;;
    *) export "$name=$PWD/$path" ;;
    esac
  done
}

keep_worktree() {
  root=$("$real_git" rev-parse --show-toplevel 2>/dev/null </dev/null) || return 0
  kept=$state/servers/$(printf '%s' "$root" | cksum | tr ' ' -)
  # A recreated worktree is a different one, although its old process may still run.
  conditions=$(stat -c 'root %d:%i, born %W' "$root" && deciding_environment)
  if [ -e "$kept/pid" ]; then
    read -r pid <"$kept/pid"
    if is_ours "$pid"; then
      [ "$conditions" != "$(cat "$kept/conditions")" ] || return 0
      end_process "$pid"
    fi
  fi
  mkdir -p "$kept"
  rm -f "$kept/ready"
  mkfifo "$kept/ready"
  printf '%s\n' "$conditions" >"$kept/conditions"
  note serve "$root"
  env $(env | sed -n 's/^\(GIT_TRACE[A-Z0-9_]*\)=.*/-u \1/p') -u RESIDENT_FRONT_ASKER PATH="$spied_path" \
    "$program" serve "$root" </dev/null >"$kept/ready" 2>>"$kept/log" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  echo $! >"$kept/pid"
  # Waits for its ready line, or its end.
  read -r ready <"$kept/ready"
}

in_full
keep_worktree
