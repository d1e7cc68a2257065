import type { Written } from '../transcript.ts';

/** A file that is one JSON value, indented as people expect it. */
export function jsonFile(file: string, value: unknown): Written {
  return { file, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** An object with one long list in the middle, written as its items come. */
export async function* jsonFileWithList(
  file: string,
  {
    before,
    list,
    items,
    after,
  }: { before: object; list: string; items: AsyncIterable<unknown>; after: () => object },
): AsyncGenerator<Written> {
  const fields = (value: object) =>
    Object.entries(value).map(([name, field]) => `  ${JSON.stringify(name)}: ${indented(field, '  ')}`);
  yield { file, text: `{\n${[...fields(before), `  ${JSON.stringify(list)}: [`].join(',\n')}` };
  let count = 0;
  for await (const item of items)
    yield { file, text: `${count++ === 0 ? '\n' : ',\n'}    ${indented(item, '    ')}` };
  yield { file, text: `${[count === 0 ? ']' : '\n  ]', ...fields(after())].join(',\n')}\n}\n` };
}

function indented(value: unknown, by: string): string {
  return (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', `\n${by}`);
}
