const KEY = 'throughline.token';

/**
 * The token of this launch, from `#token=…` of the address that the server printed. It is kept for this tab only and taken out
 * of the address, so that it is in no history and in no copied link.
 */
export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.replace(/^#\/?/, '')).get('token');
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}
