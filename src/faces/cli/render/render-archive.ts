import type {
  archiveOriginals,
  listArchiveOperation,
  scrubArchiveOperation,
} from '../../../operations/archive/index.ts';
import type { OperationResult } from '../../../operations/index.ts';
import { sayCount } from '../../../text/index.ts';
import type { Compared, Pushed, Verified } from '../../../transcripts/archive/index.ts';
import { cyan, dim, green, red, yellow } from '../terminal/paint.ts';
import { sayAge, sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

const FOLDER = /^archived-sessions\//;

export function renderArchived({
  name,
  path,
  how,
  commit,
  secrets,
  whole,
}: OperationResult<typeof archiveOriginals>['archived'][number]): string {
  const said = { new: 'archived', grown: 'archived, with what is new', known: 'is archived already' }[how];
  const facts = [
    ...(commit ? [`commit ${commit.slice(0, 8)}`] : []),
    ...(secrets > 0 ? [`${sayCount(secrets, 'secret')} taken out${whole ? ', kept in the vault' : ''}`] : []),
    ...(path.replace(FOLDER, '') === name ? [] : [`as ${path.replace(FOLDER, '')}`]),
  ];
  return `${cyan(visibleLine(name))} ${said}  ${dim(visibleLine(facts.join(', ')))}`.trimEnd();
}

export function renderArchiveList(files: OperationResult<typeof listArchiveOperation>['files']): string[] {
  return files.map(({ path, storedBytes, bytes = storedBytes, lines = 0, secrets = 0, archivedAt }) => {
    const facts =
      archivedAt === undefined
        ? [sayBytes(bytes), 'unfinished']
        : [
            sayBytes(bytes),
            sayCount(lines, 'line'),
            ...(secrets > 0 ? [`${sayCount(secrets, 'secret')} taken out`] : []),
            sayAge(Date.parse(archivedAt)),
          ];
    return `${cyan(visibleLine(path.replace(FOLDER, '')))}  ${dim(facts.join(', '))}`;
  });
}

export function renderVerified(verified: readonly Verified[]): string[] {
  const paint = { whole: green, redacted: dim, unfinished: yellow, damaged: red };
  const total = `${sayCount(verified.length, 'original')} made again and compared.`;
  return [
    ...verified.map(
      ({ path, state }) => `${paint[state](state.padEnd(10))}  ${visibleLine(path.replace(FOLDER, ''))}`,
    ),
    `${verified.length > 0 ? '\n' : ''}${total}`,
  ];
}

export function renderCompared({
  name,
  state,
  path,
}: Omit<Compared, 'path'> & { path?: string | undefined }): string {
  const said = {
    same: 'is archived as it is',
    grown: 'has grown since it was archived',
    differs: 'is not what is archived',
    missing: 'is not archived',
  }[state];
  const paint = { same: green, grown: yellow, differs: red, missing: red }[state];
  return `${visibleLine(name)} ${paint(said)}  ${dim(visibleLine(path?.replace(FOLDER, '') ?? ''))}`.trimEnd();
}

export function renderPushed({ branch, remote, commit, rebased }: Pushed): string {
  const top = rebased > 0 ? `, ${sayCount(rebased, 'commit')} put on top of what others pushed` : '';
  return `${branch} is at ${visibleLine(remote)}  ${dim(`commit ${commit.slice(0, 8)}${top}`)}`;
}

export function renderArchiveScrub({
  files,
  texts,
  rewritten,
  commits,
  dryRun,
}: OperationResult<typeof scrubArchiveOperation>): string[] {
  if (rewritten === 0) return [`No secret was found in ${sayCount(commits, 'commit')}.`];
  const said = dryRun ? 'would be made anew' : 'made anew';
  return [
    ...files.map(({ path, versions, secrets }) => {
      const facts = [sayCount(versions, 'version'), `${sayCount(secrets, 'secret')} to take out`];
      return `${cyan(visibleLine(path.replace(FOLDER, '')))}  ${dim(facts.join(', ').replace(' to take out', dryRun ? ' to take out' : ' taken out'))}`;
    }),
    ...(texts > 0 ? [`${sayCount(texts, 'name or message', 'names and messages')} with a secret`] : []),
    `${rewritten} of ${sayCount(commits, 'commit')} ${said}.`,
  ];
}

/** Remains of the old history, here and elsewhere. */
export function renderLeftovers(
  { objects, heldBy, removed }: NonNullable<OperationResult<typeof scrubArchiveOperation>['left']>,
  { pruned, pushed }: { pruned: boolean; pushed: boolean },
): string[] {
  const lines: string[] = [];
  if (removed) lines.push(`${sayCount(removed, 'object')} of the old history deleted.`);
  if (heldBy.length > 0)
    lines.push(
      yellow(
        `The old history is still held by ${heldBy.join(', ')}${pushed ? '' : ': push with --push, then --prune'}.`,
      ),
    );
  if (objects > 0)
    lines.push(
      yellow(
        pruned
          ? `${sayCount(objects, 'object')} of it ${objects === 1 ? 'is' : 'are'} in packs or reflogs that are not the archive's. "git gc --prune=now" deletes what nobody needs, of yours as well.`
          : `Git still has ${sayCount(objects, 'object')} of the old history until it cleans up. --prune deletes them now.`,
      ),
    );
  if ((objects > 0 || heldBy.length > 0 || removed) && !pushed)
    lines.push(dim('What was pushed or cloned before is not changed by this. Change the secret itself.'));
  return lines;
}
