/**
 * Bodies are stored with the version of the format they were written in and never rewritten. Reading lifts them, one
 * function per version; each old version has a frozen fixture in test/fixtures/format.
 */
export const FORMAT_VERSION = 1;

export type Lift = (body: { readonly kind: string }) => { readonly kind: string };

/** `LIFTS[n]` turns a body of version n into one of version n + 1. */
export const LIFTS: Readonly<Record<number, Lift>> = {};

export function liftBody(
  body: { readonly kind: string },
  from: number,
  { lifts = LIFTS, to = FORMAT_VERSION }: { lifts?: Readonly<Record<number, Lift>>; to?: number } = {},
): { readonly kind: string } {
  let lifted = body;
  for (let version = from; version < to; version++) {
    const lift = lifts[version];
    if (!lift) throw new TypeError(`no way to lift format version ${version} to ${version + 1}`);
    lifted = lift(lifted);
  }
  return lifted;
}
