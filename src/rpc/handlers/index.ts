import type { Operations } from '../../operations/index.ts';
import type { Handler } from '../call.ts';
import type { MethodName } from '../methods/index.ts';
import { aiContext } from './ai-context.ts';
import { aiSession } from './ai-session.ts';
import { aiTool } from './ai-tool.ts';
import { chatContext } from './chat-context.ts';
import { initialize } from './initialize.ts';
import { memory } from './memory.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { turn } from './turn.ts';
import { watch } from './watch.ts';
import { work } from './work.ts';

/** The methods that are no operations. One that is described and not carried out here does not compile. */
export const HANDLERS: { readonly [Name in Exclude<MethodName, keyof Operations>]: Handler<Name> } = {
  ...initialize,
  ...aiSession,
  ...turn,
  ...aiTool,
  ...aiContext,
  ...chatContext,
  ...watch,
  ...search,
  ...memory,
  ...work,
  ...server,
};
