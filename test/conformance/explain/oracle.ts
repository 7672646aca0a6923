/** Combines git's facts about paths, and compares them with `git-resident explain`. */
import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import type { Explanation } from '../../../extension/protocol';
import { residentBinary } from '../../support/binary';
import { type Bytes, fromBuffer, printable, toBuffer } from '../../support/bytes';
import type { Repository } from '../../support/repository';
import { run, type RunResult } from '../../support/run';
import { fromBytes } from '../../../extension/model/repoPath';

export function runExplain(
  repo: Repository,
  paths: readonly Bytes[],
  { cwd = repo.root, text = false, raw = false } = {},
): RunResult {
  const words = [residentBinary(), 'explain', ...(text ? [] : ['--json']), ...(raw ? [] : ['--'])];
  // Node passes arguments only as text; xargs passes any bytes.
  const input = toBuffer(paths.map((path) => `${path}\0`).join(''));
  const env = repo.sandbox.questionEnv({ spy: false });
  if (paths.every((path) => /^[\x01-\x7f]*$/.test(path))) {
    const [program = '', ...args] = [...words, ...paths];
    return run(program, args, { cwd, env });
  }
  return run('xargs', ['-0', '-x', ...words], { cwd, env, input });
}

/** Explains each path. Fails if the program fails. */
export function explain(repo: Repository, ...paths: Bytes[]): Explanation[] {
  const { code, stdout, stderr } = runExplain(repo, paths);
  assert.equal(code, 0, stderr.toString('latin1'));
  return parse(stdout);
}

export function explainText(repo: Repository, path: Bytes): string {
  const { code, stdout, stderr } = runExplain(repo, [path], { text: true });
  assert.equal(code, 0, stderr.toString('latin1'));
  return stdout.toString();
}

function parse(stdout: Buffer): Explanation[] {
  const lines = stdout.toString('latin1').split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line) as Explanation);
}

/** Compares every path of the repository, and some missing paths, with git. Returns their number. */
export function compareExplanations(repo: Repository): number {
  const paths = pathsOf(repo);
  const { code, stdout, stderr } = runExplain(repo, paths);
  // If only git can answer for the repository, the program refuses with a message.
  if (code !== 0) {
    assert.match(stderr.toString('latin1'), /^fatal: \S/);
    return 0;
  }
  const explanations = parse(stdout);
  assert.equal(explanations.length, paths.length);
  const ordinary = paths.filter((_, i) => explanations[i]?.place === undefined);
  const git = new GitTells(repo, ordinary);
  if (!git.answers) return 0;
  explanations.forEach((explanation, i) => {
    const path = paths[i] ?? '';
    assert.equal(explanation.path, fromBytes(toBuffer(path)));
    const hint = `${printable(path)}: ${JSON.stringify(explanation)}`;
    assert.deepEqual(entriesOf(explanation), git.entries.get(path) ?? [], hint);
    assert.deepEqual(rowOf(explanation), git.rows.get(path), hint);
    if (git.readsHead) assert.equal(headOf(explanation), git.head.get(path), hint);
    if (explanation.place !== undefined) return;
    if (git.knowsIgnore(path)) assert.deepEqual(ignoreOf(explanation), git.ignores.get(path), hint);
    assert.deepEqual(attributesOf(explanation), git.attributes.get(path) ?? [], hint);
    assert.equal(explanation.untracked ?? false, git.hasUntracked(path), hint);
    if (git.diffs) compareDifferences(explanation, git, path, hint);
  });
  return paths.length;
}

const kContent = ['content', 'endOfLine', 'conversion', 'filter'];

function compareDifferences(explanation: Explanation, git: GitTells, path: Bytes, hint: string): void {
  if (explanation.hidden !== undefined || explanation.row?.unmerged) return;
  const raw = git.raw.get(path);
  const differences = explanation.differences ?? [];
  if (raw === undefined) {
    assert.deepEqual(differences, [], hint);
    return;
  }
  assert.equal(differences.includes('deleted'), raw.letter === 'D', hint);
  assert.equal(differences.includes('type'), raw.letter === 'T', hint);
  const onlyMode = raw.letter === 'M' && raw.before !== raw.after;
  assert.equal(differences.includes('mode'), onlyMode, hint);
  if (raw.letter !== 'M' || raw.before.startsWith('16') || differences.includes('unknown')) return;
  if (raw.before === raw.after) {
    assert.ok(
      differences.some((one) => kContent.includes(one) || one === 'unreadable'),
      hint,
    );
  }
}

/** In a sparse checkout git treats an existing file as not skipped. */
function entriesOf({ entries = [], hidden = [] }: Explanation): string[] {
  const skipped = hidden.some((one) => one !== 'assumeUnchanged') ? ' skipped' : '';
  return entries.map(
    ({ mode, oid, stage, assumeUnchanged }) =>
      `${mode} ${oid} ${stage}${assumeUnchanged ? ' assumed' : ''}${skipped}`,
  );
}

function headOf({ head }: Explanation): string | undefined {
  return head && `${head.mode} ${head.oid}`;
}

function rowOf({ row }: Explanation): string | undefined {
  if (row === undefined) return undefined;
  return row.index + row.worktree + (row.from === undefined ? '' : ` ${row.score} ${row.from}`);
}

function ignoreOf({ ignore }: Explanation): string | undefined {
  return ignore && `${ignore.source}:${ignore.line}:${ignore.pattern}`;
}

function attributesOf({ attributes = [] }: Explanation): string[] {
  return attributes.map(({ name, value }) => `${name}: ${value}`).sort();
}

/** Paths in the index, on disk, and some in neither. */
function pathsOf(repo: Repository): Bytes[] {
  const paths = new Set<Bytes>(['none', 'none/below', 'a.log', 'build']);
  for (const path of split(repo.ask('ls-files', '-z').stdout)) paths.add(path);
  const visit = (directory: Bytes): void => {
    let names: Buffer[] = [];
    try {
      names = readdirSync(repo.absolute(directory), { encoding: 'buffer' });
    } catch {
      return;
    }
    for (const name of names.map(fromBuffer)) {
      const path = directory + name;
      if (path === '.git') continue;
      paths.add(path);
      if (repo.kind(path) === 'directory') visit(`${path}/`);
    }
  };
  visit('');
  return [...paths];
}

function split(output: Buffer): Bytes[] {
  const parts = fromBuffer(output).split('\0');
  parts.pop();
  return parts;
}

class GitTells {
  readonly ignores = new Map<Bytes, string>();
  readonly attributes = new Map<Bytes, string[]>();
  readonly entries = new Map<Bytes, string[]>();
  readonly rows = new Map<Bytes, string>();
  readonly head = new Map<Bytes, string>();
  readsHead = true;
  readonly raw = new Map<Bytes, { before: string; after: string; letter: string }>();
  private readonly untracked: Bytes[] = [];
  /** git status fails for a broken submodule. */
  answers = true;
  /** git diff fails for a broken filter, but git status does not. */
  diffs = true;
  private tracked: ReadonlySet<Bytes> = new Set();
  private hasHiddenRules = false;

  constructor(
    private readonly repo: Repository,
    paths: readonly Bytes[],
  ) {
    this.readEntries();
    this.readIgnores(paths);
    this.readAttributes(paths);
    this.readHead();
    this.readStatus();
    this.readRaw();
  }

  knowsIgnore(path: Bytes): boolean {
    return !this.hasHiddenRules || !this.tracked.has(path);
  }

  hasUntracked(path: Bytes): boolean {
    return this.untracked.some((one) => one === path || one === `${path}/` || one.startsWith(`${path}/`));
  }

  private ask(args: string[], paths: readonly Bytes[]): Bytes[] {
    const input = toBuffer(paths.map((path) => `${path}\0`).join(''));
    const env = this.repo.sandbox.questionEnv({ spy: false });
    return split(run('git', args, { cwd: this.repo.root, env, input }).stdout);
  }

  /**
   * git reports ignore rules of a tracked path only without its index. It then reads no rules from the index.
   */
  private readIgnores(paths: readonly Bytes[]): void {
    const isTracked = (path: Bytes) =>
      this.entries.has(path) || [...this.entries.keys()].some((entry) => entry.startsWith(`${path}/`));
    const tracked = new Set(paths.filter(isTracked));
    this.hasHiddenRules = [...this.entries].some(
      ([path, [first = '']]) => /(^|\/)\.gitignore$/.test(path) && first.endsWith(' skipped'),
    );
    this.readIgnoresOf(['--no-index'], [...tracked]);
    this.readIgnoresOf(
      [],
      paths.filter((path) => !tracked.has(path)),
    );
    this.tracked = tracked;
  }

  private readIgnoresOf(options: readonly string[], paths: readonly Bytes[]): void {
    const fields = this.ask(['check-ignore', '-v', '-n', '-z', ...options, '--stdin'], paths);
    for (let i = 0; i + 3 < fields.length; i += 4) {
      const [source = '', line = '', pattern = '', path = ''] = fields.slice(i, i + 4);
      const shown = source.startsWith(`${this.repo.root}/`)
        ? source.slice(this.repo.root.length + 1)
        : source;
      const asPath = fromBytes(toBuffer(`${shown}:${line}:${pattern}`));
      if (source !== '') this.ignores.set(path, asPath);
    }
  }

  private readAttributes(paths: readonly Bytes[]): void {
    // Only paths that may be files.
    const files = paths.filter((path) => this.repo.kind(path) !== 'directory');
    const fields = this.ask(['check-attr', '-z', '-a', '--stdin'], files);
    for (let i = 0; i + 2 < fields.length; i += 3) {
      const [path = '', name = '', value = ''] = fields.slice(i, i + 3);
      const all = this.attributes.get(path) ?? [];
      all.push(fromBytes(toBuffer(`${name}: ${value}`)));
      this.attributes.set(path, all.sort());
    }
  }

  private readEntries(): void {
    const tags = new Map<Bytes, string>();
    for (const line of split(this.repo.ask('ls-files', '-v', '-z').stdout))
      tags.set(line.slice(2), line[0] ?? '');
    for (const line of split(this.repo.ask('ls-files', '-s', '-z').stdout)) {
      const tab = line.indexOf('\t');
      const path = line.slice(tab + 1);
      const tag = tags.get(path) ?? '';
      const flags =
        (tag === tag.toLowerCase() ? ' assumed' : '') + (tag.toUpperCase() === 'S' ? ' skipped' : '');
      const all = this.entries.get(path) ?? [];
      all.push(line.slice(0, tab) + flags);
      this.entries.set(path, all);
    }
  }

  private readHead(): void {
    const { code, stdout } = this.repo.ask('ls-tree', '-r', '-z', 'HEAD');
    const isUnborn = this.repo.ask('rev-parse', '-q', '--verify', 'HEAD').code !== 0;
    this.readsHead = code === 0 || isUnborn;
    for (const line of split(stdout)) {
      const [mode = '', , oid = ''] = line.slice(0, line.indexOf('\t')).split(' ');
      this.head.set(line.slice(line.indexOf('\t') + 1), `${mode} ${oid}`);
    }
  }

  private readStatus(): void {
    const { code, stdout } = this.repo.ask('status', '--porcelain=v2', '-z', '-uall');
    this.answers = code === 0;
    const records = split(stdout);
    for (let i = 0; i < records.length; i++) {
      const record = records[i] ?? '';
      const words = record.split(' ');
      const after = (count: number) => words.slice(count).join(' ');
      if (record.startsWith('? ')) this.untracked.push(record.slice(2));
      if (record.startsWith('1 ')) this.rows.set(after(8), words[1] ?? '');
      if (record.startsWith('u ')) this.rows.set(after(10), words[1] ?? '');
      if (!record.startsWith('2 ')) continue;
      const from = fromBytes(toBuffer(records[++i] ?? ''));
      this.rows.set(after(9), `${words[1]} ${words[8]?.slice(1)} ${from}`);
    }
  }

  private readRaw(): void {
    const args = ['diff', '--raw', '-z', '--no-renames', '--ignore-submodules=none', '--no-ext-diff'];
    const { code, stdout } = this.repo.ask(...args);
    // For a replaced object git diff reads the replacement's bytes, but git status compares the id.
    this.diffs = code === 0 && this.repo.ask('for-each-ref', 'refs/replace').stdout.length === 0;
    const fields = split(stdout);
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const [before = '', after = '', , , letter = ''] = (fields[i] ?? '').slice(1).split(' ');
      this.raw.set(fields[i + 1] ?? '', { before, after, letter });
    }
  }
}
