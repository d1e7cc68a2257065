import { type Message, type Part, textOrPreview, titleOf } from '../../../record/index.ts';
import { renderSummary } from '../../../summary/index.ts';
import { readPart, sayOutput, sayTitle } from '../../../text/index.ts';
import { standing } from '../../export/interleave.ts';
import type { OutgoingEntry, Writer } from '../../transcript.ts';

/**
 * A session as one page for people: everything in it is text, nothing is loaded from anywhere, and nothing in it runs, so
 * that any message is safe to show.
 */
export const writeHtml: Writer = async function* ({ asked }, { tools = false, onLeftOut } = {}) {
  const file = `${asked.info.id}.html`;
  const title = escapeHtml(sayTitle(titleOf(asked.info.state), asked.info.id));
  yield { file, text: HEAD.replaceAll('TITLE', () => title) };
  for await (const entry of standing(asked)) {
    const text = renderEntry(entry, tools);
    if (text === undefined) onLeftOut?.(entry);
    else if (text !== '') yield { file, text };
  }
  yield { file, text: '</main>\n</body>\n</html>\n' };
};

const HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; }
article, details { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 0.25rem solid #8888; }
article.user { border-color: #06c; }
article.assistant { border-color: #080; }
header, time { color: #777; font-size: 0.85rem; }
pre, p { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; }
pre { font: 0.85rem/1.4 ui-monospace, monospace; }
</style>
</head>
<body>
<h1>TITLE</h1>
<main>
`;

/** None if there is no place for it; empty if there is nothing to see. */
function renderEntry({ at, body, seq }: OutgoingEntry, tools: boolean): string | undefined {
  if (body.kind === 'compaction')
    return `<details><summary>Summary of entries ${body.covers.from} to ${body.covers.to}</summary>\n<p>${escapeHtml(renderSummary(body.summary))}</p>\n</details>\n`;
  if (body.kind !== 'message') return undefined;
  const parts = body.parts.map((part) => renderPart(part, tools)).join('');
  if (parts === '') return '';
  const time = new Date(at).toISOString();
  return `<article class="${body.role}" id="entry-${seq}">
<header>${NAMES[body.role]}${body.model ? ` (${escapeHtml(body.model)})` : ''} <time datetime="${time}">${time.slice(0, 16).replace('T', ' ')}</time></header>
${parts}</article>
`;
}

const NAMES: Readonly<Record<Message['role'], string>> = {
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
  system: 'System',
};

function renderPart(part: Part, tools: boolean): string {
  const piece = readPart(part);
  switch (piece.kind) {
    case 'said':
      return paragraph(textOrPreview(piece.text));
    case 'thought':
      return piece.text ? folded('Thoughts', textOrPreview(piece.text)) : '';
    case 'call':
      return tools
        ? folded(`Called ${piece.name ?? 'tool'}`, JSON.stringify(piece.input, null, 2) ?? '')
        : '';
    case 'result':
      return tools ? folded(`Result of ${piece.name ?? 'tool'}`, sayOutput(piece)) : '';
    case 'file':
      return paragraph(`[${piece.name ?? piece.mediaType ?? 'file'}]`);
    default:
      return '';
  }
}

function paragraph(text: string): string {
  return text === '' ? '' : `<p>${escapeHtml(text)}</p>\n`;
}

function folded(title: string, text: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>\n<pre>${escapeHtml(text)}</pre>\n</details>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (symbol) => ENTITIES[symbol]!)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are not allowed in HTML
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
  );
}
