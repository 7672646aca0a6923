/** git's own HTTP server (`git http-backend`) on 127.0.0.1, with a name and a password. */
import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Sandbox } from './sandbox';

export class HttpRemote {
  /** Names and passwords in order of arrival, without repetitions by the same request. */
  readonly tried: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Serves all bare repositories below the sandbox's root; only `credentials` ("name:password") may use them. */
  static async start(sandbox: Sandbox, credentials: string): Promise<HttpRemote> {
    const path = spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim();
    const backend = join(path, 'git-http-backend');
    const server = createServer((request, response) => {
      const given = Buffer.from(
        request.headers.authorization?.replace(/^Basic /, '') ?? '',
        'base64',
      ).toString();
      if (given !== '' && remote.tried.at(-1) !== given) remote.tried.push(given);
      if (given === credentials) serve(sandbox, backend, request, response);
      else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="here"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const remote = new HttpRemote(server, `http://127.0.0.1:${port}`);
    return remote;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Runs the backend as a CGI program. */
function serve(sandbox: Sandbox, backend: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const {
    'content-type': type = '',
    'content-encoding': encoding = '',
    'git-protocol': protocol = '',
  } = request.headers;
  const env = {
    ...sandbox.env,
    GIT_PROJECT_ROOT: sandbox.root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method ?? 'GET',
    REMOTE_USER: 'somebody',
    CONTENT_TYPE: type,
    HTTP_CONTENT_ENCODING: encoding,
    GIT_PROTOCOL: String(protocol),
  };
  const child = spawn(backend, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.once('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    let status = 200;
    for (const line of answer.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/);
      if (name === 'Status') status = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.writeHead(status).end(answer.subarray(end + 4));
  });
}
