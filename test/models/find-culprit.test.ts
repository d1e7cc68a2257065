import { describe, expect, it } from 'vitest';
import { explainModelError } from '../../src/models/index.ts';

const refuse = (message: string) => explainModelError({ statusCode: 400, message }).details;

describe('a refusal that names an item', () => {
  it.each([
    [
      'messages.5.content.0: Invalid `signature` in `thinking` block',
      { about: 'reasoning', item: { message: 5, part: 0 } },
    ],
    [
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6829040 bytes > 5242880 bytes',
      { about: 'image', item: { message: 0, part: 1 } },
    ],
    [
      'messages.2.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.',
      { about: 'document', item: { message: 2, part: 0 } },
    ],
    [
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
      { about: 'tool-pair', item: { message: 2 } },
    ],
    [
      "Invalid 'input[2].content[1].image_url'. Expected a valid URL.",
      { about: 'image', item: { message: 2, part: 1 } },
    ],
    ['The encrypted content gAAA could not be verified.', { about: 'reasoning' }],
    ['No tool output found for function call call_1.', { about: 'tool-pair' }],
    [
      "Invalid 'messages[3].content': string too long. Expected a maximum length of 10485760.",
      { item: { message: 3 } },
    ],
    [
      "Invalid value at 'contents[1].parts[0].inline_data': image",
      { about: 'image', item: { message: 1, part: 0 } },
    ],
    ['Function call is missing a thought_signature in functionCall parts.', { about: 'reasoning' }],
    ['temperature: range: 0..1', {}],
  ])('%s', (message, culprit) => {
    const { about, item } = refuse(message);
    expect({ ...(about !== undefined && { about }), ...(item !== undefined && { item }) }).toEqual(culprit);
  });
});
