/** What cloning asks of git. */

/** As git would name the folder: by the last part of the URL. Undefined where that names nothing. */
export function cloneFolder(url: string): string | undefined {
  const path = url.replace(/[?#].*$/, '').replace(/\/+(\.git\/*)?$/, '');
  const name = /([^/:\\]+)$/.exec(path)?.[1]?.replace(/\.git$/, '');
  return name === undefined || name === '' || name === '.' || name === '..' ? undefined : name;
}

/** `recursive`: with the submodules in it, and those within them. */
export function cloneArguments(url: string, folder: string, { recursive = false } = {}): string[] {
  return ['clone', ...(recursive ? ['--recurse-submodules'] : []), '--', url, folder];
}
