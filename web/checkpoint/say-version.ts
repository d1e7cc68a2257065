import type { ResultOf } from '../../src/faces/rpc/client/index.ts';
import { sayAge } from '../app/say-time.ts';

type Version = ResultOf<'checkpoint/history'>['versions'][number];

export function sayVersion({ version, at, by }: Version): string {
  return `Version ${version} · ${sayAge(at)} · ${sayMaker(by)}`;
}

function sayMaker(by: Version['by']): string {
  if (by.kind === 'restored') return `restored from ${String(by.version)}`;
  if (by.kind === 'merged') return 'merged';
  return by.kind;
}
