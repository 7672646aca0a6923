# Sourced to ask git after git-resident; keeps the differences. Every question of a test is compared, even if
# the test ignores the answer. Later cases find the files that git's status wrote.

ours=$state/ours
gits=$state/git
without_traces=$(env | sed -n 's/^\(GIT_TRACE[A-Z0-9_]*\)=.*/-u \1/p')

answer "$@" >"$ours.out" 2>"$ours.err" </dev/null
echo $code >"$ours.code"
env $without_traces GIT_OPTIONAL_LOCKS=0 "$real_git" status "$@" >"$gits.out" 2>"$gits.err" </dev/null
echo $? >"$gits.code"
for part in code out err; do
  cmp -s "$ours.$part" "$gits.$part" && continue
  note "differs" "$part of: status $*"
  {
    printf '== in %s: status' "$PWD"
    printf " '%s'" "$@"
    printf '\n'
    diff -u --label "git: $part" --label "git-resident: $part" "$gits.$part" "$ours.$part" | cat -A
  } >>"$state/differences"
done
exec "$real_git" status "$@"
