import { RepoPath } from '../protocol';

/** A path that a command left unchanged, and why. */
export interface Left {
  path: RepoPath;
  why: string;
}
