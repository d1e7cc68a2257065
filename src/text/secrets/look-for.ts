import { findSecrets } from './find-secrets.ts';
import { apart, type FoundSecret } from './found-secret.ts';
import { unescaped } from './unescaped.ts';

/** Says where the secrets of a text are. */
export type SecretFinder = (text: string) => Promise<FoundSecret[]>;

export interface LookFor {
  /** Known secrets, as they are. */
  readonly texts?: readonly string[];
  /** Forms of known secrets. */
  readonly patterns?: readonly RegExp[];
}

/** Looks for named secrets, however often they were put into JSON since; for what the scanner knows if nothing is named. */
export function lookFor({ texts = [], patterns = [] }: LookFor): SecretFinder {
  if (texts.length === 0 && patterns.length === 0) return findSecrets;
  const forms = [
    ...texts.flatMap(writtenAs).map((form) => new RegExp(form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g')),
    ...patterns.map(({ source, flags }) => new RegExp(source, `${flags.replaceAll('g', '')}g`)),
  ];
  return async (text) => {
    const read = unescaped(text);
    const found = [...new Set([text, read])].flatMap((one) => forms.flatMap((form) => matches(one, form)));
    return apart(found);
  };
}

/** A text as it stands in JSON, in JSON inside of JSON, and in what keeps to ASCII. */
function writtenAs(text: string): string[] {
  const ascii = (value: string) =>
    value.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const once = (value: string) => JSON.stringify(value).slice(1, -1);
  const forms = [text, once(text), once(once(text)), ascii(once(text)), once(ascii(once(text)))];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function matches(text: string, form: RegExp): FoundSecret[] {
  return [...text.matchAll(form)].flatMap(({ index, 0: found }) =>
    found === '' ? [] : [{ start: index, end: index + found.length, kind: 'named' }],
  );
}
