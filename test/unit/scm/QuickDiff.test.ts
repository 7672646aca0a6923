/** The base that the gutter compares an open file with. */
import { strict as assert } from 'node:assert';
import type { Uri as VscodeUri } from 'vscode';
import { parseContentQuery } from '../../../extension/model/contentQuery';
import { parsePorcelain } from '../../../extension/git/porcelain';
import { Repository } from '../../../extension/model/Repository';
import type { RepositoryRegistry } from '../../../extension/model/RepositoryRegistry';
import { WorkspacePaths } from '../../../extension/model/WorkspacePaths';
import type { ContentProvider } from '../../../extension/scm/ContentProvider';
import { installVscodeStandIn, standInWorkspace } from '../client/vscodeStandIn';
import { delta } from '../support/deltas';

class Uri {
  private constructor(
    readonly scheme: string,
    readonly fsPath: string,
    readonly query = '',
  ) {}
  static file(path: string): Uri {
    return new Uri('file', path);
  }
  with({ scheme = this.scheme, query = this.query }): Uri {
    return new Uri(scheme, this.fsPath, query);
  }
}

const kRoot = '/r';
const kOid = '1'.repeat(40);
const ordinary = (code: string, path: string) =>
  `1 ${code} N... 100644 100644 100644 ${kOid} ${kOid} ${path}\0`;
const renamed = (path: string, from: string) =>
  `2 R. N... 100644 100644 100644 ${kOid} ${kOid} R100 ${path}\0${from}\0`;

describe('QuickDiff', () => {
  let base: string;
  /** Whether a source has the path. By default every source has every path. */
  let isThere: (source: string, path: string) => boolean;

  beforeEach(() => {
    base = 'index';
    isThere = () => true;
    installVscodeStandIn({ Uri });
    standInWorkspace.getConfiguration = () => ({ get: () => base });
  });
  afterEach(() => {
    Reflect.deleteProperty(standInWorkspace, 'getConfiguration');
  });

  const asked = ({ query }: { query: string }) => {
    const { source, path } = parseContentQuery(query) ?? assert.fail(query);
    return [source, path] as const;
  };

  /** "source path" of the file's base. `status`: git's status output for the repository. */
  async function original(path: string, status = '', scheme = 'file'): Promise<string | undefined> {
    const { QuickDiff } = await import('../../../extension/scm/QuickDiff.js');
    const repository = new Repository(kRoot);
    repository.apply({ ...delta({ upserted: parsePorcelain(Buffer.from(status)) }), root: kRoot });
    const registry = {
      paths: new WorkspacePaths([{ opened: kRoot, real: kRoot }]),
      locate: (opened: string) =>
        opened === kRoot || opened.startsWith(`${kRoot}/`)
          ? { repository, path: opened.slice(kRoot.length + 1) }
          : undefined,
    };
    const content = { exists: (uri: VscodeUri) => Promise.resolve(isThere(...asked(uri))) };
    const quickDiff = new QuickDiff(
      registry as unknown as RepositoryRegistry,
      content as unknown as ContentProvider,
    );
    const uri = Uri.file(path).with({ scheme }) as unknown as VscodeUri;
    const found = await quickDiff.provideOriginalResource(uri);
    return found && asked(found).join(' ');
  }

  it('compares with the index, or with HEAD where that is wanted', async () => {
    for (const status of ['', ordinary('.M', 'sub/f'), ordinary('MM', 'sub/f')]) {
      base = 'index';
      assert.equal(await original('/r/sub/f', status), 'index sub/f');
      base = 'HEAD';
      assert.equal(await original('/r/sub/f', status), 'HEAD sub/f');
    }
  });

  it('compares a file that is renamed with what HEAD has by its old name', async () => {
    const status = renamed('new', 'old');
    assert.equal(await original('/r/new', status), 'index new');
    base = 'HEAD';
    assert.equal(await original('/r/new', status), 'HEAD old');
  });

  it('compares with the index what HEAD has not', async () => {
    base = 'HEAD';
    isThere = (source) => source === 'index';
    assert.equal(await original('/r/f', ordinary('A.', 'f')), 'index f');
  });

  it('compares with nothing what the index has not, whatever HEAD has', async () => {
    isThere = (source) => source === 'HEAD';
    for (base of ['index', 'HEAD']) assert.equal(await original('/r/ignored'), undefined);
  });

  it('asks nobody of a file that is untracked, unless it is also something else', async () => {
    const untracked = '? f\0';
    assert.equal(await original('/r/f', ordinary('D.', 'f') + untracked), 'index f');
    isThere = () => assert.fail('it is known');
    assert.equal(await original('/r/f', untracked), undefined);
  });

  it('compares nothing that is no file of a worktree', async () => {
    isThere = () => assert.fail('it is known');
    assert.equal(await original('/r/f', '', 'resident-git'), undefined);
    for (const path of ['/other/f', '/r', '/r/.git/config'])
      assert.equal(await original(path), undefined, path);
  });

  it('compares what only begins as .git does', async () => {
    assert.equal(await original('/r/.gitignore'), 'index .gitignore');
  });
});
