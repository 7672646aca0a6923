/** How the registry finds and opens repositories. */
import { OpenFacts, OpenSettings } from './openRule';

export interface RegistryOptions {
  /** How many levels below a workspace folder are searched for repositories; by that folder, where folders differ. */
  depth: number | ((folder: string) => number);
  trusted: boolean;
  /** Longest duration of a sweep round in minutes; 0: off. */
  sweepMinutes?: number;
  /** Which repositories are opened; absent: all that are found. */
  rule?: {
    settings: OpenSettings;
    answers: () => OpenFacts['answers'];
    /** Files that editors show, as the user sees them. */
    edited: () => readonly string[];
  };
}

export function depthBelow(folder: string, { depth }: RegistryOptions): number {
  return typeof depth === 'number' ? depth : depth(folder);
}
