import type { MethodName, ParamsOf, ResultOf } from './index.ts';

/** A call and its answer, for the documents. */
interface Example<Name extends MethodName = MethodName> {
  readonly method: Name;
  readonly name: string;
  readonly params: ParamsOf<Name>;
  readonly result: ResultOf<Name>;
}

const example = <Name extends MethodName>(made: Example<Name>): Example<Name> => made;

const TIME = 1_767_093_713_000;
const QUESTION = '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21';

const session: ResultOf<'chat/session/create'>['session'] = {
  id: 'refactor-auth',
  title: 'Refactor auth',
  agent: null,
  project: null,
  parent: null,
  relation: null,
  messages: 0,
  queries: 0,
  tokens: 0,
  tags: ['auth'],
  createdAt: TIME,
  updatedAt: TIME,
  place: 'active',
  summarised: false,
  head: 3,
  provider: null,
  model: null,
  cliSessionId: null,
  systemPrompt: null,
  compaction: 'window',
  askFirst: false,
  settings: {},
  usage: { inputTokens: 0, outputTokens: 0 },
};

const message: ResultOf<'chat/message/add'>['message'] = {
  id: QUESTION,
  sessionId: 'refactor-auth',
  seq: 4,
  role: 'user',
  content: 'Where are tokens checked?',
  parts: [{ type: 'text', text: 'Where are tokens checked?' }],
  status: 'complete',
  model: null,
  usage: null,
  durationMs: null,
  tokens: 9,
  createdAt: TIME,
  isActive: true,
  compactedIntoId: null,
  pinned: false,
  excluded: false,
  meta: null,
};

/** In this order, from an empty store on. Times are those of the call; everything else is what comes back. */
export const EXAMPLES = [
  example({
    method: 'chat/session/create',
    name: 'A session with an id of your own',
    params: { id: 'refactor-auth', title: 'Refactor auth', tags: ['auth'] },
    result: { id: 'refactor-auth', session },
  }),
  example({
    method: 'chat/message/add',
    name: 'A message that may be sent twice',
    params: {
      sessionId: 'refactor-auth',
      role: 'user',
      content: 'Where are tokens checked?',
      id: QUESTION,
      createdAt: TIME,
    },
    result: { message },
  }),
  example({
    method: 'chat/message/list',
    name: 'The newest page',
    params: { sessionId: 'refactor-auth', limit: 50 },
    result: { messages: [message], before: null, after: null, head: 4 },
  }),
  example({
    method: 'chat/message/get',
    name: 'One message, whole',
    params: { sessionId: 'refactor-auth', id: QUESTION },
    result: { message },
  }),
  example({
    method: 'session/find',
    name: 'What a person typed',
    params: { text: 'refactor auth' },
    result: {
      match: 'refactor-auth',
      candidates: [
        { id: 'refactor-auth', title: 'Refactor auth', updatedAt: TIME, place: 'active', by: 'title' },
      ],
      more: false,
    },
  }),
  example({
    method: 'chat/session/delete',
    name: 'Into the trash',
    params: { sessionId: 'refactor-auth' },
    result: { id: 'refactor-auth', deleted: true, purged: false },
  }),
] as readonly Example[];
