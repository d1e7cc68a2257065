const LABEL = '[Session Summary - Earlier conversation compressed]';
const REPLY = "Understood. I have the context from our earlier conversation. Let's continue.";

/** A summary as two ordinary messages, for transcripts that know nothing else. */
export function writeSyntheticPair(text: string): { user: string; assistant: string } {
  return { user: `${LABEL}\n\n${text}`, assistant: REPLY };
}

/** The summary text if a user message is the first half of a synthetic pair. */
export function readSyntheticPair(user: string): string | undefined {
  return user.startsWith(LABEL) ? user.slice(LABEL.length).trimStart() : undefined;
}
