/** The page of a commit on GitHub or GitLab, from the URL of a remote. */

export interface CommitPage {
  site: 'GitHub' | 'GitLab';
  url: string;
}

interface Place {
  /** With the port, if the pages have one. */
  host: string;
  path: string;
  isSecure: boolean;
}

/** Hosts for ssh over the port of https. */
const kOtherNames: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
};
/** The path of a repository below its host: at least an owner and a name. */
const kPath = /^[\w.~%+@-]+(\/[\w.~%+@-]+)+$/;
const kHost = /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/;

/**
 * Undefined: the host is neither a GitHub nor a GitLab by its name, or the URL is not one of a remote. The result
 * contains no user name and no password.
 */
export function commitPage(remote: string, hash: string): CommitPage | undefined {
  const place = placeOf(remote.trim());
  if (place === undefined || !/^[0-9a-f]{40,64}$/.test(hash)) return undefined;
  const host = kOtherNames[place.host] ?? place.host;
  const path = place.path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  const isSafe = path.split('/').every((part) => part !== '.' && part !== '..');
  if (!kHost.test(host) || !kPath.test(path) || !isSafe) return undefined;
  const base = `http${place.isSecure ? 's' : ''}://${host}/${path}`;
  const labels = host.split(/[.:-]/);
  if (labels.includes('gitlab')) return { site: 'GitLab', url: `${base}/-/commit/${hash}` };
  if (labels.includes('github')) return { site: 'GitHub', url: `${base}/commit/${hash}` };
  return undefined;
}

function placeOf(remote: string): Place | undefined {
  const url = /^(https?|ssh|git|git\+ssh|ssh\+git):\/\/(?:[^@/]*@)?([^/:]+)(:\d*)?\/(.*)$/i.exec(remote);
  if (url !== null) {
    const [, scheme = '', host = '', port = '', path = ''] = url;
    const isWeb = /^https?$/i.test(scheme);
    return {
      // The port of ssh is not the port of the pages.
      host: host.toLowerCase() + (isWeb && port !== ':' ? port : ''),
      path,
      isSecure: !/^http$/i.test(scheme),
    };
  }
  // The short form for ssh: user@host:path. A slash before the colon makes it a local path.
  const short = /^(?:[^@/:]+@)?([^@/:]{2,}):(?!\/\/)(.*)$/.exec(remote);
  if (short === null) return undefined;
  const [, host = '', path = ''] = short;
  return { host: host.toLowerCase(), path, isSecure: true };
}
