import { fieldsOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';

/** What a foreign block holds besides what its part says, under the name of its format, where the AI SDK passes it by. */
export function ownFields(format: string, extra: Fields, others: Fields = {}): { providerOptions?: Fields } {
  const own = Object.keys(extra).length > 0 ? { [format]: extra } : {};
  const options = { ...others, ...own };
  return Object.keys(options).length > 0 ? { providerOptions: options } : {};
}

export function readOwnFields(format: string, providerOptions: unknown): Fields {
  return fieldsOf(fieldsOf(providerOptions)[format]);
}
