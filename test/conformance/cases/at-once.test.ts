/** A program that answers one question and ends: it asks git all its questions in parallel. */
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { residentBinary } from '../../support/binary';
import { oracleGit } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { withSandbox } from '../case';

/** A git that waits for all three questions before it answers any, and refuses other questions. */
const patient = (folder: string): string => `#!/bin/sh
case "$*" in
  version) name=version ;;
  *rev-parse*) name=rev-parse ;;
  *'config --list'*) name=config ;;
  *) exit 9 ;;
esac
: >'${folder}/'$name
for turn in $(seq 1000); do
  if [ -e '${folder}/version' ] && [ -e '${folder}/rev-parse' ] && [ -e '${folder}/config' ]; then
    exec '${oracleGit()}' "$@"
  fi
  sleep 0.01
done
exit 9
`;

describe('git is asked for everything at once', () => {
  async function asked(...words: string[]): Promise<string> {
    let said = '';
    await withSandbox((sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.write('a', 'text');
      repo.commit('first');
      repo.write('a', 'more');
      mkdirSync(sandbox.path('asked'));
      writeFileSync(sandbox.path('bin/git'), patient(sandbox.path('asked')), { mode: 0o755 });
      const env = { ...sandbox.env, PATH: `${sandbox.path('bin')}:${sandbox.env.PATH}` };
      const { stdout, stderr } = run(residentBinary(), words, { cwd: repo.root, env });
      said = stdout.toString() + stderr.toString();
    });
    return said;
  }

  it('by a scan', async () => {
    assert.equal(await asked('status', '--source=scan', '--porcelain'), ' M a\n');
  });

  it('by a prompt', async () => {
    assert.match(await asked('prompt', '--format=%(head) %(unstaged)'), /^main 1$/m);
  });
});
