/** The lines of an edited text, compared with `git blame --contents` of the same text. */
import { strict as assert } from 'node:assert';
import { kNoLine, kUncommitted, originsOf } from '../../../../extension/features/blame/origins';
import { Prng } from '../../../conformance/random/prng';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const linesOf = (text: string) => text.split(/\r\n|\n|\r/);
const origins = (from: string, to: string, options = {}) => [
  ...originsOf(linesOf(from), linesOf(to), options),
];
const [no, new_] = [kNoLine, kUncommitted];

describe('origins of lines', () => {
  it('are the lines that stay, around those that are typed and deleted', () => {
    assert.deepEqual(origins('a\nb\nc\n', 'a\nb\nc\n'), [0, 1, 2, no]);
    assert.deepEqual(origins('a\nb\nc\n', 'a\nx\nb\nc\n'), [0, new_, 1, 2, no]);
    assert.deepEqual(origins('a\nb\nc\n', 'a\nc\n'), [0, 2, no]);
    assert.deepEqual(origins('a\nb\nc\n', 'x\nb\ny\nz\n'), [new_, 1, new_, new_, no]);
    assert.deepEqual(origins('', 'a\n'), [new_, no]);
    assert.deepEqual(origins('a\n', ''), [no]);
    assert.deepEqual(origins('', ''), [no]);
  });

  it('tell a missing line break at the end, like git', () => {
    assert.deepEqual(origins('a\nb', 'a\nb'), [0, 1]);
    assert.deepEqual(origins('a\nb\n', 'a\nb'), [0, new_]);
    assert.deepEqual(origins('a\nb', 'a\nb\n'), [0, new_, no]);
    assert.deepEqual(origins('a\nb\n', 'a\nb', { ignoreWhitespace: true }), [0, 1]);
  });

  it('do not depend on line breaks and a byte order mark', () => {
    assert.deepEqual(origins('a\nb\n', '\ufeffa\r\nb\r\n'), [0, 1, no]);
  });

  it('can ignore white space', () => {
    const [from, to] = ['if (a) {\n\tb();\n}\n', 'if  (a) {\n    b( );\n}\n'];
    assert.deepEqual(origins(from, to), [new_, new_, 2, no]);
    assert.deepEqual(origins(from, to, { ignoreWhitespace: true }), [0, 1, 2, no]);
  });

  it('are found for a long text', () => {
    const from = Array.from({ length: 50_000 }, (_, i) => `line ${i}`);
    const to = [...from.slice(0, 100), 'new', ...from.slice(100, 40_000), ...from.slice(40_001)];
    const found = originsOf([...from, ''], [...to, '']);
    assert.deepEqual(
      [found[99], found[100], found[101], found[40_000], found[40_001]],
      [99, -1, 100, 39_999, 40_001],
    );
  });

  describe('beside git', () => {
    let sandbox: Sandbox;
    let repository: Repository;

    before(() => {
      sandbox = new Sandbox();
      repository = Repository.init(sandbox, 'r');
    });
    after(() => {
      sandbox.remove();
    });

    /** The commit of each line, by git. Undefined: not committed. */
    function byGit(text: string, options: string[]): (string | undefined)[] {
      repository.write('edited', text);
      const { stdout } = repository.ask('blame', '-s', '-l', ...options, '--contents', 'edited', '--', 'f');
      const lines = stdout.toString('utf8').split('\n').slice(0, -1);
      return lines.map((line) => (/^\^?0+ /.test(line) ? undefined : /\w+/.exec(line)?.[0].slice(0, 39)));
    }
    function byOrigins(from: string, to: string, commits: (string | undefined)[], ignoreWhitespace: boolean) {
      const found = origins(from, to, { ignoreWhitespace });
      return found.filter((origin) => origin !== kNoLine).map((origin) => commits[origin]);
    }

    for (const ignoreWhitespace of [false, true]) {
      it(`are those of its blame${ignoreWhitespace ? ', without white space' : ''}`, () => {
        const options = ignoreWhitespace ? ['-w'] : [];
        for (let seed = 1; seed <= 30; seed++) {
          const prng = new Prng(seed);
          let serial = 0;
          // Lines differ from each other: for equal lines, more than one answer is right.
          const line = () => `${' '.repeat(prng.below(3))}line ${seed}-${serial++}`;
          let lines: string[] = [];
          const edit = () => {
            lines = lines.flatMap((old) => {
              const what = prng.below(12);
              if (what === 0) return [];
              if (what === 1) return [line()];
              if (what === 2) return [old, line()];
              return [what === 3 && ignoreWhitespace ? ` ${old.replace(' ', '\t')} ` : old];
            });
            if (prng.below(4) === 0) lines.push(line(), line());
            return lines.join('\n') + (prng.below(5) === 0 ? '' : '\n');
          };
          lines = Array.from({ length: 20 + prng.below(60) }, line);
          let committed = '';
          for (let count = 0; count < 3; count++) {
            committed = edit();
            repository.write('f', committed);
            repository.git('add', 'f');
            repository.git('commit', '-q', '-m', 'c', '--allow-empty');
          }
          const commits = byGit(committed, options);
          for (let count = 0; count < 3; count++) {
            const edited = edit();
            const expected = byGit(edited, options);
            assert.deepEqual(
              byOrigins(committed, edited, commits, ignoreWhitespace),
              expected,
              `seed ${seed}`,
            );
          }
        }
      });
    }

    it('are equal lines, as many as git finds, where lines repeat', () => {
      for (let seed = 1; seed <= 30; seed++) {
        const prng = new Prng(seed);
        const line = () => ['{', '}', '', 'x', 'y'][prng.below(5)] ?? '';
        const from = Array.from({ length: 40 }, line);
        const to = from.flatMap((old) =>
          prng.below(6) === 0 ? [] : prng.below(6) === 0 ? [old, line()] : [old],
        );
        const found = [...originsOf([...from, ''], [...to, ''])];
        const mapped = found.filter((origin) => origin >= 0);
        assert.deepEqual(
          mapped,
          [...mapped].sort((a, b) => a - b),
          `seed ${seed}`,
        );
        found.forEach((origin, i) => {
          if (origin >= 0) assert.equal(to[i], from[origin], `seed ${seed}`);
        });
        repository.write('f', `${from.join('\n')}\n`);
        repository.git('add', 'f');
        repository.git('commit', '-q', '-m', 'c', '--allow-empty');
        const kept = byGit(`${to.join('\n')}\n`, []).filter((commit) => commit !== undefined).length;
        assert.ok(mapped.length >= kept, `seed ${seed}: ${mapped.length} lines, git ${kept}`);
      }
    });
  });
});
