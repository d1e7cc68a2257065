import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As much of GitHub as the archive speaks with: trees, blobs, refs and contents of one repository. */
export interface FakeGitHub extends AsyncDisposable {
  readonly url: string;
  /** Requests as they came. */
  readonly asked: string[];
  /** Answers the next requests that match with this instead, once for each. */
  answerWith(
    match: RegExp,
    answer: { status: number; headers?: Record<string, string>; message?: string },
  ): void;
  /** Every byte that was ever stored. */
  everything(): string;
}

export const TOKEN = 'test-token';

export async function startGitHub(): Promise<FakeGitHub> {
  const blobs = new Map<string, Buffer>();
  const trees = new Map<string, Map<string, string>>();
  const commits = new Map<string, string>();
  const branches = new Map<string, string>();
  const asked: string[] = [];
  const messages: string[] = [];
  const traps: {
    match: RegExp;
    answer: { status: number; headers?: Record<string, string>; message?: string };
  }[] = [];

  const shaOf = (kind: string, bytes: Buffer | string) =>
    createHash('sha1').update(kind).update('\0').update(bytes).digest('hex');
  const keepBlob = (bytes: Buffer) => {
    const sha = shaOf('blob', bytes);
    blobs.set(sha, bytes);
    return sha;
  };
  const keepTree = (files: Map<string, string>) => {
    const sha = shaOf('tree', JSON.stringify([...files]));
    trees.set(sha, files);
    return sha;
  };
  const keepCommit = (message: string, tree: string) => {
    messages.push(message);
    const sha = shaOf('commit', message + tree + commits.size);
    commits.set(sha, tree);
    return sha;
  };

  function handle(
    method: string,
    url: URL,
    body: Record<string, unknown>,
  ): { status: number; body: unknown } {
    const to = decodeURIComponent(url.pathname).replace('/repos/sally/shop', '');
    if (method === 'GET' && to === '') return { status: 200, body: { full_name: 'sally/shop' } };
    if (method === 'GET' && to.startsWith('/git/trees/')) {
      const commit = branches.get(to.slice('/git/trees/'.length));
      if (!commit) return { status: 404, body: { message: 'Not Found' } };
      const tree = commits.get(commit)!;
      const files = [...trees.get(tree)!].map(([path, sha]) => ({
        path,
        sha,
        type: 'blob',
        size: blobs.get(sha)!.length,
      }));
      return { status: 200, body: { sha: tree, tree: files, truncated: false } };
    }
    if (method === 'GET' && to.startsWith('/git/blobs/')) {
      const blob = blobs.get(to.slice('/git/blobs/'.length));
      return blob ? { status: 200, body: blob } : { status: 404, body: { message: 'Not Found' } };
    }
    if (method === 'POST' && to === '/git/trees') {
      const list = body.tree as { path: string; content: string }[];
      const files = new Map(list.map(({ path, content }) => [path, keepBlob(Buffer.from(content))]));
      return { status: 201, body: { sha: keepTree(files) } };
    }
    if (method === 'POST' && to === '/git/commits')
      return { status: 201, body: { sha: keepCommit(String(body.message), String(body.tree)) } };
    if (method === 'POST' && to === '/git/refs') {
      const name = String(body.ref).replace('refs/heads/', '');
      if (branches.has(name)) return { status: 422, body: { message: 'Reference already exists' } };
      branches.set(name, String(body.sha));
      return { status: 201, body: {} };
    }
    if (method === 'PUT' && to.startsWith('/contents/')) {
      const branch = String(body.branch);
      const commit = branches.get(branch);
      if (!commit) return { status: 404, body: { message: `Branch ${branch} not found` } };
      const files = new Map(trees.get(commits.get(commit)!)!);
      const path = to.slice('/contents/'.length);
      const there = files.get(path);
      if (there && body.sha === undefined)
        return { status: 422, body: { message: '"sha" wasn\'t supplied.' } };
      if (there !== body.sha)
        return { status: 409, body: { message: `${path} does not match ${String(body.sha)}` } };
      files.set(path, keepBlob(Buffer.from(String(body.content), 'base64')));
      const sha = keepCommit(String(body.message), keepTree(files));
      branches.set(branch, sha);
      return { status: there ? 200 : 201, body: { commit: { sha } } };
    }
    return { status: 404, body: { message: 'Not Found' } };
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      asked.push(`${method} ${url}`);
      const trap = traps.findIndex(({ match }) => match.test(`${method} ${url}`));
      if (trap >= 0) {
        const [{ answer }] = traps.splice(trap, 1) as [(typeof traps)[number]];
        response
          .writeHead(answer.status, answer.headers)
          .end(JSON.stringify({ message: answer.message ?? '' }));
        return;
      }
      if (request.headers.authorization !== `Bearer ${TOKEN}`) {
        response.writeHead(401).end(JSON.stringify({ message: 'Bad credentials' }));
        return;
      }
      const text = Buffer.concat(chunks).toString('utf8');
      const { status, body } = handle(method, new URL(url, 'http://x'), text ? JSON.parse(text) : {});
      response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answerWith: (match, answer) => void traps.push({ match, answer }),
    everything: () => [...[...blobs.values()].map((blob) => blob.toString('latin1')), ...messages].join('\n'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
