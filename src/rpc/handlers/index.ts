import type { Offered } from '../../operations/index.ts';
import type { Handler } from '../call.ts';
import type { MethodName } from '../methods/index.ts';
import { initialize } from './initialize.ts';
import { server } from './server.ts';
import { watch } from './watch.ts';

/** The methods that are no operations. One that is described and not carried out here does not compile. */
export const HANDLERS: { readonly [Name in Exclude<MethodName, keyof Offered>]: Handler<Name> } = {
  ...initialize,
  ...watch,
  ...server,
};
