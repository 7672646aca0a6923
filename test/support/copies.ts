/** Many small repositories, which are one and its copies. */
import { Repository } from './repository';
import type { Sandbox } from './sandbox';

/**
 * `count` repositories of `files` tracked files in five directories, `d0/f0` to `d4/f…`, each with one commit. Stat data in
 * the index of a copy is the first one's: git looks at the content once. They are `r0`, `r1`, … in `folder`.
 */
export function repositoryCopies(sandbox: Sandbox, count: number, files: number, folder = '.'): Repository[] {
  const first = Repository.init(sandbox, `${folder}/r0`, '--template=');
  for (let i = 0; i < files; i++) first.write(trackedFile(i), `${i}\n`);
  first.commit();
  // One file instead of many, which are copied many times.
  first.git('repack', '-adq');
  const repositories = [first];
  for (let i = 1; i < count; i++) repositories.push(new Repository(sandbox, sandbox.path(folder, `r${i}`)));
  sandbox.exec(
    'sh',
    '-c',
    `cd ${folder}; i=1; while [ $i -lt ${count} ]; do cp -a r0 r$i; i=$((i + 1)); done`,
  );
  return repositories;
}

export function trackedFile(i: number): string {
  return `d${i % 5}/f${i}`;
}
