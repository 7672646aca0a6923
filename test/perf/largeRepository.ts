/** A repository of many small files for the measurements. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Repository } from '../support/repository';
import type { Sandbox } from '../support/sandbox';

export const filesPerDirectory = 100;

export function nameOf(index: number): string {
  return `src/module${Math.floor(index / filesPerDirectory)}/file${index}.ts`;
}

export function makeLargeRepository(sandbox: Sandbox, fileCount: number): Repository {
  const repository = Repository.init(sandbox, 'large');
  for (let i = 0; i < fileCount; i += 1) {
    const path = join(repository.root, nameOf(i));
    if (i % filesPerDirectory === 0) mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `export const value${i} = ${i};\n`);
  }
  repository.commit();
  return repository;
}
