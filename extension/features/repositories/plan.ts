/** git arguments to clone a repository. */

/** The folder name that git would use: the last part of the URL. Undefined: this part is no name. */
export function cloneFolder(url: string): string | undefined {
  const path = url.replace(/[?#].*$/, '').replace(/\/+(\.git\/*)?$/, '');
  const name = /([^/:\\]+)$/.exec(path)?.[1]?.replace(/\.git$/, '');
  return name === undefined || name === '' || name === '.' || name === '..' ? undefined : name;
}

/** `recursive`: also clones the submodules, at any depth. */
export function cloneArguments(url: string, folder: string, { recursive = false } = {}): string[] {
  return ['clone', ...(recursive ? ['--recurse-submodules'] : []), '--', url, folder];
}
