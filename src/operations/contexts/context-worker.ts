import { parentPort, workerData } from 'node:worker_threads';
import { assembleRequest } from '../../agent/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { openStore } from '../../store/index.ts';
import type { Question, WorkerAnswer } from './contexts.ts';

// The other end of `contexts.ts`: a thread that reads the same file.

const { location } = workerData as { readonly location: string };
const store = openStore(location, { readOnly: true });

parentPort!.on('message', async ({ number, info, plan }: Question) => {
  parentPort!.postMessage(await answer());

  async function answer(): Promise<WorkerAnswer> {
    try {
      const { context, load, holds } = await assembleRequest(await store, info, plan);
      return { number, built: { context, load, holds } };
    } catch (error) {
      if (!isThroughlineError(error)) return { number, failure: { message: String(error) } };
      const { code, message, details } = error;
      return { number, failure: { code, message, details: JSON.parse(JSON.stringify(details)) } };
    }
  }
});
