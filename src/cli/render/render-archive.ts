import type { Archived, ArchivedFile, Compared, Pushed, Verified } from '../../archive/index.ts';
import { cyan, dim, green, red, yellow } from '../terminal/paint.ts';
import { sayAge, sayBytes, sayCount } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

const FOLDER = /^archived-sessions\//;

/** An archived file as `--json` prints it. */
export function describeArchived({ path, storedBytes, record }: ArchivedFile): Record<string, unknown> {
  const { name, kind, sha256, bytes, lines, secrets, archivedAt } = record ?? {};
  return { path, name, kind, bytes, lines, storedBytes, sha256, secrets, archivedAt };
}

export function renderArchived({
  name,
  path,
  how,
  commit,
  secrets,
  whole,
}: Archived & { name: string }): string {
  const said = { new: 'archived', grown: 'archived, with what is new', known: 'is archived already' }[how];
  const facts = [
    ...(commit ? [`commit ${commit.slice(0, 8)}`] : []),
    ...(secrets > 0 ? [`${sayCount(secrets, 'secret')} taken out${whole ? ', kept in the vault' : ''}`] : []),
    ...(path.replace(FOLDER, '') === name ? [] : [`as ${path.replace(FOLDER, '')}`]),
  ];
  return `${cyan(visibleLine(name))} ${said}  ${dim(visibleLine(facts.join(', ')))}`.trimEnd();
}

export function renderArchiveList(files: readonly ArchivedFile[]): string[] {
  return files.map(({ path, storedBytes, record }) => {
    const facts = record
      ? [
          sayBytes(record.bytes),
          sayCount(record.lines, 'line'),
          ...(record.secrets > 0 ? [`${sayCount(record.secrets, 'secret')} taken out`] : []),
          sayAge(Date.parse(record.archivedAt)),
        ]
      : [sayBytes(storedBytes), 'unfinished'];
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

export function renderCompared({ name, state, path }: Compared): string {
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
