import { readClaudeCode } from '../../src/transcripts/claude-code/read.ts';
import { writeClaudeCode } from '../../src/transcripts/claude-code/write.ts';
import { readCodex } from '../../src/transcripts/codex/read.ts';
import { writeCodex } from '../../src/transcripts/codex/write.ts';
import { readPi } from '../../src/transcripts/pi/read.ts';
import { writePi } from '../../src/transcripts/pi/write.ts';
import * as claude from './claude-code/lines.ts';
import * as codex from './codex/rollouts.ts';
import { transcriptContract } from './contract.ts';
import * as pi from './pi/records.ts';

// The same promises as in each format's own test, tried so often that rare cuts and damages come up too.
const runs = 400;

transcriptContract({
  format: 'claude-code',
  reader: readClaudeCode,
  writer: writeClaudeCode,
  lines: true,
  samples: { ordinary: claude.ordinary(), branched: claude.branched(), 'a sub-agent': claude.withSubAgent() },
  runs,
});

transcriptContract({
  format: 'pi',
  reader: readPi,
  writer: writePi,
  lines: true,
  samples: { 'version 1': pi.first(), 'a tree': pi.tree() },
  runs,
});

transcriptContract({
  format: 'codex',
  reader: readCodex,
  writer: writeCodex,
  lines: true,
  samples: { ordinary: codex.ordinary(), 'rolled back': codex.rolledBack(), bare: codex.bare() },
  runs,
});
