/**
 * The program behind GIT_ASKPASS, SSH_ASKPASS, GIT_EDITOR and GIT_SEQUENCE_EDITOR (`git-prompt.sh`). Sends the question
 * to the extension, and prints its answer. Exit code 1: nobody answers. Does not know `vscode`.
 *
 *     main.js <prompt>            askpass
 *     main.js --editor <file>
 */
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { kMaxBytes, kSocketVariable, kTokenVariable, PromptAnswer, PromptMessage } from './wire';

function message(token: string): PromptMessage {
  const [first = '', file] = process.argv.slice(2);
  if (first === '--editor' && file !== undefined) return { token, kind: 'edit', file: resolve(file) };
  const hint = process.env.SSH_ASKPASS_PROMPT;
  return { token, kind: 'ask', text: first, ...((hint === 'confirm' || hint === 'none') && { hint }) };
}

function giveUp(why: string): never {
  process.stderr.write(`git-prompt: ${why}\n`);
  process.exit(1);
}

const { [kSocketVariable]: path, [kTokenVariable]: token } = process.env;
if (path === undefined || token === undefined) giveUp('Resident Git did not start this git');

let answer = '';
const socket = connect(path, () => socket.write(`${JSON.stringify(message(token))}\n`));
socket.setEncoding('utf8');
socket.on('error', (error) => giveUp(`Resident Git does not answer: ${error.message}`));
socket.on('data', (chunk: string) => {
  answer += chunk;
  if (answer.length > kMaxBytes) giveUp('Resident Git says too much');
});
socket.on('end', () => {
  if (answer === '') giveUp('nobody answered');
  const { isAnswered, text } = JSON.parse(answer) as PromptAnswer;
  if (!isAnswered) process.exit(1);
  process.stdout.write(text === undefined ? '' : `${text}\n`, () => process.exit(0));
});
