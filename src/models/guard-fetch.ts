/**
 * A fetch for one provider. Answers that tell of a failure never repeat the key, so no error made from them can; and
 * a wait that Google puts into the body is put into the header that retries look at.
 */
export function guardFetch(fetch: typeof globalThis.fetch, key: string | undefined): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;

    const body = await response.text();
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    headers.delete('content-encoding');
    const wait = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
    if (wait !== undefined && !headers.has('retry-after')) headers.set('retry-after', wait);
    return new Response(key ? body.replaceAll(key, '[key]') : body, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
}
