/** Loads the addon that lies beside the bundle, and says in words why where that cannot be done. */
import { join } from 'node:path';
import type * as Native from './native';

export type Addon = typeof Native;

export function loadAddon(folder = __dirname): Addon {
  const path = join(folder, 'resident_git.node');
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- what a .node file needs
    return require(path) as Addon;
  } catch (error) {
    throw new Error(explain(path, error as NodeJS.ErrnoException), { cause: error });
  }
}

export function explain(path: string, error: Pick<NodeJS.ErrnoException, 'code' | 'message'>): string {
  const { message } = error;
  if (error.code === 'MODULE_NOT_FOUND' || message.includes('cannot open shared object file')) {
    const missing = /([\w.+-]+): cannot open shared object file/.exec(message)?.[1];
    // The loader also says so of a library that the addon needs.
    return missing !== undefined && missing !== path && !path.endsWith(missing)
      ? `${path}: Resident Git needs ${missing}, which this system does not have`
      : `${path}: the native module is missing; reinstall Resident Git`;
  }
  const glibc = /version `(GLIBC_[\d.]+)' not found/.exec(message)?.[1];
  if (glibc !== undefined) {
    const here = glibcVersion();
    const has =
      here === undefined
        ? 'this system has an older version or another C library'
        : `this system has glibc ${here}`;
    return `${path}: Resident Git needs ${glibc.replace('_', ' ').toLowerCase()} or newer; ${has}`;
  }
  if (
    /invalid ELF header|wrong ELF class|Exec format error|ld-linux|not a mach-o|is not a valid Win32/i.test(
      message,
    )
  ) {
    return `${path}: not built for the platform ${process.platform}-${process.arch} (${message})`;
  }
  return `${path}: cannot be loaded (${message})`;
}

function glibcVersion(): string | undefined {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime;
}
