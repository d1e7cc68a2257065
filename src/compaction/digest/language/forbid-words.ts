import type { CueWords } from './choice-words.ts';

type Forbids = Omit<CueWords, 'spaceless' | 'opening'>;

/** Verbs of work by which people say what is to be left as it is. Their form is the order: "on ne touche pas" is none. */
export const FORBIDS: Forbids = {
  en: "(?:do not|don['’]t|dont) (?:ever|use|touch|add|commit|push|change|delete|remove|write|create|edit|modify|run|install|deploy|start|put|make|rename|include|mention|send|merge|build|break|store|log)",
  de: '(?<!(?:ich|wir|sie|er|es|man|die|der|das|und) )(?:fass|änder|lösch|benutz|verwend|schreib|veröffentlich|verschick|speicher|installier|committ?|push)(?:e|t|en sie|est)? (?:[\\p{L}\\d.-]+ ){0,4}?(?:nichts|keine?n?|nicht(?: \\p{L}+)?(?: an)?(?=[.,;!]|$))',
  fr: "(?<!(?:on|je|tu|il|elle|nous|vous|ils|elles|qui|ça) )n(?:e |['’])(?:l[ea] |l['’]|les |y )?(?:touch|chang|supprim|modifi|utilis|efface|publi|envoy|ajout|stock|install|met)(?:e[sz]?|s|tez)?(?:-(?:l[ea]|les|y))? (?:pas|rien)|ne (?:pas|rien) (?:toucher|changer|supprimer|modifier|utiliser|publier|envoyer|ajouter|installer|mettre)",
  es: 'no (?:l[oae]s? |me )?(?:(?:toqu|cambi|borr|us|publiqu|env[ií]|guard|instal|elimin|modifiqu)(?:es?|éis|en)|(?:añad|sub|pong|hag)(?:as?|áis|an))',
  pt: 'não (?:me |[oa]s? )?(?:(?:toqu|mud|apagu|us|alter|publiqu|envi|coloqu|adicion|guard|salv|instal|elimin)(?:e[ms]?)|(?:mex|remov|faç|ponh)(?:a[ms]?)|(?:mexe|toca)(?= n))',
  it: 'non (?:l[oaie] )?(?:tocc|cambi|cancell|us|modific|pubblic|invi|aggiung|mett|salv|install|rimuov)(?:are|ere|ate|ete|arl[oaie]|erl[oaie]|atel[oaie])',
  ru: 'не (?:трога|меня|удаля|добавля|использу|показыва|отправля|запуска|публику|записыва|сохраня|дела)(?:й|йте)|не (?:ставь|пиши|клади)(?:те)?',
  ko: '\\p{L}+지 ?(?:마(?:세요|십시오|라|요)?|말(?:아|자|고|도록)\\p{L}*)',
};
