/**
 * The environment that git runs in. Does not know `vscode`.
 *
 * Invariants:
 *  - git asks nobody at a terminal: there is none that a person sees. It asks through the askpass of VS Code's own Git,
 *    or one that the user has set (core.askPass too), or else through ours.
 *  - It opens no editor unless whoever runs it wants one.
 *  - No variable leads it to another repository than the one that it is run in.
 *  - Its messages are in English, because known failures are told by them; the encoding is the user's.
 */
import { shellWord } from '../model/shellWord';

/** What leads to one repository (`git rev-parse --local-env-vars`, but for config), inherited where a hook started the editor. */
const kLocal: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/** Our own way to ask (`prompts/`). */
export interface OwnPrompts {
  env: NodeJS.ProcessEnv;
  /** Asks; with `--editor <file>`, edits. */
  script: string;
}

/**
 * What becomes of a message that git wants edited: it is refused, taken as it stands, or edited by a person. Of several,
 * the first becomes what the file `gives` has, which is removed then; the others are taken as they stand.
 */
export type EditorMode = 'none' | 'keeps' | 'asks' | { gives: string };

export interface EnvironmentOptions {
  /** What VS Code's own Git adds: askpass, ssh, credentials. */
  ofBuiltIn?: Readonly<NodeJS.ProcessEnv> | undefined;
  own?: OwnPrompts | undefined;
  editor?: EditorMode | undefined;
  /** Of a moment, in place of the repository's. */
  index?: string | undefined;
}

export function gitEnvironment(
  base: NodeJS.ProcessEnv,
  { ofBuiltIn = {}, own, editor = 'none', index }: EnvironmentOptions = {},
): NodeJS.ProcessEnv {
  const all = Object.entries({ ...base, ...ofBuiltIn });
  const env: NodeJS.ProcessEnv = Object.fromEntries(all.filter(([name]) => !kLocal.has(name)));
  if (env.LC_ALL !== undefined) env.LANG = env.LC_ALL;
  delete env.LC_ALL;
  delete env.LANGUAGE;
  env.LC_MESSAGES = 'C';
  env.GIT_TERMINAL_PROMPT = '0';
  env.GIT_PAGER = 'cat';
  if (index !== undefined) env.GIT_INDEX_FILE = index;
  if (own !== undefined) Object.assign(env, own.env);
  // git takes SSH_ASKPASS last, after GIT_ASKPASS and core.askPass.
  if (own !== undefined && env.GIT_ASKPASS === undefined && env.SSH_ASKPASS === undefined) {
    env.SSH_ASKPASS = own.script;
    env.SSH_ASKPASS_REQUIRE = 'force';
  }
  const modes = { none: 'false', keeps: 'true', asks: editorOf(ofBuiltIn, own) };
  const isGiven = typeof editor === 'object';
  env.GIT_EDITOR = isGiven ? giving(editor.gives) : modes[editor];
  env.GIT_SEQUENCE_EDITOR = isGiven ? modes.keeps : modes[editor];
  return env;
}

/** A command of the shell. */
function editorOf({ GIT_EDITOR: theirs }: Readonly<NodeJS.ProcessEnv>, own: OwnPrompts | undefined): string {
  if (theirs !== undefined) return theirs;
  return own === undefined ? 'false' : `${shellWord(own.script)} --editor`;
}

/** A command of the shell, to which git adds the file that is to be edited. */
function giving(file: string): string {
  const word = shellWord(file);
  return `f() { [ ! -e ${word} ] || { cat ${word} >"$1" && rm -f ${word}; }; }; f`;
}

/** Whether all that may be asked is asked by VS Code's own Git. */
export function isAskedByBuiltIn(
  ofBuiltIn: Readonly<NodeJS.ProcessEnv> = {},
  editor: EditorMode = 'none',
): boolean {
  return ofBuiltIn.GIT_ASKPASS !== undefined && (editor !== 'asks' || ofBuiltIn.GIT_EDITOR !== undefined);
}
