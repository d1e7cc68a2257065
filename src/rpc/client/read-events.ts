/** The data of each event of an event stream, as it comes. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      const events = rest.split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
        if (data.length > 0) yield data.join('\n');
      }
    }
  } catch {
    // A stream that breaks ends here; its reader asks again.
  }
}
