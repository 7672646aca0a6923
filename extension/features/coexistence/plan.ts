/**
 * Plans the changes of Resident Git to the settings of VS Code's own Git. Input: settings and journals. Output:
 * writes and journals.
 *
 * Invariants:
 *  - A write goes to the scope that is in force: a workspace value hides the user's value.
 *  - Undo restores the previous value in the journal. A setting that somebody changed since then stays.
 *  - `git.ignoredRepositories` is shared with the user: only our own entries are removed.
 */
import { t } from '../../l10n';

export type Scope = 'user' | 'workspace';
export const scopes = ['workspace', 'user'] as const satisfies readonly Scope[];

/** A setting in the scopes that we write to; undefined: not set. */
export interface Setting<T> {
  user: T | undefined;
  workspace: T | undefined;
  default: T;
}

/**
 * Changes that the built-in adds to the number on the Source Control icon. VS Code sums the counts of all providers.
 */
export const kCountBadges = ['all', 'tracked', 'off'] as const;
export type CountBadge = (typeof kCountBadges)[number];

/** Parts of Resident Git that are shown. */
export const kShownParts = ['everything', 'badges', 'nothing'] as const;
export type ShownParts = (typeof kShownParts)[number];

/** The settings that decide whether something is shown twice. One of them is ours. */
export interface CoexistenceSettings {
  'residentGit.show': Setting<ShownParts>;
  'git.decorations.enabled': Setting<boolean>;
  'git.countBadge': Setting<CountBadge>;
  'git.autorefresh': Setting<boolean>;
  /** Roots that the built-in never opens, even on request. */
  'git.ignoredRepositories': Setting<readonly string[]>;
}
export type SettingName = keyof CoexistenceSettings;
const kSwitches = [
  'residentGit.show',
  'git.decorations.enabled',
  'git.countBadge',
  'git.autorefresh',
] as const;
type Switch = (typeof kSwitches)[number];
type Position = boolean | CountBadge | ShownParts;

/** `undefined` removes the setting. */
export type Write =
  | { setting: Switch; scope: Scope; value: Position | undefined }
  | { setting: 'git.ignoredRepositories'; scope: Scope; value: readonly string[] | undefined };

/** Our changes in one scope, stored as JSON. */
export interface Journal {
  /** `before` is null if the setting was not set. */
  switches?: Partial<Record<Switch, { before: Position | null; after: Position }>>;
  /** `wasUnset`: the list did not exist before our first entry. */
  ignored?: { added: string[]; wasUnset: boolean };
}
export type Journals = Readonly<Record<Scope, Journal>>;

export interface Plan {
  writes: Write[];
  journals: Journals;
}

/** With 'fast…' the built-in Git stays on. Its `git status` asks our model: see `keepFast`. */
export type FastAnswer = 'fastWithView' | 'fastWithBadges' | 'fastAlone';
export type Answer = 'only' | 'sideBySide' | FastAnswer;

/** Positions of the switches; undefined: as they were before our first change. */
const kPositions: Readonly<
  Record<Answer, { show: ShownParts; badges?: boolean; count?: CountBadge; refresh?: boolean }>
> = {
  only: { show: 'everything' },
  sideBySide: { show: 'everything', badges: false, count: 'off', refresh: true },
  fastWithView: { show: 'everything', badges: false, count: 'off', refresh: true },
  fastWithBadges: { show: 'badges', badges: false, refresh: true },
  fastAlone: { show: 'nothing', refresh: true },
};

/** True if the built-in has all of our repositories open; false if we have none. */
export function hasAllOf(
  theirs: readonly { readonly real: string }[],
  ours: readonly { readonly root: string }[],
): boolean {
  const roots = new Set(theirs.map(({ real }) => real));
  return ours.length > 0 && ours.every(({ root }) => roots.has(root));
}

export function effective<T>(setting: Setting<T>): T {
  return setting.workspace ?? setting.user ?? setting.default;
}

/**
 * True if automatic refresh is still off because of us. Current versions never turn it off: the rows of the built-in
 * become stale, and its commands act on them.
 */
export function isTrapOfOurs(settings: CoexistenceSettings, { user }: Journals): boolean {
  return user.switches?.['git.autorefresh']?.after === false && !effective(settings['git.autorefresh']);
}

/**
 * True if the built-in's badges are off because of us, but its count is on: changes are counted twice. The journal
 * then names the badges, but not the count. If somebody turned the count on again, the journal names the count.
 */
export function isCountLeftByUs(settings: CoexistenceSettings, journals: Journals): boolean {
  const isOurs = scopes.some((scope) => {
    const { switches = {} } = journals[scope];
    return switches['git.decorations.enabled']?.after === false && switches['git.countBadge'] === undefined;
  });
  const isOff = !effective(settings['git.decorations.enabled']);
  const isShown = effective(settings['residentGit.show']) === 'everything';
  return isOurs && isOff && isShown && effective(settings['git.countBadge']) !== 'off';
}

/** `names` are the roots of this window's repositories, by every name that the built-in can give them. */
export function planAnswer(
  answer: Answer,
  settings: CoexistenceSettings,
  journals: Journals,
  names: readonly string[],
): Plan {
  const draft = new Draft(settings, journals);
  if (isTrapOfOurs(settings, journals)) draft.restoreSwitches('user');
  if (answer === 'only') draft.ignore(names);
  else draft.unignore(names);
  const { show, badges, count, refresh } = kPositions[answer];
  draft.turn('residentGit.show', undefined);
  draft.turn('residentGit.show', show);
  draft.turn('git.autorefresh', refresh);
  // A closed repository has no badges: these switches stay for the other repositories of the built-in.
  if (answer === 'only') return draft.plan();
  draft.turn('git.decorations.enabled', badges);
  draft.turn('git.countBadge', count);
  return draft.plan();
}

/** Undoes our switches in every scope, and our ignore entries for these repositories. */
export function planUndo(settings: CoexistenceSettings, journals: Journals, names: readonly string[]): Plan {
  const draft = new Draft(settings, journals);
  for (const scope of scopes) draft.restoreSwitches(scope);
  draft.unignore(names);
  return draft.plan();
}

export function canUndo(journals: Journals, names: readonly string[]): boolean {
  return scopes.some((scope) => {
    const { switches = {}, ignored } = journals[scope];
    return Object.keys(switches).length > 0 || ignored?.added.some((name) => names.includes(name)) === true;
  });
}

/** The names that the built-in does not open because of us. */
export function ignoredByUs(settings: CoexistenceSettings, journals: Journals): string[] {
  const inForce = effective(settings['git.ignoredRepositories']);
  const added = scopes.flatMap((scope) => journals[scope].ignored?.added ?? []);
  return added.filter((name) => inForce.includes(name));
}

/** Describes the write in one sentence, for a human. */
export function describe(write: Write): string {
  const { setting, scope, value } = write;
  if (value === undefined) {
    return scope === 'user'
      ? t('{0} is no longer set in your user settings', setting)
      : t("{0} is no longer set in this workspace's settings", setting);
  }
  return scope === 'user'
    ? t('{0} is {1} in your user settings', setting, JSON.stringify(value))
    : t("{0} is {1} in this workspace's settings", setting, JSON.stringify(value));
}

class Draft {
  private readonly writes = new Map<string, Write>();
  private readonly settings: CoexistenceSettings;
  private readonly journals: Record<Scope, Journal>;

  constructor(
    private readonly original: CoexistenceSettings,
    journals: Journals,
  ) {
    this.settings = structuredClone(original);
    this.journals = structuredClone(journals);
  }

  /** Without `after`: as it was before our first change. */
  turn(name: Switch, after: Position | undefined): void {
    if (after === undefined) {
      for (const scope of scopes) this.restore(name, scope);
      return;
    }
    const setting: Setting<Position> = this.settings[name];
    if (effective(setting) === after) return;
    const scope = scopeInForce(setting);
    const known = this.journals[scope].switches?.[name];
    const before = known === undefined ? (setting[scope] ?? null) : known.before;
    this.journals[scope].switches = { ...this.journals[scope].switches, [name]: { before, after } };
    this.write({ setting: name, scope, value: after });
  }

  restoreSwitches(scope: Scope): void {
    for (const name of kSwitches) this.restore(name, scope);
  }

  private restore(name: Switch, scope: Scope): void {
    const { [name]: entry, ...others } = this.journals[scope].switches ?? {};
    if (entry === undefined) return;
    // A value that is no longer ours is the user's choice.
    if (this.settings[name][scope] === entry.after) {
      this.write({ setting: name, scope, value: entry.before ?? undefined });
    }
    if (Object.keys(others).length === 0) delete this.journals[scope].switches;
    else this.journals[scope].switches = others;
  }

  ignore(names: readonly string[]): void {
    const setting = this.settings['git.ignoredRepositories'];
    const scope = scopeInForce(setting);
    const current = setting[scope] ?? [];
    const missing = names.filter((name) => !current.includes(name));
    if (missing.length === 0) return;
    const ignored = this.journals[scope].ignored ?? { added: [], wasUnset: setting[scope] === undefined };
    ignored.added = [...new Set([...ignored.added, ...missing])];
    this.journals[scope].ignored = ignored;
    this.write({ setting: 'git.ignoredRepositories', scope, value: [...current, ...missing] });
  }

  unignore(names: readonly string[]): void {
    for (const scope of scopes) {
      const { ignored } = this.journals[scope];
      const ours = ignored?.added.filter((name) => names.includes(name)) ?? [];
      if (ignored === undefined || ours.length === 0) continue;
      const current = this.settings['git.ignoredRepositories'][scope];
      const rest = current?.filter((name) => !ours.includes(name));
      if (current !== undefined && rest?.length !== current.length) {
        const value = rest?.length === 0 && ignored.wasUnset ? undefined : rest;
        this.write({ setting: 'git.ignoredRepositories', scope, value });
      }
      ignored.added = ignored.added.filter((name) => !ours.includes(name));
      if (ignored.added.length === 0) delete this.journals[scope].ignored;
    }
  }

  plan(): Plan {
    const isChange = ({ setting, scope, value }: Write) =>
      JSON.stringify(this.original[setting][scope]) !== JSON.stringify(value);
    return { writes: [...this.writes.values()].filter(isChange), journals: this.journals };
  }

  /** A later write to a setting replaces an earlier one. */
  private write(write: Write): void {
    this.writes.set(`${write.scope} ${write.setting}`, write);
    (this.settings[write.setting] as Setting<unknown>)[write.scope] = write.value;
  }
}

function scopeInForce(setting: Setting<unknown>): Scope {
  return setting.workspace === undefined ? 'user' : 'workspace';
}
