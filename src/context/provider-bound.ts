import type { Message, Part } from '../record/index.ts';

// Signed reasoning, item ids and encrypted content mean something only to the model they came from, and break a request
// to any other one. They stay in the log.

/** Whether what only the producing model understands can go along: it must be known to be the same model. */
export function isSameModel(message: Pick<Message, 'model'>, model: string | undefined): boolean {
  return model !== undefined && message.model === model;
}

export function isReasoning({ type }: Part): boolean {
  return type === 'reasoning' || type === 'reasoning-file';
}

/** Thinking that stopped halfway has no signature, and a provider that signs refuses it. */
export function isSigned({ providerOptions, providerMetadata }: Part): boolean {
  return [providerOptions, providerMetadata].some((options) =>
    Object.values((options ?? {}) as Record<string, unknown>).some((own) =>
      Object.entries((own ?? {}) as Record<string, unknown>).some(
        ([name, value]) =>
          /signature|encrypted|redacted/i.test(name) && typeof value === 'string' && value !== '',
      ),
    ),
  );
}

/** Item ids and signatures on text and calls refer to reasoning; without it they must not be sent either. */
export function withoutProviderFields(part: Part): Part {
  if (part.providerOptions === undefined && part.providerMetadata === undefined) return part;
  const { providerOptions: _, providerMetadata: __, ...rest } = part;
  return rest;
}
