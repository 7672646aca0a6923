import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { DrawTurns, kGatherMs } from '../../../extension/scm/DrawTurns';

/** A real turn of the event loop. The mocked clock does not affect it. */
const turn = setImmediate;

/**
 * VS Code's drawing of rows. It waits 100 ms for further rows of a repository. Its view collects all arrivals until
 * it draws, and then draws only the first and the last.
 */
class FakeEditor {
  readonly drawn: string[] = [];
  isBusy = false;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private arrived: string[] = [];
  private answers: (() => void)[] = [];

  giveRows(name: string): void {
    clearTimeout(this.timers.get(name));
    this.timers.set(
      name,
      setTimeout(() => {
        this.arrived.push(name);
      }, 100),
    );
  }
  giveName(name: string): void {
    this.arrived.push(name);
  }
  ask(): Promise<void> {
    return new Promise((resolve) => this.answers.push(resolve));
  }
  /** The editor's own turn. */
  work(): void {
    if (this.isBusy) return;
    const changes = this.arrived.filter((name, i) => name !== this.arrived[i - 1]);
    this.drawn.push(...new Set([...changes.slice(0, 1), ...changes.slice(-1)]));
    this.arrived = [];
    for (const answer of this.answers.splice(0)) answer();
  }
}

class FakeRepository {
  awaitsRedraw = false;
  private hasChanged = false;

  constructor(
    readonly name: string,
    private readonly editor: FakeEditor,
    private readonly turns: () => DrawTurns,
  ) {}
  change(): void {
    this.hasChanged = true;
    this.turns().request(this);
  }
  drawRows(): boolean {
    if (!this.hasChanged) return false;
    this.hasChanged = false;
    this.editor.giveRows(this.name);
    return true;
  }
  redraw(): void {
    this.awaitsRedraw = false;
    this.editor.giveName(`${this.name} again`);
  }
}

describe('DrawTurns', () => {
  let turns: DrawTurns;
  let editor: FakeEditor;
  let hasStrangers: boolean;
  const repositoryOf = (name: string) => new FakeRepository(name, editor, () => turns);
  const several = (count: number) => Array.from({ length: count }, (_, i) => repositoryOf(`${i}`));

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
    hasStrangers = false;
    editor = new FakeEditor();
    turns = new DrawTurns(
      () => hasStrangers,
      () => editor.ask(),
    );
  });
  afterEach(() => {
    turns.dispose();
    mock.timers.reset();
  });
  /** Advances the clock in steps. All writes of the timers due in a step arrive together. */
  const pass = async (ms: number, step = 10): Promise<void> => {
    for (let gone = 0; gone < ms; gone += step) {
      mock.timers.tick(step);
      editor.work();
      await new Promise((resolve) => turn(resolve));
    }
  };
  /** The names that the editor draws in this time. */
  const drawn = async (ms: number, step?: number): Promise<string[]> => {
    editor.drawn.length = 0;
    await pass(ms, step);
    return [...editor.drawn];
  };

  it('gives one that changes alone at once, and never again', async () => {
    const a = repositoryOf('a');
    for (let i = 0; i < 5; i++) {
      a.change();
      assert.deepEqual(await drawn(120), ['a']);
      assert.deepEqual(await drawn(5_000), []);
    }
  });

  it('gives everything of one turn together, and what comes soon after with it', async () => {
    const a = repositoryOf('a');
    a.change();
    a.change();
    await pass(kGatherMs - 10);
    a.change();
    assert.deepEqual(await drawn(100 + kGatherMs), ['a']);
    assert.deepEqual(await drawn(5_000), []);
  });

  it('gives one that goes on changing all the time, though the editor waits for its rest', async () => {
    const a = repositoryOf('a');
    let count = 0;
    for (let i = 0; i < 100; i++) {
      a.change();
      count += (await drawn(20)).length;
    }
    assert.ok(count >= 8 && count <= 20, `${count} in 2 s`);
  });

  it('has each of several that change at once drawn, and none twice', async () => {
    const all = several(20);
    for (const repository of all) repository.change();
    assert.deepEqual((await drawn(120)).sort(), ['0', '1']);
    const others = await drawn(20_000);
    assert.deepEqual(
      others,
      [...Array(18).keys()].map((i) => `${i + 2}`),
    );
  });

  it('gets through a thousand within a minute or so', async () => {
    for (const repository of several(1_000)) repository.change();
    assert.equal((await drawn(80_000)).length, 1_000);
  });

  it('has each drawn where the event loop is held up again and again', async () => {
    for (const step of [150, 400, 1_000]) {
      for (const repository of several(7)) repository.change();
      assert.deepEqual(new Set(await drawn(60_000, step)), new Set(['0', '1', '2', '3', '4', '5', '6']));
    }
  });

  it('gives a busy editor no more than it can draw, and goes on when it answers', async () => {
    const all = several(6);
    editor.isBusy = true;
    for (const repository of all) {
      repository.change();
      await pass(300);
    }
    editor.isBusy = false;
    assert.deepEqual(await drawn(60_000), ['0', '1', '2', '3', '4', '5']);
  });

  it('goes on where a question has no answer but an error', async () => {
    turns = new DrawTurns(
      () => false,
      () => Promise.reject(new Error('no such command')),
    );
    const all = several(3);
    for (const repository of all) repository.change();
    assert.equal((await drawn(1_000)).length, 3);
  });

  it('draws what waits for a redraw when it has rest, or now and then', async () => {
    const a = repositoryOf('a');
    a.awaitsRedraw = true;
    a.change();
    assert.deepEqual(await drawn(350), ['a']);
    assert.deepEqual(await drawn(1_000), ['a again']);
    let count = 0;
    for (let i = 0; i < 40; i++) {
      a.awaitsRedraw = true;
      a.change();
      count += (await drawn(100)).filter((name) => name === 'a again').length;
    }
    assert.ok(count >= 2 && count <= 5, `${count} in 4 s`);
  });

  it('draws one beside strangers once more, when it has rest', async () => {
    hasStrangers = true;
    const [a, b] = [repositoryOf('a'), repositoryOf('b')];
    a.change();
    assert.deepEqual(await drawn(10_000), ['a', 'a again']);
    b.change();
    assert.deepEqual(await drawn(10_000), ['b', 'b again']);
  });

  it('draws no rows twice that come while it waits to be drawn once more', async () => {
    hasStrangers = true;
    const [a, b, c] = [repositoryOf('a'), repositoryOf('b'), repositoryOf('c')];
    a.change();
    await pass(350);
    editor.isBusy = true;
    for (const other of [b, c]) other.change();
    await pass(200);
    a.change();
    editor.isBusy = false;
    const all = await drawn(10_000);
    assert.deepEqual(
      all.filter((name) => name.startsWith('a')),
      ['a', 'a again'],
    );
  });

  it('draws those that are opened together once more, and their first rows wait for no place', async () => {
    const all = several(6);
    turns.noteOutside(all[0] ?? assert.fail());
    assert.deepEqual(await drawn(5_000), []);
    for (const repository of all) {
      turns.noteOutside(repository);
      repository.change();
    }
    assert.deepEqual(await drawn(150), ['0', '5']);
    const again = all.map(({ name }) => `${name} again`);
    assert.deepEqual((await drawn(5_000)).sort(), again);
    // Later changes draw each repository once.
    for (const repository of all) repository.change();
    assert.equal((await drawn(5_000)).length, 6);
  });

  it('draws one again that changes while others are opened, before and after that', async () => {
    const [early, late, ...opened] = several(5);
    early?.change();
    await pass(80);
    for (const repository of opened) turns.noteOutside(repository);
    await pass(100);
    late?.change();
    const names = await drawn(5_000);
    for (const name of ['0 again', '1 again']) assert.ok(names.includes(name), names.join());
  });

  it('draws one that is opened while several change, and them, once more', async () => {
    const [opened, ...changing] = several(3);
    for (const repository of changing) repository.change();
    await pass(50);
    turns.noteOutside(opened ?? assert.fail());
    assert.deepEqual(new Set(await drawn(5_000)), new Set(['1', '2', '0 again', '1 again', '2 again']));
    turns.noteOutside(opened ?? assert.fail());
    opened?.change();
    assert.deepEqual(await drawn(5_000), ['0']);
  });

  it('draws again what was drawn again while others were opened', async () => {
    const all = several(4);
    for (const repository of all.slice(0, 2)) turns.noteOutside(repository);
    await pass(390);
    for (const repository of all.slice(2)) turns.noteOutside(repository);
    const names = await drawn(5_000);
    assert.deepEqual(new Set(names.slice(-4)), new Set(all.map(({ name }) => `${name} again`)));
    assert.equal(names.filter((name) => name === '0 again').length, 2);
  });

  it('does not draw those again that were given rows when all was written', async () => {
    const [a, b] = [repositoryOf('a'), repositoryOf('b')];
    for (const repository of [a, b]) turns.noteOutside(repository);
    const names: string[] = [];
    for (let i = 0; i < 10; i++) {
      names.push(...(await drawn(90)));
      b.change();
    }
    names.push(...(await drawn(5_000)));
    assert.ok(names.includes('a again') && names.includes('b') && !names.includes('b again'), names.join());
  });

  it('draws nothing that is gone', async () => {
    const all = several(4);
    for (const repository of all) {
      turns.noteOutside(repository);
      repository.change();
    }
    for (const repository of all.slice(1)) turns.forget(repository);
    assert.deepEqual(new Set(await drawn(12_000)), new Set(['0', '0 again']));
  });
});
