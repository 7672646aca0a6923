/**
 * The environment of a git process. Does not know `vscode`.
 *
 * Invariants:
 *  - git never asks at a terminal, because the user sees none. It asks through the askpass of VS Code's own Git, or
 *    through the user's askpass (core.askPass too), or else through ours.
 *  - git opens no editor, unless the caller wants an editor.
 *  - No variable leads git to a different repository.
 *  - Its messages are in English: known failures are recognized by their text. The encoding is the user's.
 */
import { shellWord } from '../model/shellWord';

/**
 * Variables that lead to one repository: `git rev-parse --local-env-vars` without those for config. The editor inherits
 * them if a hook started it.
 */
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

/** Our own program for questions and editing (`prompts/`). */
export interface OwnPrompts {
  env: NodeJS.ProcessEnv;
  /** Asks a question. With `--editor <file>`, it lets the user edit the file. */
  script: string;
}

/**
 * How to answer when git wants a message edited:
 *  - 'none': refuse.
 *  - 'keeps': accept the message unchanged.
 *  - 'asks': the user edits the message.
 *  - `gives`: this file replaces the first message, and is then deleted. Later messages are accepted unchanged.
 */
export type EditorMode = 'none' | 'keeps' | 'asks' | { gives: string };

export interface EnvironmentOptions {
  /** The variables of VS Code's own Git: askpass, ssh, credentials. */
  ofBuiltIn?: Readonly<NodeJS.ProcessEnv> | undefined;
  own?: OwnPrompts | undefined;
  editor?: EditorMode | undefined;
  /** A temporary index file, in place of the repository's. */
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
  // git tries GIT_ASKPASS and core.askPass before SSH_ASKPASS.
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

/** A shell command that opens an editor. */
function editorOf({ GIT_EDITOR: theirs }: Readonly<NodeJS.ProcessEnv>, own: OwnPrompts | undefined): string {
  if (theirs !== undefined) return theirs;
  return own === undefined ? 'false' : `${shellWord(own.script)} --editor`;
}

/** A shell command that overwrites the edited file. git adds that file as an argument. */
function giving(file: string): string {
  const word = shellWord(file);
  return `f() { [ ! -e ${word} ] || { cat ${word} >"$1" && rm -f ${word}; }; }; f`;
}

/** True if VS Code's own Git asks the user all of git's questions. */
export function isAskedByBuiltIn(
  ofBuiltIn: Readonly<NodeJS.ProcessEnv> = {},
  editor: EditorMode = 'none',
): boolean {
  return ofBuiltIn.GIT_ASKPASS !== undefined && (editor !== 'asks' || ofBuiltIn.GIT_EDITOR !== undefined);
}

/** For commands that record an identity (commit, merge, rebase, tag): git must not guess it from the host name. */
export const kOwnIdentity = ['-c', 'user.useConfigOnly=true'] as const;
