import type { OperationResult } from '../../../operations/index.ts';
import type { FeatureRecord, listStates, TaskRecord } from '../../../operations/work/index.ts';
import { sayCount } from '../../../text/index.ts';
import { bold, cyan, dim } from '../terminal/paint.ts';
import { sayAge, sayTime } from '../terminal/say.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';

type Workflows = OperationResult<typeof listStates>;

/** Features with their tasks, as lines for people. */
export function renderBoard(
  features: readonly FeatureRecord[],
  { tasks = true }: { tasks?: boolean } = {},
): string[] {
  if (features.length === 0) return ['No features yet. Add one: throughline work feature <id> --name "…"'];
  return features.flatMap((feature, index) => [
    ...(tasks && index > 0 ? [''] : []),
    `${bold(feature.id)}  ${visibleLine(feature.name)}  ${cyan(feature.state)}  ${dim(countsOf(feature))}`,
    ...(tasks ? feature.tasks.map(taskLine) : []),
  ]);
}

export function renderFeature(feature: FeatureRecord): string[] {
  const { id, name, state, folder, branch, spec, specFile, sessions, tasks } = feature;
  return [
    `${bold(id)}  ${visibleLine(name)}  ${cyan(state)}`,
    ...(folder === null ? [] : [`folder: ${visibleLine(folder)}`]),
    ...(branch === null ? [] : [`branch: ${visibleLine(branch)}`]),
    ...(specFile === null ? [] : [`specification: ${visibleLine(specFile)}`]),
    ...(spec === null ? [] : ['', visibleText(spec.trim())]),
    ...(tasks.length === 0 ? [] : ['', ...tasks.map(taskLine)]),
    ...sessions.map(
      ({ session, type, ended }) => `session ${session}  ${dim(`${type}${ended ? ', ended' : ''}`)}`,
    ),
  ];
}

export function renderTask(task: TaskRecord): string[] {
  const { id, feature, title, description, state, dependsOn, dependents, sessions, moves } = task;
  return [
    `${bold(`${feature}/${id}`)}  ${visibleLine(title)}  ${cyan(state)}`,
    ...(description === '' ? [] : [visibleText(description.trim())]),
    ...(dependsOn.length === 0 ? [] : [`waits for: ${dependsOn.join(', ')}`]),
    ...(dependents.length === 0 ? [] : [`waiting for it: ${dependents.join(', ')}`]),
    ...sessions.map(
      ({ session, type, state: of, ended }) =>
        `session ${session}  ${dim([type, of, ended ? 'ended' : undefined].filter(Boolean).join(', '))}`,
    ),
    ...moves.map(({ at, from, to, by, reason }) => {
      const who = [by, reason]
        .filter(Boolean)
        .map((text) => visibleLine(text!))
        .join(': ');
      return dim(`${sayTime(at)}  ${from} → ${to}${who ? `  ${who}` : ''}`);
    }),
  ];
}

export function renderWorkflow({ tasks, features }: Workflows): string[] {
  const lines = (workflow: Workflows['tasks']) =>
    Object.entries(workflow).map(([from, next]) => `  ${from.padEnd(12)} → ${next.join(', ')}`);
  return [bold('Tasks'), ...lines(tasks), '', bold('Features'), ...lines(features)];
}

function taskLine({ id, title, state, dependsOn, sessions }: TaskRecord): string {
  const waits = dependsOn.length === 0 ? '' : `after ${dependsOn.join(', ')}`;
  const held = sessions.length === 0 ? '' : sayCount(sessions.length, 'session');
  const rest = [waits, held].filter((text) => text !== '').join(', ');
  return `  ${cyan(state.padEnd(10))}  ${id}  ${visibleLine(title)}  ${dim(rest)}`.trimEnd();
}

function countsOf({ tasks, updatedAt }: FeatureRecord): string {
  const done = tasks.filter(({ state }) => state === 'done').length;
  return `${done} of ${sayCount(tasks.length, 'task')} done, ${sayAge(updatedAt)}`;
}
