/**
 * What Resident Git may change of VS Code's own Git, as plans: settings and journals in, writes and journals out.
 *
 * Invariants:
 *  - A write is planned in the scope that is in force: a workspace's value hides the user's.
 *  - What a journal says was there before is what undoing writes, unless somebody changed the setting since: then that
 *    stays.
 *  - `git.ignoredRepositories` is shared with the user: only what we added is taken out.
 */
import { t } from '../l10n';

export type Scope = 'user' | 'workspace';
export const scopes = ['workspace', 'user'] as const satisfies readonly Scope[];

/** A setting in the scopes that we write to; undefined where it is not set. */
export interface Setting<T> {
  user: T | undefined;
  workspace: T | undefined;
  default: T;
}

/** What the built-in adds to the number on the Source Control icon, where VS Code sums what every provider counts. */
export const kCountBadges = ['all', 'tracked', 'off'] as const;
export type CountBadge = (typeof kCountBadges)[number];

export interface BuiltInSettings {
  'git.decorations.enabled': Setting<boolean>;
  'git.countBadge': Setting<CountBadge>;
  'git.autorefresh': Setting<boolean>;
  /** Roots that it does not open, whoever asks it to. */
  'git.ignoredRepositories': Setting<readonly string[]>;
}
export type SettingName = keyof BuiltInSettings;
export const kSwitches = ['git.decorations.enabled', 'git.countBadge', 'git.autorefresh'] as const;
type Switch = (typeof kSwitches)[number];
type Position = boolean | CountBadge;

/** `undefined` removes the setting. */
export type Write =
  | { setting: Switch; scope: Scope; value: Position | undefined }
  | { setting: 'git.ignoredRepositories'; scope: Scope; value: readonly string[] | undefined };

/** What we changed in one scope. JSON. */
export interface Journal {
  /** `before` is null where the setting was not set. */
  switches?: Partial<Record<Switch, { before: Position | null; after: Position }>>;
  /** `wasUnset`: there was no list before our first entry. */
  ignored?: { added: string[]; wasUnset: boolean };
}
export type Journals = Readonly<Record<Scope, Journal>>;

export interface Plan {
  writes: Write[];
  journals: Journals;
}

export type Answer = 'only' | 'sideBySide';

/** The built-in has every repository open that we have; false where we have none. */
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
 * True where automatic refresh is off because of us, which no version does any more: the rows of the built-in go stale,
 * and its commands act on them.
 */
export function isTrapOfOurs(settings: BuiltInSettings, { user }: Journals): boolean {
  return user.switches?.['git.autorefresh']?.after === false && !effective(settings['git.autorefresh']);
}

/**
 * True where the badges of the built-in are off because of us, and changes are counted twice: a journal from before its
 * count was turned off too. A count that somebody turned on again is in the journal.
 */
export function isCountLeftByUs(settings: BuiltInSettings, journals: Journals): boolean {
  const isOurs = scopes.some((scope) => {
    const { switches = {} } = journals[scope];
    return switches['git.decorations.enabled']?.after === false && switches['git.countBadge'] === undefined;
  });
  const isOff = !effective(settings['git.decorations.enabled']);
  return isOurs && isOff && effective(settings['git.countBadge']) !== 'off';
}

/** `names` are the roots of this window's repositories, by every name that the built-in can give them. */
export function planAnswer(
  answer: Answer,
  settings: BuiltInSettings,
  journals: Journals,
  names: readonly string[],
): Plan {
  const draft = new Draft(settings, journals);
  if (isTrapOfOurs(settings, journals)) draft.restoreSwitches('user');
  if (answer === 'only') draft.ignore(names);
  else {
    draft.unignore(names);
    draft.turn('git.decorations.enabled', false);
    draft.turn('git.countBadge', 'off');
    draft.turn('git.autorefresh', true);
  }
  return draft.plan();
}

/** Takes back what is in force for these repositories. */
export function planUndo(settings: BuiltInSettings, journals: Journals, names: readonly string[]): Plan {
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
export function ignoredByUs(settings: BuiltInSettings, journals: Journals): string[] {
  const inForce = effective(settings['git.ignoredRepositories']);
  const added = scopes.flatMap((scope) => journals[scope].ignored?.added ?? []);
  return added.filter((name) => inForce.includes(name));
}

/** One sentence for each write, for a human. */
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
  private readonly settings: BuiltInSettings;
  private readonly journals: Record<Scope, Journal>;

  constructor(
    private readonly original: BuiltInSettings,
    journals: Journals,
  ) {
    this.settings = structuredClone(original);
    this.journals = structuredClone(journals);
  }

  turn(name: Switch, after: Position): void {
    const setting: Setting<Position> = this.settings[name];
    if (effective(setting) === after) return;
    const scope = scopeInForce(setting);
    const known = this.journals[scope].switches?.[name];
    const before = known === undefined ? (setting[scope] ?? null) : known.before;
    this.journals[scope].switches = { ...this.journals[scope].switches, [name]: { before, after } };
    this.write({ setting: name, scope, value: after });
  }

  restoreSwitches(scope: Scope): void {
    const { switches = {} } = this.journals[scope];
    for (const name of kSwitches) {
      const entry = switches[name];
      // A value that is not ours any more is the user's last word.
      if (entry === undefined || this.settings[name][scope] !== entry.after) continue;
      this.write({ setting: name, scope, value: entry.before ?? undefined });
    }
    delete this.journals[scope].switches;
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

  /** The last write to a setting counts. */
  private write(write: Write): void {
    this.writes.set(`${write.scope} ${write.setting}`, write);
    (this.settings[write.setting] as Setting<unknown>)[write.scope] = write.value;
  }
}

function scopeInForce(setting: Setting<unknown>): Scope {
  return setting.workspace === undefined ? 'user' : 'workspace';
}
