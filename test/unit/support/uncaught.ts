/** Runs `body`. Returns the messages of uncaught exceptions until the next turn of the event loop. */
export async function uncaughtDuring(body: () => void | Promise<void>): Promise<string[]> {
  const others = process.listeners('uncaughtException');
  const messages: string[] = [];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => messages.push(error.message));
  try {
    await body();
    // Two turns: exceptions of the first turn are reported by the second.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
  return messages;
}
