/** Support for programs that compare measurements with VS Code's own Git. */
import type { AtWork } from './session';

/** Measures ours, then the built-in. Prints a failure and makes the program fail. */
export function besideBuiltIn(measure: (name: string, atWork: AtWork) => Promise<void>): void {
  const both = async () => {
    await measure('Resident Git', 'ours');
    await measure('built-in Git', 'builtIn');
  };
  both().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
