import { z } from 'zod';
import { FEATURE_WORKFLOW, TASK_WORKFLOW } from '../../work/index.ts';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';
import { plain } from './find-work.ts';

const Workflow = z.record(z.string(), z.array(z.string())).describe('Each state with those it leads to.');

export const listStates = operation({
  name: 'work/states',
  summary: 'The states of tasks and features, and where each leads.',
  params: z.strictObject({}),
  result: z.strictObject({ tasks: Workflow, features: Workflow }),
  faces: {
    help: { 'work states': 'Show the states of tasks and features, and where each leads.' },
    cli: { 'work states': 'result' },
  },
  run: (_, __: Machine) => plain({ tasks: TASK_WORKFLOW, features: FEATURE_WORKFLOW }),
});
