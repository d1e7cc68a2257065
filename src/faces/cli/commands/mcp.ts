import type { Command } from 'commander';
import { openStore, type Store } from '../../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { helpExamples } from '../help-text.ts';
import { note } from '../terminal/print.ts';
import { visibleText } from '../terminal/visible-text.ts';
import { warnExposed } from '../warn-exposed.ts';
import type { GlobalOptions } from '../with-store.ts';

interface McpOptions extends GlobalOptions {
  readOnly?: boolean;
}

const REGISTER = `
Register it with an agent, once:
  Claude Code   claude mcp add throughline -- npx throughline mcp
  Codex         codex mcp add throughline -- npx throughline mcp
  Gemini CLI    gemini mcp add throughline npx throughline mcp
  Cursor        .cursor/mcp.json, under "mcpServers":
                "throughline": { "command": "npx", "args": ["throughline", "mcp"] }
  VS Code       .vscode/mcp.json, under "servers": the same line

It speaks the protocol on stdin and stdout, so in a terminal it just waits; Ctrl-C ends it.`;

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Serve what is kept here to other agents, as an MCP server. They can search, recall, read and remember.',
    )
    .option('--read-only', 'offer nothing that writes')
    .addHelpText(
      'after',
      `${helpExamples(
        ['throughline mcp', 'what an agent starts; the store is chosen as always'],
        ['throughline mcp --store team.db --read-only', 'another store, to look at only'],
      )}\n${REGISTER}`,
    )
    .action(async (_: unknown, command: Command) => {
      const { store: named, readOnly = false } = command.optsWithGlobals<McpOptions>();
      // A name that cannot be a store is said now, and not to every question.
      chooseStore(named);
      const { createLibrary, serveMcp } = await import('../../mcp/index.ts');
      const stopping = new AbortController();
      const stop = () => stopping.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      await using library = createLibrary({
        async find() {
          const { location, exists } = chooseStore(named);
          return exists ? opened(location) : undefined;
        },
        ...(!readOnly && { make: () => opened(chooseStore(named).location) }),
      });
      await serveMcp({
        library,
        readOnly,
        folder: process.cwd(),
        version: program.version() ?? '',
        onError: (error) => note(visibleText(error.message)),
        signal: stopping.signal,
      });
    });
}

async function opened(location: string): Promise<Store> {
  const store = await openStore(location);
  warnExposed(store);
  return store;
}
