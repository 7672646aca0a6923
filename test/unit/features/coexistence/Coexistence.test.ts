/** Every decision about VS Code's own Git. Settings and memory are plain objects. */
import { strict as assert } from 'node:assert';
import { Coexistence } from '../../../../extension/features/coexistence/Coexistence';
import { BuiltInSettings, hasAllOf, SettingName } from '../../../../extension/features/coexistence/plan';

type Values = Partial<Record<SettingName, unknown>>;

const kJournal = 'coexistence.journal';
const kDefaults: Record<SettingName, unknown> = {
  'git.decorations.enabled': true,
  'git.countBadge': 'all',
  'git.autorefresh': true,
  'git.ignoredRepositories': [],
};

const kSideBySide: Values = { 'git.decorations.enabled': false, 'git.countBadge': 'off' };

/** A machine: the user's settings and memory, with windows on workspaces. */
class Machine {
  readonly user: Values;
  readonly userMemory = new Map<string, unknown>();
  /** Written settings, in order. */
  readonly writes: string[] = [];
  failsToWrite = false;

  constructor(user: Values = {}) {
    this.user = { ...user };
  }

  window(names: string[], workspace: Values = {}): Window {
    return new Window(this, names, workspace);
  }
}

class Window {
  readonly memory = new Map<string, unknown>();
  open: string[] | undefined;
  readonly calls: string[] = [];
  readonly coexistence: Coexistence;

  constructor(
    private readonly machine: Machine,
    public names: string[],
    readonly workspace: Values,
  ) {
    this.open = [...names];
    const memoryOf = (map: Map<string, unknown>) => ({
      get: (key: string) => map.get(key),
      update: (key: string, value: unknown) => {
        if (value === undefined) map.delete(key);
        else map.set(key, structuredClone(value));
        return Promise.resolve();
      },
    });
    this.coexistence = new Coexistence({
      settings: {
        read: () => this.settings(),
        write: ({ setting, scope, value }) => {
          if (machine.failsToWrite) return Promise.reject(new Error('settings.json is read-only'));
          machine.writes.push(`${scope} ${setting} ${JSON.stringify(value)}`);
          const values = scope === 'user' ? machine.user : this.workspace;
          // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- as settings.json has it
          if (value === undefined) delete values[setting];
          else values[setting] = value;
          return Promise.resolve();
        },
      },
      memory: { user: memoryOf(machine.userMemory), workspace: memoryOf(this.memory) },
      builtIn: {
        openRoots: () => this.open,
        close: (root) => {
          this.calls.push(`close ${root}`);
          this.open = this.open?.filter((each) => each !== root);
          return Promise.resolve();
        },
        open: (root) => {
          this.calls.push(`open ${root}`);
          this.open = [...(this.open ?? []), root];
          return Promise.resolve();
        },
      },
      names: () => this.names,
    });
  }

  private settings(): BuiltInSettings {
    const read = (name: SettingName) => ({
      user: this.machine.user[name],
      workspace: this.workspace[name],
      default: kDefaults[name],
    });
    return {
      'git.decorations.enabled': read('git.decorations.enabled'),
      'git.countBadge': read('git.countBadge'),
      'git.autorefresh': read('git.autorefresh'),
      'git.ignoredRepositories': read('git.ignoredRepositories'),
    } as BuiltInSettings;
  }
}

/** State after "Yes" to the question of version 0.1.0. */
function machineWithTrap(previous: Values = {}): Machine {
  const machine = new Machine({ 'git.decorations.enabled': false, 'git.autorefresh': false });
  const before = (name: SettingName) => previous[name] ?? null;
  machine.userMemory.set('coexistence.previous', {
    'git.decorations.enabled': before('git.decorations.enabled'),
    'git.autorefresh': before('git.autorefresh'),
  });
  machine.userMemory.set('coexistence.answered', true);
  return machine;
}

describe('Coexistence', () => {
  describe('asks', () => {
    it('where both have a repository open and badges stand twice', () => {
      assert.equal(new Machine().window(['/r']).coexistence.offer, 'first');
      const bare = new Machine({ 'git.decorations.enabled': false }).window(['/r']);
      assert.equal(bare.coexistence.offer, undefined);
    });

    it('not while the built-in is off, nor of repositories that only one of them has', () => {
      const window = new Machine().window(['/r']);
      window.open = undefined;
      assert.equal(window.coexistence.offer, undefined);
      window.open = ['/other'];
      assert.equal(window.coexistence.offer, undefined);
    });

    it('not again in a workspace where the answer was "Not Now", and writes nothing there', async () => {
      const machine = new Machine();
      const window = machine.window(['/r']);
      await window.coexistence.recordShown('first');
      await window.coexistence.noteNotNow();
      assert.equal(window.coexistence.offer, undefined);
      assert.deepEqual(machine.writes, []);
      assert.equal(window.coexistence.canUndo, false);
      assert.equal(machine.window(['/r2']).coexistence.offer, 'first');
    });

    it('of a repository that appears after the answer', async () => {
      const window = new Machine().window(['/r']);
      await window.coexistence.apply('only');
      assert.equal(window.coexistence.offer, undefined);
      window.names = ['/r', '/r/sub'];
      window.open = ['/r/sub'];
      assert.equal(window.coexistence.offer, 'first');
    });

    it('once, whoever has automatic refresh off because of us', async () => {
      const machine = machineWithTrap();
      const { coexistence } = machine.window(['/r']);
      assert.equal(coexistence.offer, 'trap');
      assert.equal(coexistence.canUndo, true);
      await coexistence.recordShown('trap');
      assert.equal(coexistence.offer, undefined);
      assert.deepEqual(machine.writes, []);
    });

    it('not who turned automatic refresh off or on again alone', () => {
      const own = new Machine({ 'git.autorefresh': false, 'git.decorations.enabled': false });
      assert.equal(own.window(['/r']).coexistence.offer, undefined);
      const again = machineWithTrap();
      again.user['git.autorefresh'] = true;
      assert.equal(again.window(['/r']).coexistence.offer, undefined);
    });
  });

  describe('"Only Resident Git Here"', () => {
    it('has the repository ignored by the built-in, and closed', async () => {
      const machine = new Machine();
      const window = machine.window(['/r', '/link']);
      window.open = ['/link', '/unrelated'];
      await window.coexistence.apply('only');
      assert.deepEqual(machine.user, { 'git.ignoredRepositories': ['/r', '/link'] });
      assert.deepEqual(window.calls, ['close /link']);
      assert.equal(window.coexistence.canUndo, true);
    });

    it('keeps what the list has, in the scope that is in force', async () => {
      const machine = new Machine({ 'git.ignoredRepositories': ['/mine'] });
      await machine.window(['/r']).coexistence.apply('only');
      assert.deepEqual(machine.user, { 'git.ignoredRepositories': ['/mine', '/r'] });
      const window = machine.window(['/s'], { 'git.ignoredRepositories': ['sub'] });
      await window.coexistence.apply('only');
      assert.deepEqual(window.workspace, { 'git.ignoredRepositories': ['sub', '/s'] });
      assert.deepEqual(machine.user, { 'git.ignoredRepositories': ['/mine', '/r'] });
      await window.coexistence.undo();
      assert.deepEqual(window.workspace, { 'git.ignoredRepositories': ['sub'] });
    });

    it('writes nothing where the user has it ignored, and takes nothing of the user away', async () => {
      const machine = new Machine({ 'git.ignoredRepositories': ['/r'] });
      const { coexistence } = machine.window(['/r']);
      assert.deepEqual(await coexistence.apply('only'), []);
      assert.deepEqual(await coexistence.undo(), []);
      assert.deepEqual(machine.user, { 'git.ignoredRepositories': ['/r'] });
    });

    it('closes the repository in other windows that have it open, and nothing of theirs beside it', async () => {
      const machine = new Machine();
      const other = machine.window(['/r', '/s']);
      await machine.window(['/r']).coexistence.apply('only');
      await other.coexistence.reconcile();
      assert.deepEqual(other.calls, ['close /r']);
    });
  });

  describe('"Side by Side"', () => {
    it('turns the badges of the built-in and its count off, and nothing else', async () => {
      const machine = new Machine();
      const window = machine.window(['/r']);
      await window.coexistence.apply('sideBySide');
      assert.deepEqual(machine.user, kSideBySide);
      assert.deepEqual(window.calls, []);
      assert.equal(window.coexistence.offer, undefined);
    });

    it('turns automatic refresh on where the user had it off, in the scope that is in force', async () => {
      const machine = new Machine({ 'git.autorefresh': false });
      const window = machine.window(['/r'], { 'git.autorefresh': false });
      await window.coexistence.apply('sideBySide');
      assert.deepEqual(window.workspace, { 'git.autorefresh': true });
      assert.deepEqual(machine.user, { 'git.autorefresh': false, ...kSideBySide });
      await window.coexistence.undo();
      assert.deepEqual(window.workspace, { 'git.autorefresh': false });
      assert.deepEqual(machine.user, { 'git.autorefresh': false });
    });

    it('opens again what "Only Resident Git Here" closed', async () => {
      const machine = new Machine();
      const window = machine.window(['/r']);
      await window.coexistence.apply('only');
      await window.coexistence.apply('sideBySide');
      assert.deepEqual(machine.user, kSideBySide);
      assert.deepEqual(window.calls, ['close /r', 'open /r']);
    });
  });

  describe('badges that are off while the count is not', () => {
    /** State after "Side by Side" in a build that did not hide the count. */
    function machineWithCount(): Machine {
      const machine = new Machine({ 'git.decorations.enabled': false });
      const switches = { 'git.decorations.enabled': { before: null, after: false } };
      machine.userMemory.set(kJournal, { switches });
      return machine;
    }

    it('are asked about once, and either answer is undone to what was there first', async () => {
      for (const answer of ['sideBySide', 'only'] as const) {
        const machine = machineWithCount();
        const { coexistence } = machine.window(['/r']);
        assert.equal(coexistence.offer, 'count');
        await coexistence.apply(answer);
        assert.equal(machine.user['git.countBadge'], answer === 'sideBySide' ? 'off' : undefined);
        assert.equal(coexistence.offer, undefined);
        await coexistence.undo();
        assert.deepEqual(machine.user, {});
      }
      const machine = machineWithCount();
      const { coexistence } = machine.window(['/r']);
      await coexistence.recordShown('count');
      assert.equal(coexistence.offer, undefined);
      assert.deepEqual(machine.writes, []);
    });

    it('are not asked about where the user has it so, or has turned the count on again', async () => {
      const own = new Machine({ 'git.decorations.enabled': false });
      assert.equal(own.window(['/r']).coexistence.offer, undefined);
      const off = machineWithCount();
      off.user['git.countBadge'] = 'off';
      assert.equal(off.window(['/r']).coexistence.offer, undefined);
      const again = new Machine();
      const { coexistence } = again.window(['/r']);
      await coexistence.apply('sideBySide');
      again.user['git.countBadge'] = 'tracked';
      assert.equal(coexistence.offer, undefined);
      await coexistence.undo();
      assert.deepEqual(again.user, { 'git.countBadge': 'tracked' });
    });
  });

  describe('what version 0.1.0 wrote', () => {
    it('is gone after either answer', async () => {
      const only = machineWithTrap();
      await only.window(['/r']).coexistence.apply('only');
      assert.deepEqual(only.user, { 'git.ignoredRepositories': ['/r'] });
      const beside = machineWithTrap({ 'git.autorefresh': true });
      await beside.window(['/r']).coexistence.apply('sideBySide');
      assert.deepEqual(beside.user, { ...kSideBySide, 'git.autorefresh': true });
    });

    it('is undone as before', async () => {
      const machine = machineWithTrap({ 'git.decorations.enabled': true });
      const { coexistence } = machine.window(['/r']);
      await coexistence.undo();
      assert.deepEqual(machine.user, { 'git.decorations.enabled': true });
      assert.equal(coexistence.canUndo, false);
      assert.equal(coexistence.offer, undefined);
    });
  });

  describe('undoing', () => {
    it('restores exactly what was there', async () => {
      for (const before of [
        {},
        { 'git.ignoredRepositories': [] },
        { 'git.ignoredRepositories': ['/x'], 'git.decorations.enabled': true, 'git.autorefresh': true },
        { 'git.countBadge': 'tracked', 'git.decorations.enabled': false },
      ]) {
        for (const answers of [['only'], ['sideBySide'], ['sideBySide', 'only']] as const) {
          const machine = new Machine(before);
          const window = machine.window(['/r']);
          for (const answer of answers) await window.coexistence.apply(answer);
          assert.notDeepEqual(machine.user, before);
          await window.coexistence.undo();
          assert.deepEqual(machine.user, before);
          assert.equal(machine.userMemory.has(kJournal), false);
          assert.deepEqual(window.open, ['/r']);
          assert.equal(window.coexistence.offer, undefined, 'who takes it back is not asked again');
        }
      }
    });

    it('leaves what somebody changed since', async () => {
      const machine = new Machine();
      const { coexistence } = machine.window(['/r']);
      await coexistence.apply('sideBySide');
      machine.user['git.decorations.enabled'] = true;
      await coexistence.undo();
      assert.deepEqual(machine.user, { 'git.decorations.enabled': true });
    });

    it('takes back what is in force here, and leaves other repositories as they are', async () => {
      const machine = new Machine();
      const [first, second] = [machine.window(['/a']), machine.window(['/b'])];
      await first.coexistence.apply('only');
      await second.coexistence.apply('only');
      await first.coexistence.undo();
      assert.deepEqual(machine.user, { 'git.ignoredRepositories': ['/b'] });
      await second.coexistence.undo();
      assert.deepEqual(machine.user, {});
    });

    it('opens the repository again in the other windows where it was closed', async () => {
      const machine = new Machine();
      const [first, other] = [machine.window(['/r']), machine.window(['/r', '/s'])];
      await first.coexistence.apply('only');
      await other.coexistence.reconcile();
      await first.coexistence.undo();
      await other.coexistence.reconcile();
      await other.coexistence.reconcile();
      assert.deepEqual(other.calls, ['close /r', 'open /r']);
    });

    it('is possible after a write that failed, and closes nothing', async () => {
      const machine = new Machine();
      const window = machine.window(['/r']);
      machine.failsToWrite = true;
      await assert.rejects(window.coexistence.apply('only'));
      await window.coexistence.reconcile();
      assert.deepEqual(window.calls, []);
      machine.failsToWrite = false;
      await window.coexistence.undo();
      assert.deepEqual(machine.user, {});
    });
  });
});

describe("the buttons of VS Code's own Git", () => {
  it('are there for every file where it has every repository open', () => {
    const [a, b] = [{ root: '/a' }, { root: '/b' }];
    const theirs = (...roots: string[]) => roots.map((real) => ({ real }));
    assert.equal(hasAllOf(theirs('/a', '/b', '/c'), [a, b]), true);
    assert.equal(hasAllOf(theirs('/a', '/c'), [a, b]), false);
    assert.equal(hasAllOf(theirs(), [a]), false);
    assert.equal(hasAllOf(theirs('/a'), []), false);
  });
});
