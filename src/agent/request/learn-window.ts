import type { ThroughlineError } from '../../errors.ts';
import { settingEntry } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { ModelRequest } from './build-request.ts';

/** A guess is never smaller than this: a shorter request was not too long. */
const LEAST_GUESS = 1_000;
/** Of a request that was refused as too long without numbers. */
const GUESS = 0.75;

/** A count of fewer tokens says more about what stands around a request than about its text. */
const LEAST_COUNTED = 200;

/**
 * Keeps the window that a provider turned out to have with the session, so that no later request, of this process or the
 * next, is too long for it again. The estimate and the count of the refused request are kept for calibration.
 */
export async function learnWindow(
  session: Session,
  { details }: ThroughlineError,
  { model, request, declared }: { model: string; request: ModelRequest; declared: number },
): Promise<void> {
  const found = windowIn(details, request);
  if (!found) return;
  const { windows = [] } = session.info.state.settings;
  const others = windows.filter((known) => known.model !== model);
  const learnt = { model, declared, at: request.seq, ...found };
  await session.append([settingEntry('windows', [...others, learnt], { by: 'auto' })]);
}

/** Providers name their limit and their count, or the excess, or nothing. `undefined` if that explains nothing. */
function windowIn(
  { limit, tokens, over }: Readonly<Record<string, unknown>>,
  { context, estimated }: ModelRequest,
): { readonly window: number; readonly estimated?: number; readonly counted?: number } | undefined {
  const { tokens: sent, window } = context;
  const told = typeof limit === 'number' && limit > 0 ? Math.min(limit, window) : window;
  // A count above ours explains the refusal: requests are counted higher from now on.
  if (typeof tokens === 'number' && tokens > told && tokens > sent)
    return estimated >= LEAST_COUNTED ? { window: told, estimated, counted: tokens } : smaller(told, window);
  if (told < sent) return { window: told };
  const excess = typeof over === 'number' ? sent - over : Math.min(told, sent) * GUESS;
  return smaller(Math.max(LEAST_GUESS, Math.floor(excess)), Math.min(window, sent));
}

function smaller(window: number, than: number): { readonly window: number } | undefined {
  return window < than ? { window } : undefined;
}
