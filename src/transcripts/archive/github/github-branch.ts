import path from 'node:path';
import { ThroughlineError } from '../../../errors.ts';
import type { ArchiveBranch, Change, Look, StoredFile } from '../archive-branch.ts';
import { type Answer, callGitHub, type GitHubAccess } from './call-github.ts';

export interface GitHubBranchOptions extends GitHubAccess {
  /** "owner/name". */
  readonly repository: string;
  readonly branch: string;
  /** A folder here for redacted texts. */
  readonly vault: string;
}

/**
 * A branch at GitHub, written by its contents API: nothing is cloned. Each file is a separate commit there, and a file that has
 * changed since it was read is refused, so no change is overwritten.
 */
export function openGitHubBranch({
  repository,
  branch,
  vault,
  ...access
}: GitHubBranchOptions): ArchiveBranch {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new ThroughlineError('usage', `"${repository}" is no repository at GitHub. Name it as owner/name.`);
  const base = `/repos/${repository}`;
  const name = `${branch} of ${repository}`;
  const call = (to: string, options?: Parameters<typeof callGitHub>[2]) =>
    callGitHub(access, `${base}${to}`, options);

  async function start(message: string, readme: Uint8Array): Promise<boolean> {
    const content = Buffer.from(readme).toString('utf8');
    const tree = await expect(
      call('/git/trees', {
        method: 'POST',
        json: { tree: [{ path: 'README.md', mode: '100644', type: 'blob', content }] },
      }),
    );
    const commit = await expect(
      call('/git/commits', { method: 'POST', json: { message, tree: shaOf(tree), parents: [] } }),
    );
    const ref = { ref: `refs/heads/${branch}`, sha: shaOf(commit) };
    const made = await call('/git/refs', { method: 'POST', json: ref });
    if (made.status === 422 && /already exists/i.test(messageOf(made))) return false;
    await expect(made);
    return true;
  }

  async function expect(answered: Answer | Promise<Answer>): Promise<unknown> {
    const answer = await answered;
    const { status, body } = answer;
    if (status < 300) return parse(body);
    const hint =
      status === 401 || status === 403 || status === 404
        ? ' Check the name, and that the token in GITHUB_TOKEN may write contents.'
        : '';
    throw new ThroughlineError(
      'archive-unavailable',
      `GitHub refused ${name}: ${status} ${messageOf(answer)}.${hint}`,
      { details: { status } },
    );
  }

  return {
    name,
    vault,
    atomic: false,
    async look(): Promise<Look> {
      const answer = await call(`/git/trees/${encodeURIComponent(branch)}?recursive=1`);
      const files = new Map<string, StoredFile>();
      // An empty repository is a conflict to it, and a missing branch is nothing.
      if (answer.status === 409) return { tip: undefined, files };
      if (answer.status === 404) {
        await expect(call(''));
        return { tip: undefined, files };
      }
      const { sha, tree, truncated } = (await expect(answer)) as Tree;
      if (truncated)
        throw new ThroughlineError(
          'archive-unavailable',
          `${name} has more files than GitHub lists. Use a git repository.`,
          { details: { repo: name } },
        );
      for (const { path: file, type, sha: id, size = 0 } of tree)
        if (type === 'blob') files.set(file, { id, bytes: size });
      return { tip: sha, files };
    },
    async read(ids) {
      const texts: Buffer[] = [];
      for (const id of ids) {
        const answer = await call(`/git/blobs/${id}`, { accept: 'application/vnd.github.raw+json' });
        if (answer.status >= 300) await expect(answer);
        texts.push(answer.body);
      }
      return texts;
    },
    async commit({ tip, files: seen }, { files, message }: Change) {
      const readme = files.get('README.md');
      if (tip === undefined && readme && !(await start('Initialize archive branch', readme))) return 'moved';
      let commit = '';
      for (const [file, bytes] of files) {
        if (file === 'README.md') continue;
        const there = seen.get(file);
        const answer = await call(`/contents/${file.split('/').map(encodeURIComponent).join('/')}`, {
          method: 'PUT',
          json: {
            message: path.posix.dirname(file) === 'records' ? `${message.split('\n')[0]} (record)` : message,
            branch,
            content: Buffer.from(bytes).toString('base64'),
            ...(there && { sha: there.id }),
          },
        });
        // Another process has made the file since, or changed it. Any other refusal would come again.
        const isOther = answer.status === 422 && /\bsha\b/i.test(messageOf(answer));
        if (answer.status === 409 || isOther) return 'moved';
        commit = ((await expect(answer)) as { commit: { sha: string } }).commit.sha;
      }
      return { commit };
    },
  };
}

interface Tree {
  readonly sha: string;
  readonly truncated?: boolean;
  readonly tree: readonly { path: string; type: string; sha: string; size?: number }[];
}

function messageOf({ body }: Answer): string {
  return String(((parse(body) ?? {}) as { message?: unknown }).message ?? '');
}

function shaOf(value: unknown): string {
  return (value as { sha: string }).sha;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
