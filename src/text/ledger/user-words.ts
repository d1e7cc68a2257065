const OPENING = /<([a-z]+(?:[-_][a-z]+)+|[A-Z][A-Z_]{3,})(?: [^>\n]{0,200})?>/g;
/** How messages begin that agents write in the person's place. */
const BY_PROGRAM =
  /^\s*(?:# AGENTS\.md instructions|\[Request interrupted by user|Base directory for this skill:|Caveat: The messages below were generated|Called the \w+ tool with the following input|Continue if you have next steps, or stop and ask)/;

/**
 * What the person wrote, without what programs put around it: reminders, environment and command blocks in tags such
 * as <system-reminder>, and instruction files put in front of the first question. Those are read again from their
 * sources, so a summary that kept them would let machinery pose as a request.
 */
export function userWords(text: string): string {
  if (BY_PROGRAM.test(text)) return '';
  const command = COMMAND.exec(text)?.[1];
  if (command) return `${command} ${ARGUMENTS.exec(text)?.[1] ?? ''}`.trim();
  return text.includes('</') ? withoutBlocks(text.replace(FILE_COPY, ' ')).trim() : text;
}

/** A file that was named in the message, as OpenCode writes it behind the words of the person. */
const FILE_COPY =
  /<path>[^<\n]{1,1000}<\/path>\s*<type>\w+<\/type>\s*<(content|entries)>[\s\S]*?(?:<\/\1>|$(?![\s\S]))/g;

/** Between these lines stand the files that a message names, as Gemini CLI writes them: in separate parts. */
const ATTACHES = /^\s*--- Content from referenced files ---\s*$/m;
const ATTACHED = /^\s*--- End of content ---\s*$/m;

/** The texts of a person's message, without the files that a program attached. */
export function withoutAttached(texts: readonly string[]): string[] {
  if (!texts.some((text) => ATTACHES.test(text))) return [...texts];
  let attached = false;
  return texts.map((text) => {
    const opening = attached ? 0 : text.search(ATTACHES);
    if (opening < 0) return text;
    const closing = ATTACHED.exec(text);
    attached = closing === null;
    return text.slice(0, opening) + (closing ? text.slice(closing.index + closing[0].length) : '');
  });
}

/** How Claude Code writes down a command that the person gave with a slash. */
const COMMAND =
  /^\s*<command-(?:message|name)>[\s\S]{0,300}?<command-name>(\/[^<\n]+)<\/command-name>|^\s*<command-name>(\/[^<\n]+)<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

const HANDOVER =
  /^\s*(?:This session is being continued from a previous conversation|Another language model started to solve this problem|The conversation history before this point was compacted)[^\n]*/;
const MARCHING_ORDERS =
  /\n[^\n]*(?:continue the conversation from where|If you need specific details from before compaction)[\s\S]*$/i;

/**
 * The summary that an agent wrote when it ran out of room, if this message is one in the person's place: without its opening,
 * and without the orders to go on, which were meant for one moment only.
 */
export function handoverWords(text: string): string | undefined {
  return HANDOVER.test(text) ? text.replace(HANDOVER, '').replace(MARCHING_ORDERS, '').trim() : undefined;
}

// Tags with a dash, an underscore or in capitals: neither prose nor the HTML that people paste.
function withoutBlocks(text: string): string {
  const unclosed = new Set<string>();
  let kept = '';
  let at = 0;
  OPENING.lastIndex = 0;
  for (let tag = OPENING.exec(text); tag; tag = OPENING.exec(text)) {
    const name = tag[1]!;
    const close = `</${name}>`;
    const end = unclosed.has(name) ? -1 : text.indexOf(close, OPENING.lastIndex);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    kept += `${text.slice(at, tag.index)} `;
    at = end + close.length;
    OPENING.lastIndex = at;
  }
  return kept + text.slice(at);
}
