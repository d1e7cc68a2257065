import { cutText } from '../../context/index.ts';
import { countText } from '../../tokens/index.ts';
import type { ProjectStructure, TaskDependencyInfo, WorkSessionContext } from './session-context.ts';

interface Section {
  readonly text: string;
  /** Of two sections that do not both fit, the one with the lower number keeps more. */
  readonly rank: number;
}

/**
 * The context as a request shows it. What rarely changes stands first, so that the beginning of the request stays the
 * same. With `maxTokens`, the sections that matter least for the task are cut first, and say so.
 */
export function formatContext(
  context: WorkSessionContext,
  maxTokens: number = Number.POSITIVE_INFINITY,
): string {
  const sections = sectionsOf(context).filter(({ text }) => text !== '');
  const whole = join(sections.map(({ text }) => text));
  if (maxTokens === Number.POSITIVE_INFINITY || countText(whole) <= maxTokens) return whole;
  const fitted = new Map<Section, string>();
  let left = maxTokens - countText(HEADING) - sections.length * JOINT;
  for (const section of sections.toSorted((a, b) => a.rank - b.rank)) {
    const allowed = Math.max(0, Math.floor(left * SHARE));
    const text = cutText(section.text, { maxTokens: allowed, note: NOTE });
    if (text === undefined) continue;
    fitted.set(section, text);
    left -= countText(text);
  }
  return join(sections.flatMap((section) => fitted.get(section) ?? []));
}

const HEADING = '# Context';
const NOTE = '[… left out: the context is over its share of the budget …]';
/** The share of one section in the room that is left, so that room remains for those behind it. */
const SHARE = 0.6;
/** Tokens that join a section to the one before it. */
const JOINT = 2;

function join(texts: readonly string[]): string {
  return [HEADING, ...texts].join('\n\n');
}

function sectionsOf({ project, feature, task, featureId, taskId }: WorkSessionContext): Section[] {
  const files = [
    ...(project.instructions ?? []),
    ...(project.claudeMd === undefined ? [] : [{ name: 'CLAUDE.md', text: project.claudeMd }]),
    ...(project.projectMd === undefined ? [] : [{ name: 'PROJECT.md', text: project.projectMd }]),
  ];
  const instructions = files.map(({ name, text }) => `## From ${name}\n\n${text.trim()}`).join('\n\n');
  const about =
    feature &&
    `## Feature: ${feature.name} (${featureId})${feature.spec ? `\n\n${feature.spec.trim()}` : ''}`;
  const asked =
    task && `## Task: ${task.title} (${taskId})${task.description ? `\n\n${task.description.trim()}` : ''}`;
  return [
    { text: instructions, rank: 3 },
    { text: about ?? '', rank: 2 },
    { text: asked ?? '', rank: 1 },
    { text: structureText(project.structure), rank: 5 },
    { text: tasksText(feature, task), rank: 4 },
    { text: commitsText(project.recentCommits), rank: 6 },
  ];
}

function structureText({ root, files, folders, more }: ProjectStructure): string {
  if (files === 0) return '';
  const lines = folders.map(({ path, files: names, more: hidden }) => {
    const rest = hidden === undefined ? '' : `, … ${hidden} more`;
    return `- ${path === '.' ? '' : `${path}/`}: ${names.join(', ')}${rest}`.replace('- : ', '- ./: ');
  });
  const rest = more === undefined ? [] : [`- … ${more} more folders`];
  return [
    `## Project Structure: ${root} (${files} ${files === 1 ? 'file' : 'files'})`,
    '',
    ...lines,
    ...rest,
  ].join('\n');
}

function tasksText(feature: WorkSessionContext['feature'], task: WorkSessionContext['task']): string {
  const all = (feature?.tasks ?? []).map(({ id, title, state, dependsOn }) => {
    const waits = dependsOn.length > 0 ? `, after ${dependsOn.join(', ')}` : '';
    return `- ${id}: ${title} [${state}]${waits}`;
  });
  const list = (title: string, tasks: readonly TaskDependencyInfo[] = []) =>
    tasks.length === 0
      ? []
      : ['', `### ${title}`, '', ...tasks.map(({ id, title: name, state }) => `- ${id}: ${name} [${state}]`)];
  if (all.length === 0) return '';
  return [
    '## Tasks of the Feature',
    '',
    ...all,
    ...list('This task waits for', task?.dependencies),
    ...list('Waiting for this task', task?.dependents),
  ].join('\n');
}

function commitsText(commits: WorkSessionContext['project']['recentCommits']): string {
  if (commits.length === 0) return '';
  const lines = commits.map(
    ({ hash, subject, author, date }) => `- ${hash} ${subject} (${author}, ${date.slice(0, 10)})`,
  );
  return ['## Recent Commits', '', ...lines].join('\n');
}
