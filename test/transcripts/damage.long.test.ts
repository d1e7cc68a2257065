import { readClaudeCode } from '../../src/transcripts/formats/claude-code/read.ts';
import { writeClaudeCode } from '../../src/transcripts/formats/claude-code/write.ts';
import { readCodex } from '../../src/transcripts/formats/codex/read.ts';
import { writeCodex } from '../../src/transcripts/formats/codex/write.ts';
import { readPi } from '../../src/transcripts/formats/pi/read.ts';
import { writePi } from '../../src/transcripts/formats/pi/write.ts';
import { transcriptContract } from './contract.ts';
import * as claude from './formats/claude-code/lines.ts';
import * as codex from './formats/codex/rollouts.ts';
import * as pi from './formats/pi/records.ts';

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
