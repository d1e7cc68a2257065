import { createHash } from 'node:crypto';
import type { SessionId } from '../../record/index.ts';

/**
 * `shop-3f9a2c1b`: a name to read and a hash of where the project was first seen. Two processes that meet a folder at
 * the same time make the same id, so there is one project; later moves do not change it.
 */
export function projectId(origin: string, name: string): SessionId {
  const hash = createHash('sha256')
    .update(JSON.stringify([origin, 1]))
    .digest('hex');
  return `${slug(name) || 'project'}-${hash.slice(0, 8)}`;
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}
