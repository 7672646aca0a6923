/**
 * One of a repository's branches and tags, picked from a list that is there at once, however many they are: git lists them
 * while it opens, and only what is shown is made into items.
 */
import { QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../l10n';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { Places } from '../model/Places';
import { Found, kListRefs, mayMean, parseRefs, Ref, RefKind, RefSearch } from '../model/refs';
import { kIdLength } from '../model/statusText';
import { CommandContext } from './context';

/** As many as a person looks through; typing finds the others. */
const kMostShown = 200;

/** What stands above the refs. */
export interface RefAction {
  label: string;
  run: () => unknown;
}

export interface RefPickOptions {
  placeHolder: string;
  kinds?: readonly RefKind[];
  /** A branch that is no choice. */
  except?: string | undefined;
  actions?: readonly RefAction[];
}

export interface Picked {
  ref: Ref;
  /** All that were listed. */
  refs: readonly Ref[];
}

interface Item extends QuickPickItem {
  ref?: Ref;
  action?: RefAction;
}

/** Undefined where none was picked; an action that was has been run by then. */
export async function pickRef(
  { git }: CommandContext,
  repository: Repository,
  { placeHolder, kinds = ['head', 'remote', 'tag'], except, actions = [] }: RefPickOptions,
): Promise<Picked | undefined> {
  const pick = window.createQuickPick<Item>();
  const hidden = new AbortController();
  pick.placeholder = placeHolder;
  pick.busy = true;
  let list = new RefList([], actions);
  const show = () => {
    pick.items = list.items(pick.value);
  };
  show();
  const picked = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      const name = item?.ref?.name ?? item?.action?.label;
      if (name === undefined || !mayMean(pick.value, name)) return;
      resolve(item);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      hidden.abort();
      pick.dispose();
    });
  });
  pick.onDidChangeValue(show);
  pick.show();

  const listed = await git.read(repository, { args: kListRefs }, t('Listing branches'), hidden.signal);
  const refs = listed === undefined ? [] : parseRefs(listed.stdout);
  const isChoice = ({ kind, name }: Ref) => kinds.includes(kind) && (kind !== 'head' || name !== except);
  if (!hidden.signal.aborted && listed === undefined) pick.hide();
  if (!hidden.signal.aborted) {
    list = new RefList(refs.filter(isChoice), actions);
    show();
    pick.busy = false;
  }
  const item = await picked;
  await item?.action?.run();
  return item?.ref && { ref: item.ref, refs };
}

const kHeadings: Readonly<Record<RefKind, string>> = {
  head: t('branches'),
  remote: t('remote branches'),
  tag: t('tags'),
};

/**
 * The items, each at the same index in every list that follows: the editor tells of a choice by its index, and Enter right
 * after a key is a choice in the list before. The editor itself hides what does not fit and puts first what fits best.
 */
class RefList {
  private readonly search: RefSearch;
  private readonly first: Found;
  private readonly places: Places<Ref>;

  constructor(
    refs: readonly Ref[],
    private readonly actions: readonly RefAction[],
  ) {
    this.search = new RefSearch(refs, kMostShown);
    this.first = this.search.find('');
    this.places = new Places(this.first.refs);
  }

  items(typed: string): Item[] {
    const isTyped = typed.trim() !== '';
    const found = isTyped ? this.search.find(typed) : this.first;
    const isFound = new Set(found.refs);
    const others = this.places.show(found.refs);
    const items: Item[] = this.actions.map((action) => ({
      label: action.label,
      action,
      alwaysShow: !isTyped,
    }));
    let kind: RefKind | undefined;
    for (const ref of this.first.refs) {
      if (ref.kind !== kind) items.push({ label: kHeadings[ref.kind], kind: QuickPickItemKind.Separator });
      kind = ref.kind;
      items.push(itemOf(ref, isFound.has(ref)));
    }
    if (this.first.total > this.first.refs.length) items.push(moreItem(found.total - found.refs.length));
    if (isTyped) items.push(...others.map((ref) => itemOf(ref, isFound.has(ref))));
    return items;
  }
}

/** Nobody's choice; without a label, and so hidden, where there are no more. */
function moreItem(count: number): Item {
  const label = t('{0} more: type a part of the name', count.toLocaleString('en'));
  return count > 0 ? { label, alwaysShow: true } : { label: '' };
}

function itemOf(ref: Ref, alwaysShow: boolean): Item {
  const id = ref.oid.slice(0, kIdLength);
  const name = toDisplay(ref.name);
  switch (ref.kind) {
    case 'head':
      return { label: `$(git-branch) ${name}`, description: id, ref, alwaysShow };
    case 'remote':
      return { label: `$(cloud) ${name}`, description: t('Remote branch at {0}', id), ref, alwaysShow };
    case 'tag':
      return { label: `$(tag) ${name}`, description: t('Tag at {0}', id), ref, alwaysShow };
  }
}
