# Sourced before a question: a process keeps the worktree that is asked about, in the environment of the
# question. Where git finds no worktree there is nothing to keep, and nobody to ask but git.

# The variables in which a process of another environment answers nothing.
deciding_environment() {
  env -0 | sort -z | grep -z -e '^GIT_' -e '^HOME=' -e '^XDG_CONFIG_HOME=' | tr '\0' '\n' |
    grep -v -e '^GIT_OPTIONAL_LOCKS=' -e '^GIT_PAGER' -e '^GIT_EDITOR=' -e '^GIT_ASKPASS=' -e '^GIT_TRACE' \
      -e '^GIT_AUTHOR_' -e '^GIT_COMMITTER_' -e '^GIT_TERMINAL_PROMPT=' -e '^GIT_PREFIX=' -e '^GIT_EXEC_PATH='
}

is_ours() {
  [ "$(readlink "/proc/$1/exe" 2>/dev/null)" = "$(readlink -f "$program")" ]
}

# Ends a process that this script did not start itself.
end_process() {
  kill "$1" 2>/dev/null
  tail -f -s 0.02 --pid="$1" /dev/null
}

# A process that is started elsewhere must be able to see the same; git says the same of a path in full.
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
  # A worktree made anew in the place of another is another one, and its process may not have ended yet.
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
  # Its one line, or its end.
  read -r ready <"$kept/ready"
}

in_full
keep_worktree
