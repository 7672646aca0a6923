/** Runs `body`, and returns the messages of the exceptions that nobody caught until the next turn of the event loop. */
export async function uncaughtDuring(body: () => void | Promise<void>): Promise<string[]> {
  const others = process.listeners('uncaughtException');
  const messages: string[] = [];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => messages.push(error.message));
  try {
    await body();
    // Two turns: what the first one threw is told by then.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
  return messages;
}
