/**
 * Versions of the interface, the newest last. A new one is made when a method or a field means something else than before;
 * fields, methods, events and entry kinds that are added need none.
 */
export const PROTOCOL_VERSIONS = ['1'] as const;
