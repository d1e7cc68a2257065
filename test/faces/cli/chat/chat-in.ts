import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKnowledge } from '../../../../src/agent/index.ts';
import type { Chat, ChatOptions } from '../../../../src/faces/cli/chat/chat.ts';
import { createScreen } from '../../../../src/faces/cli/chat/screen.ts';
import { createSpendingCounter } from '../../../../src/faces/cli/chat/status-line.ts';
import { chooseAnswering } from '../../../../src/models/index.ts';
import type { Session } from '../../../../src/session/index.ts';
import type { Store } from '../../../../src/store/index.ts';

/** A chat in a session, with the offline model, that shows nothing. */
export async function chatIn(
  store: Store,
  session: Session,
  options: Omit<ChatOptions, 'model'> = {},
): Promise<Chat> {
  const folder = path.join(tmpdir(), 'throughline-nowhere');
  const project: Chat['place']['project'] = { id: 'p', name: 'p', known: true, folders: [] } as never;
  const screen = { say() {}, warn() {}, whisper() {}, begin() {}, end() {} };
  return {
    place: { store, location: path.join(folder, 'throughline.db'), folder, project },
    options: { ...options, model: 'offline' },
    screen: { ...createScreen({ rich: false }), ...screen },
    input: { interactive: false, onAhead() {} } as never,
    session,
    agent: undefined,
    agentProblem: undefined,
    model: await chooseAnswering({ settings: {} }, { asked: 'offline' }),
    knowledge: openKnowledge(store),
    open: undefined,
    writer: undefined,
    warned: 0,
    load: undefined,
    showing: undefined,
    startedHead: 0,
    spending: createSpendingCounter(),
    failed: undefined,
    shutdown: new AbortController(),
    stops: [],
    mirror: { note() {}, settled: async () => {}, [Symbol.asyncDispose]: async () => {} },
    unsaved: new Set(),
    shownModel: undefined,
    setUp: new Set(),
  };
}
