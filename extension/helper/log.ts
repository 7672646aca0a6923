/** The helper's log: the client shows `window/logMessage` in its output channel. Standard output is never used. */

/** LSP's MessageType. */
const enum Severity {
  Error = 1,
  Warning = 2,
  Info = 3,
}

export class Log {
  constructor(private readonly send: (params: { type: number; message: string }) => void) {}

  error(message: string): void {
    this.send({ type: Severity.Error, message });
  }
  warn(message: string): void {
    this.send({ type: Severity.Warning, message });
  }
  info(message: string): void {
    this.send({ type: Severity.Info, message });
  }
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
