const LEADS_IN =
  "ok(?:ay)?|good|great|perfect|excellent|alright|right|now|first|next|then|so|and|also|finally|to start|gut|also|jetzt|nun|zuerst|dann|danach|zunächst|bien|bon|maintenant|d[’']abord|ensuite|puis|vale|bueno|ahora|primero|luego|bom|agora|primeiro|depois|bene|ora|adesso|prima|poi|хорошо|так|теперь|сначала|сейчас|затем|далее|먼저|이제|그럼";

/** Says what its speaker is going to do, in the ten languages of the cues; a reason or a finding may stand behind it. */
const INTENDS = new RegExp(
  [
    `^(?:(?:${LEADS_IN})[,.!:]? ){0,3}(?:${[
      "let me(?! know)|let['’]s|let us|i['’]ll|i will|i['’]m going to|i am going to|i['’]m about to|i need to|i want to|my (?:\\p{L}+ )*(?:next )?(?:step|task|move) is",
      'lass mich|(?:ich (?!habe|hatte|glaube|denke|sehe|finde|würde|könnte|wurde|brauche|empfehle|vermute)\\p{L}+e|(?:schaue|prüfe|lese|suche|starte|führe|mache|teste|baue|lege|füge|passe|werde) ich)(?= )|schauen wir|als nächstes',
      'je vais|on va|laisse[zr]?-moi|je (?:vérifie|regarde|lis|cherche|lance|modifie|crée|ajoute|corrige|commence|remplace|passe|mets|teste)|(?:voy|regard|commenç|vérifi|lanç)ons',
      'voy a|vamos a|déjame|veamos|(?:reviso|miro|compruebo|ejecuto|busco|leo|añado|creo|corrijo|cambio) (?:ahora|primero|el|la|los|las|si)',
      'vou|vamos|deixe-me|deixa-me|(?:verifico|procuro|leio|executo|corrijo|adiciono) (?:agora|primeiro|o|a|os|as|se)',
      'vado a|andiamo a|fammi|lasciami|vediamo|(?:controllo|verifico|leggo|cerco|eseguo|modifico|aggiungo|creo|correggo) (?:ora|prima|il|la|lo|i|le|gli|se)',
      'давай(?:те)?|буду|(?!вижу|думаю|полагаю|считаю|могу|хочу|знаю|рекомендую|предлагаю|советую|пока|почему)\\p{L}{3,}(?:ю|у)',
    ].join('|')})(?![\\p{L}])`,
    '(?:겠습니다|겠어요|게요)[.!]?$',
    '^(?:好的?|首先|现在|接下来|然后|下一步)?[，,：:]?(?:让我|我来|我先|我们先|我现在|我将|我会|我要|我去|开始)',
    '(?<!でき|あり|なり|おり|れ|わかり|分かり|思い|違い|見え|[てでがはも]い)ます。?$|ましょう。?$',
  ].join('|'),
  'iu',
);

export function intends(sentence: string): boolean {
  return INTENDS.test(sentence);
}
