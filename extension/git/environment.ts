/**
 * The environment that git runs in. Does not know `vscode`.
 *
 * Invariants:
 *  - git asks nobody at a terminal: there is none that a person sees. It asks through the askpass of VS Code's own Git,
 *    or one that the user has set, or not at all.
 *  - No variable leads it to another repository than the one that it is run in.
 *  - Its messages are in English, because known failures are told by them; the encoding is the user's.
 */

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

/** `ofBuiltIn` is what VS Code's own Git adds: askpass, ssh, credentials. */
export function gitEnvironment(
  base: NodeJS.ProcessEnv,
  ofBuiltIn: Readonly<NodeJS.ProcessEnv> = {},
): NodeJS.ProcessEnv {
  const all = Object.entries({ ...base, ...ofBuiltIn });
  const env: NodeJS.ProcessEnv = Object.fromEntries(all.filter(([name]) => !kLocal.has(name)));
  if (env.LC_ALL !== undefined) env.LANG = env.LC_ALL;
  delete env.LC_ALL;
  delete env.LANGUAGE;
  env.LC_MESSAGES = 'C';
  env.GIT_TERMINAL_PROMPT = '0';
  env.GIT_PAGER = 'cat';
  // Nobody sees an editor that git opens; who needs a message gives it.
  env.GIT_EDITOR = 'false';
  env.GIT_SEQUENCE_EDITOR = 'false';
  return env;
}
