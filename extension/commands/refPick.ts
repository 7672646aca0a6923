/**
 * One of a repository's branches and tags, picked from a list that is there at once, however many they are: git lists them
 * while it opens, and only what is shown is made into items.
 */
import { QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { t } from '../l10n';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { kListRefs, parseRefs, Ref, RefKind, RefSearch } from '../model/refs';
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
  let search = new RefSearch([], kMostShown);
  const show = () => {
    const isTyped = pick.value.trim() !== '';
    const above = isTyped ? [] : actions.map((action) => ({ label: action.label, action, alwaysShow: true }));
    pick.items = [...above, ...itemsOf(search, pick.value)];
  };
  show();
  const picked = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.ref === undefined && item?.action === undefined) return;
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
    search = new RefSearch(refs.filter(isChoice), kMostShown);
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

function itemsOf(search: RefSearch, typed: string): Item[] {
  const { refs, total } = search.find(typed);
  const items: Item[] = [];
  let heading = '';
  for (const ref of refs) {
    // What is found stands in the order of how well it fits.
    if (typed.trim() === '' && kHeadings[ref.kind] !== heading) {
      heading = kHeadings[ref.kind];
      items.push({ label: heading, kind: QuickPickItemKind.Separator });
    }
    items.push(itemOf(ref));
  }
  if (total > refs.length) {
    const label = t('{0} more: type a part of the name', (total - refs.length).toLocaleString('en'));
    items.push({ label, alwaysShow: true });
  }
  return items;
}

function itemOf(ref: Ref): Item {
  const id = ref.oid.slice(0, kIdLength);
  const name = toDisplay(ref.name);
  // Ours is the filter: the editor's would take seconds for many.
  const alwaysShow = true;
  switch (ref.kind) {
    case 'head':
      return { label: `$(git-branch) ${name}`, description: id, ref, alwaysShow };
    case 'remote':
      return { label: `$(cloud) ${name}`, description: t('Remote branch at {0}', id), ref, alwaysShow };
    case 'tag':
      return { label: `$(tag) ${name}`, description: t('Tag at {0}', id), ref, alwaysShow };
  }
}
