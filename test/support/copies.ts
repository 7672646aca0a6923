/** Many small repositories: one and its copies. */
import { Repository } from './repository';
import type { Sandbox } from './sandbox';

/**
 * `count` repositories of `files` tracked files in five directories, `d0/f0` to `d4/f…`, each with one
 * commit. They are `r0`, `r1`, … in `folder`. A copy's index has the first one's stat data: git reads the
 * content once more.
 */
export function repositoryCopies(sandbox: Sandbox, count: number, files: number, folder = '.'): Repository[] {
  const first = Repository.init(sandbox, `${folder}/r0`, '--template=');
  for (let i = 0; i < files; i++) first.write(trackedFile(i), `${i}\n`);
  first.commit();
  // One pack instead of many loose objects: the copies are cheaper.
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
