import { mapLines, type Summary } from '../record/index.ts';
import { bareWords } from '../summary/index.ts';

/** What a model writes where it has nothing to say, or copies from the form that it was to fill in. */
const FILLER =
  /^[\s"'*_(<[{-]*(?:none|nothing(?: yet)?|no|n\/a|null|undefined|string|text|tbd|unknown|not (?:applicable|mentioned|specified)|keine?|nichts|aucune?|rien|ningun[oa]|nada|nenhum(?:a)?|nessun[oa]?|niente|нет|ничего|无|没有|なし|特になし|없음|해당 없음)?[\s"'*_)>\]}.。…!-]*$/iu;
const BLANK = /^(?:\[[^\]]* [^\]]*\]|<[^<>]+>|\{\{.*\}\})\.?$/;

/** A model's summary without lines that tell nothing, and each line once in its list. */
export function withoutFillers(summary: Summary): Summary {
  return mapLines(summary, (lines) => {
    const said = new Set<string>();
    return lines.filter(({ text }) => {
      const key = bareWords(text);
      const tells = !FILLER.test(text) && !BLANK.test(text.trim()) && !said.has(key);
      said.add(key);
      return tells;
    });
  });
}
