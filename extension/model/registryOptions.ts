/** Options of the registry: how it finds and opens repositories. */
import { OpenFacts, OpenSettings } from './openRule';

export interface RegistryOptions {
  /** Search depth below a workspace folder, in levels; a function if it differs between folders. */
  depth: number | ((folder: string) => number);
  trusted: boolean;
  /** Longest duration of a sweep round in minutes; 0: off. */
  sweepMinutes?: number;
  /** Which repositories are opened; absent: all that are found. */
  rule?: {
    settings: OpenSettings;
    answers: () => OpenFacts['answers'];
    /** Files that editors show, by the paths that the user sees. */
    edited: () => readonly string[];
  };
}

export function depthBelow(folder: string, { depth }: RegistryOptions): number {
  return typeof depth === 'number' ? depth : depth(folder);
}
