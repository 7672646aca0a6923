/** What cloning asks of git. */

/** As git would name the folder: by the last part of the URL. Undefined where that names nothing. */
export function cloneFolder(url: string): string | undefined {
  const path = url.replace(/[?#].*$/, '').replace(/\/+(\.git\/*)?$/, '');
  const name = /([^/:\\]+)$/.exec(path)?.[1]?.replace(/\.git$/, '');
  return name === undefined || name === '' || name === '.' || name === '..' ? undefined : name;
}

export function cloneArguments(url: string, folder: string): string[] {
  return ['clone', '--', url, folder];
}
