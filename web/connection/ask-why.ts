export type Refusal = 'no-token' | 'token' | 'place';

/** Why a socket did not open: a browser does not say, so the server is asked by a plain request. */
export async function askWhy(token: string): Promise<Refusal | undefined> {
  try {
    const { status } = await fetch('./rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/info', params: {} }),
    });
    if (status === 401) return 'token';
    return status === 403 ? 'place' : undefined;
  } catch {
    return undefined;
  }
}
