/** The watcher notices every change of git's files around a worktree, however git writes them. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetadataWatcher } from '../../../extension/helper/MetadataWatcher';

/** Longer than the watcher's own delays. A later event belongs to another change. */
const kQuietMs = 300;

describe('MetadataWatcher', () => {
  let root: string;
  let watcher: MetadataWatcher;
  let changes: number;
  let problems: string[];
  let wake: () => void;

  beforeEach(async () => {
    root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rg-watcher-')));
    changes = 0;
    problems = [];
    wake = () => undefined;
    watcher = new MetadataWatcher({
      changed: () => {
        changes++;
        wake();
      },
      problem: (message) => problems.push(message),
    });
    fs.writeFileSync(join(root, 'HEAD'), 'a');
    fs.mkdirSync(join(root, 'refs'));
    fs.writeFileSync(join(root, 'refs/main'), 'a');
    await watch('HEAD', 'index', 'refs/main', 'info/exclude', 'far/away/config');
  });
  afterEach(async () => {
    await watcher.close();
    fs.rmSync(root, { recursive: true, force: true });
    assert.deepEqual(problems, []);
  });

  const path = (name: string): string => join(root, name);
  const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, kQuietMs));

  async function watch(...names: string[]): Promise<void> {
    await watcher.watch(names.map(path));
    await quiet();
  }

  async function notices(step: () => void): Promise<void> {
    await quiet();
    const before = changes;
    step();
    while (changes === before) await new Promise<void>((resolve) => (wake = resolve));
  }

  async function ignores(step: () => void): Promise<void> {
    await quiet();
    const before = changes;
    step();
    await quiet();
    assert.equal(changes, before);
  }

  function replace(name: string, content: string): void {
    fs.writeFileSync(path(`${name}.lock`), content);
    fs.renameSync(path(`${name}.lock`), path(name));
  }

  it('notices writes and replacements, again and again', async () => {
    for (let i = 0; i < 3; ++i) {
      await notices(() => {
        fs.writeFileSync(path('HEAD'), `written ${i}`);
      });
      await notices(() => {
        replace('HEAD', `replaced ${i}`);
      });
    }
  });

  it('notices a replacement that keeps size and time', async () => {
    const { atime, mtime } = fs.statSync(path('HEAD'));
    await notices(() => {
      fs.writeFileSync(path('HEAD.lock'), 'b');
      fs.utimesSync(path('HEAD.lock'), atime, mtime);
      fs.renameSync(path('HEAD.lock'), path('HEAD'));
    });
  });

  it('notices that a file comes and goes, again and again', async () => {
    for (let i = 0; i < 3; ++i) {
      await notices(() => {
        replace('index', 'x');
      });
      await notices(() => {
        fs.rmSync(path('index'));
      });
    }
  });

  it('notices a file in a folder that comes and goes, again and again', async () => {
    for (let i = 0; i < 3; ++i) {
      await notices(() => {
        fs.mkdirSync(path('info'));
      });
      await notices(() => {
        fs.writeFileSync(path('info/exclude'), 'x');
      });
      await notices(() => {
        fs.writeFileSync(path('info/exclude'), 'xy');
      });
      await notices(() => {
        fs.rmSync(path('info'), { recursive: true });
      });
    }
  });

  it('notices a file whose folders are made at once with it', async () => {
    await notices(() => {
      fs.mkdirSync(path('far/away'), { recursive: true });
      fs.writeFileSync(path('far/away/config'), 'x');
    });
    await notices(() => {
      fs.writeFileSync(path('far/away/config'), 'xy');
    });
  });

  it('notices everything after the folder itself was replaced', async () => {
    await notices(() => {
      fs.renameSync(path('refs'), path('old'));
    });
    await notices(() => {
      fs.mkdirSync(path('refs'));
      fs.writeFileSync(path('refs/main'), 'b');
    });
    await notices(() => {
      fs.writeFileSync(path('refs/main'), 'c');
    });
  });

  it('notices everything after another folder took the place at once', async () => {
    for (let i = 0; i < 3; ++i) {
      await notices(() => {
        fs.rmSync(path('refs'), { recursive: true });
        fs.mkdirSync(path('refs'));
      });
      await notices(() => {
        fs.writeFileSync(path('refs/main'), `there ${i}`);
      });
      await notices(() => {
        fs.mkdirSync(path('new'));
        fs.renameSync(path('refs'), path(`old${i}`));
        fs.renameSync(path('new'), path('refs'));
      });
      await notices(() => {
        fs.writeFileSync(path('refs/main'), `moved ${i}`);
      });
    }
  });

  it('does not care for other files in those folders', async () => {
    await ignores(() => {
      fs.writeFileSync(path('index.lock'), 'x');
      fs.writeFileSync(path('COMMIT_EDITMSG'), 'x');
      fs.writeFileSync(path('refs/other'), 'x');
      fs.mkdirSync(path('logs'));
      fs.writeFileSync(path('logs/HEAD'), 'x');
      fs.rmSync(path('index.lock'));
    });
  });

  it('watches what it is told last', async () => {
    await watch('refs/other', 'HEAD');
    await ignores(() => {
      fs.writeFileSync(path('refs/main'), 'z');
    });
    await notices(() => {
      fs.writeFileSync(path('refs/other'), 'z');
    });
    await watch('HEAD');
    await ignores(() => {
      fs.writeFileSync(path('refs/other'), 'zz');
    });
    await watch('refs/main');
    await notices(() => {
      fs.writeFileSync(path('refs/main'), 'zzz');
    });
    await ignores(() => {
      fs.writeFileSync(path('HEAD'), 'zzz');
    });
  });

  it('tells nothing after it was closed, and can be closed at any moment', async () => {
    const again = watcher.watch([path('refs/new'), path('info/new')]);
    await watcher.close();
    await again;
    await ignores(() => {
      fs.writeFileSync(path('HEAD'), 'after');
    });
  });

  it('lives with paths that no text can name', async () => {
    await watch('HEAD', 'bad\udcff/config');
    await notices(() => {
      fs.writeFileSync(path('HEAD'), 'x');
    });
  });
});
