# Sourced by the programs beside this file: a git-resident that passes on git's answers. A deliberately wrong
# program redefines a function before it calls `main`.

# Prints the ready line, and runs until SIGTERM.
serve() {
  cd "$1" && git rev-parse --is-inside-work-tree >/dev/null || exit 1
  trap 'rm -f "$XDG_RUNTIME_DIR/serving"; exit 0' TERM
  : >"$XDG_RUNTIME_DIR/serving"
  ready
  while :; do
    sleep 1 &
    wait $!
  done
}

require_server() {
  [ -e "$XDG_RUNTIME_DIR/serving" ] && return
  echo "git-resident: no server for $PWD" >&2
  exit 1
}

ready() { echo "watching"; }

# git's untracked cache can miss a file of the same second; the tests want the true answer.
git() { command git -c core.untrackedCache=false "$@"; }

# status SOURCE OPTION...
status() {
  shift
  git status "$@"
}

# edited SCRIPT OPTION...: git's answer, changed by sed
edited() {
  script=$1
  shift
  answer=$(mktemp)
  git status "$@" >"$answer"
  code=$?
  sed -z "$script" "$answer"
  rm -f "$answer"
  return $code
}

main() {
  command=$1
  shift
  if [ "$command" = serve ]; then
    serve "$1"
    return
  fi
  source=auto
  for word; do
    shift
    case $word in
    --source=*) source=${word#--source=} ;;
    *) set -- "$@" "$word" ;;
    esac
  done
  [ "$source" != resident ] || require_server
  status "$source" "$@"
}
