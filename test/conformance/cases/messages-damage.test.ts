/** Messages of git about damaged files that do not change its answer. */
import * as fs from 'node:fs';
import { type Bytes, toBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import type { Repository } from '../../support/repository';
import { conformanceCase } from '../case';
import { messageCase } from '../message-case';
import { question } from '../questions';

const singleGraph = '.git/objects/info/commit-graph';
const graphs = '.git/objects/info/commit-graphs';
const multiPackIndex = '.git/objects/pack/multi-pack-index';

/**
 * Changes the file in place: a rename would be an extra event. The file is never empty meanwhile. A mapped
 * file must not be truncated during a read; git never truncates such a file, it replaces it.
 */
function change(repo: Repository, path: Bytes, how: (content: Bytes) => Bytes): () => void {
  const good = repo.read(path);
  const overwrite = (content: Bytes): void => {
    const bytes = toBuffer(content);
    const file = fs.openSync(repo.absolute(path), 'r+');
    fs.writeSync(file, bytes, 0, bytes.length, 0);
    fs.ftruncateSync(file, bytes.length);
    fs.closeSync(file);
  };
  repo.chmod(path, 0o644);
  overwrite(how(good));
  return () => overwrite(good);
}

const shorter = (content: Bytes): Bytes => content.slice(0, 100);
const flipped =
  (at: number) =>
  (content: Bytes): Bytes =>
    content.slice(0, at) + String.fromCharCode(content.charCodeAt(at) ^ 1) + content.slice(at + 1);

/** Damages the file from `make`, and repairs it. */
function damageCase(
  title: string,
  says: RegExp,
  make: (repo: Repository) => Bytes,
  how: (content: Bytes) => Bytes,
): void {
  let mend = (): void => undefined;
  messageCase(
    title,
    says,
    ({ repo, check }) => {
      const path = make(repo);
      check();
      mend = change(repo, path, how);
    },
    () => mend(),
  );
}

function writeGraph(repo: Repository): Bytes {
  repo.git('commit-graph', 'write', '--reachable');
  return singleGraph;
}

/** Writes two files; returns the file of the last commit. */
function writeChain(repo: Repository): Bytes {
  // Enough commits that git does not merge the two.
  for (let i = 0; i < 4; i++) repo.commit();
  repo.git('commit-graph', 'write', '--reachable', '--split');
  repo.append('a', 'more\n');
  repo.commit();
  repo.git('commit-graph', 'write', '--reachable', '--split');
  const [, last] = repo.read(`${graphs}/commit-graph-chain`).split('\n');
  return `${graphs}/graph-${last}.graph`;
}

function writeMultiPackIndex(repo: Repository): Bytes {
  // Default since 2.29.
  repo.config('core.multiPackIndex', 'true');
  repo.git('repack', '-q', '-a', '-d');
  repo.git('multi-pack-index', 'write');
  return multiPackIndex;
}

function monitored(repo: Repository): Bytes {
  // No daemon: a program that reports nothing.
  repo.git('-c', 'core.fsmonitor=/bin/false', 'update-index', '--fsmonitor');
  return '.git/index';
}

/** The position at `offset` in the extension `name`. */
const inExtension =
  (name: string, offset: number) =>
  (content: Bytes): Bytes =>
    flipped(content.indexOf(name) + offset)(content);

describe('messages of damage', () => {
  damageCase('a commit-graph that is too short', /commit-graph file is too small/, writeGraph, shorter);
  damageCase('a commit-graph of another kind', /signature .* does not match/, writeGraph, flipped(0));
  damageCase(
    'a commit-graph without its commits',
    /commit-graph is missing|commit data chunk missing/,
    writeGraph,
    (content) => content.replace('CDAT', 'CDAX'),
  );
  damageCase(
    'a file of a chain that is too short',
    /unable to find all commit-graph files/,
    writeChain,
    shorter,
  );
  damageCase(
    'a chain with a line that is none',
    /invalid commit-graph chain/,
    (repo) => {
      writeChain(repo);
      return `${graphs}/commit-graph-chain`;
    },
    (content) => `x${content.slice(1)}`,
  );
  // From 2.34 to 2.37 git uses no commit-graph for HEAD.
  const believed = !atLeast(2, 34) || atLeast(2, 38);
  const addition = believed ? [/^1 A\. .* b$/] : [];
  damageCase(
    'a commit-graph that names a parent that it has not',
    believed ? /invalid parent position/ : /^$/,
    writeChain,
    (content) => {
      const record = content.indexOf('CDAT') + 4;
      let at = 0;
      for (let i = 0; i < 8; i++) at = at * 256 + content.charCodeAt(record + i);
      return flipped(at + 21)(content);
    },
  );
  conformanceCase(
    'a commit-graph with another tree of HEAD, which is believed',
    ({ repo, check, checkAll }) => {
      repo.write('a', 'one\n');
      repo.commit();
      const before = repo.git('rev-parse', 'HEAD^{tree}').trim();
      repo.write('b', 'two\n');
      repo.commit();
      const after = repo.git('rev-parse', 'HEAD^{tree}').trim();
      check();
      const path = writeGraph(repo);
      check();
      const binary = (hex: string): Bytes => Buffer.from(hex, 'hex').toString('latin1');
      const mend = change(repo, path, (content) => content.replace(binary(after), binary(before)));
      check(...addition);
      checkAll([question('-sb')]);
      repo.config('core.commitGraph', 'false');
      check();
      repo.git('config', '--unset', 'core.commitGraph');
      check(...addition);
      mend();
      check();
    },
    { delegates: 'maybe' },
  );

  damageCase(
    'a multi-pack-index that is too short',
    /multi-pack-index file .* is too small/,
    writeMultiPackIndex,
    (content) => content.slice(0, 20),
  );
  damageCase(
    'a multi-pack-index of another kind',
    /multi-pack-index signature/,
    writeMultiPackIndex,
    flipped(0),
  );
  damageCase(
    'a multi-pack-index without its objects',
    /required OID lookup/,
    writeMultiPackIndex,
    (content) => content.replace('OIDL', 'OIDX'),
  );
  damageCase('a multi-pack-index with all objects elsewhere', /./, writeMultiPackIndex, (content) => {
    const record = content.indexOf('OOFF') + 4;
    let at = 0;
    for (let i = 0; i < 8; i++) at = at * 256 + content.charCodeAt(record + i);
    return content.slice(0, at) + content.slice(at).replace(/\0\0\0\0\0/g, '\0\0\0\0\x01');
  });

  damageCase(
    'a bitmap of the file system monitor that ends early',
    /ewah bitmap/,
    monitored,
    // After the version and the token, which ends in NUL.
    (content) => flipped(content.indexOf('\0', content.indexOf('FSMN') + 12) + 1 + 3)(content),
  );
  damageCase(
    'a version of the file system monitor that nobody knows',
    /bad fsmonitor version/,
    monitored,
    inExtension('FSMN', 8),
  );
  damageCase(
    'resolved conflicts that are malformed',
    /invalid resolve-undo information/,
    (repo) => {
      const id = repo.git('rev-parse', 'HEAD:a').trim();
      const stages = [1, 2, 3].map((stage) => `100644 ${id} ${stage}\ta\n`).join('');
      repo.git('update-index', '--force-remove', 'a');
      repo.gitWithInput(stages, 'update-index', '--index-info');
      repo.git('add', 'a');
      return '.git/index';
    },
    (content) => content.replace('100644', '10x644'),
  );

  const tracksLocally = (repo: Repository, merge: string): void => {
    repo.config('branch.main.remote', '.');
    repo.config('branch.main.merge', merge);
  };
  messageCase(
    'a broken tag of the name of a local upstream',
    /ignoring broken ref refs\/tags\/side/,
    ({ repo }) => {
      repo.git('branch', 'side');
      tracksLocally(repo, 'side');
      repo.write('.git/refs/tags/side', 'nothing\n');
    },
    ({ repo }) => repo.remove('.git/refs/tags/side'),
  );
  messageCase(
    'a symbolic ref of the name of a local upstream that leads nowhere',
    /ignoring dangling symref refs\/heads\/side/,
    ({ repo }) => {
      tracksLocally(repo, 'side');
      repo.git('symbolic-ref', 'refs/heads/side', 'refs/heads/nowhere');
    },
    ({ repo }) => {
      repo.git('branch', 'nowhere');
    },
  );
  messageCase('the second of two local upstreams that is broken', /ignoring broken ref/, ({ repo }) => {
    repo.git('branch', 'side');
    tracksLocally(repo, 'side');
    repo.git('config', '--add', 'branch.main.merge', 'other');
    repo.write('.git/refs/heads/other', 'nothing\n');
  });
  messageCase('an upstream that is no commit', /is a tree, not a commit/, ({ repo }) => {
    tracksLocally(repo, 'refs/tags/tree');
    repo.git('tag', 'tree', 'HEAD^{tree}');
  });
  messageCase(
    'a broken shallow file',
    /bad shallow line/,
    ({ repo }) => repo.write('.git/shallow', 'nothing\n'),
    ({ repo }) => repo.remove('.git/shallow'),
  );
  conformanceCase('a longer name of an upstream, and the shorter one again', ({ repo, check }) => {
    repo.commit();
    repo.git('branch', 'side');
    tracksLocally(repo, 'refs/heads/side');
    check(/^# branch\.upstream side$/);
    repo.git('tag', 'side');
    check(/^# branch\.upstream heads\/side$/);
    repo.remove('.git/refs/tags/side');
    check(/^# branch\.upstream side$/);
  });
});
