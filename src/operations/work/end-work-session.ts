import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { plain, workOf } from './find-work.ts';
import { openWorkSession } from './open-work-session.ts';
import { printedSession } from './work-record.ts';

export const endWorkSession = operation({
  name: 'work/session/end',
  summary: 'Ends the active session of a place: the next one that is asked for is another.',
  writes: true,
  fails: ['feature-not-found', 'task-not-found', 'session-not-found'],
  params: openWorkSession.params,
  result: openWorkSession.result,
  faces: { cli: { 'work session --end': printedSession } },
  async run({ project, type, feature, task, state }, app) {
    const work = await workOf(app, project);
    const active = await work.getActiveSession(feature, task, state, type);
    if (active === undefined) {
      const place = task === undefined ? feature : `${feature}/${task}`;
      throw refused(
        'session-not-found',
        `No ${type} session of ${place} is active in that state: nothing was ended.`,
        { type, feature, ...(task !== undefined && { task }) },
      );
    }
    await work.endSession(active);
    return plain({ session: await work.describeSession(active) });
  },
});
