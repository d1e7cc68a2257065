import { lineWords } from '../../summary/index.ts';
import { plainText } from '../../text/index.ts';

/** Words that say who agreed, that they did and how: the rest names the subject. */
const FRAME =
  /(?<!\p{L})(?:the|users?|customers?|clients?|human|operator|owner|they|you|your|their|he|she|i|we|me|my|our|us|it|that|this|so|please|now|also|then|just|really|explicitly|clearly|already|finally|can|could|may|might|will|would|shall|should|must|do|does|did|done|not|no|any|all|by|from|at|as|if|or|but|per|via|into|about|after|before|approv\p{L}*|agre(?:e|ed|es|ement|eing)|confirm\p{L}*|authori[sz]\p{L}*|allow\p{L}*|permi(?:t|ts|tted|ssion|ssions)|consent\p{L}*|sign(?:ed|s|ing)?(?: |-)?off|green(?: |-)?li(?:ght|t)|go(?: |-)ahead|grant\p{L}*|accept(?:ed|s)?|oka?y?(?:ed|['’]d)?|fine|happy|good|great|perfect|yes|yep|yeah|sure|said|says|answered|replied|asked|asks|requested|wants?|wanted|told|instruct\p{L}*|order(?:ed|s)?|request|wish|gave|give[ns]?|got|received|obtained|thumbs(?: |-)up|objections?|object|go|went|ahead|proceed|let['’]?s|cleared|der|die|das|den|dem|des|ein|eine|einen|hat|haben|wurde|ist|zu|von|vom|für|mit|und|benutzer\p{L}*|nutzer\p{L}*|anwender\p{L}*|kunde\p{L}*|genehmig\p{L}*|zugestimmt|zustimm\p{L}*|stimmt\p{L}*|bestätig\p{L}*|erlaub\p{L}*|freigegeben|freigabe|einverstanden|gebilligt|autorisier\p{L}*|bitte|ja|le|la|les|un|une|de|du|l|d|a|ont|été|par|que|pour|utilisat\p{L}*|client\p{L}*|approuv\p{L}*|autoris\p{L}*|valid\p{L}*|confirm\p{L}*|accord|oui|el|los|las|una|del|ha|han|al|por|para|usuari\p{L}*|cliente\p{L}*|aprob\p{L}*|autoriz\p{L}*|acept\p{L}*|sí|vale|gebeten|bat|bittet|verlangt\p{L}*|möchte|will|wollte|wünscht\p{L}*|angewiesen|beauftragt|demand\p{L}*|veut|voulait|souhait\p{L}*|exig\p{L}*|pidió|pide|pedido|solicit\p{L}*|quiere|quería|desea|dijo|whether|what|why|how|when|where|which)(?!\p{L})|用户|客户|使用者|批准|同意|授权|允许|确认|许可|可以|要求|想要|希望|请求|指示|命令|让|已经?|的|了|请|把|将|对|ユーザー?|利用者|お客様|承認|許可|同意|了承|承諾|確認|しました|された|されました|しています|する|して|から|依頼|要求|求め|について|ください|사용자\p{L}*|승인\p{L}*|동의\p{L}*/giu;

/** Particles of Japanese stand between words and mean nothing alone. */
const PARTICLES = new Set('はがをにのでとへもやたてすしるまれいう'.split(''));

/** What a text is about: its words, without those about the agreement and its person. */
export function contentOf(text: string): ReadonlySet<string> {
  const words = lineWords(withoutFrame(text));
  return new Set([...words].filter((word) => !PARTICLES.has(word)));
}

/** The text in the form that texts are compared in, without its words of agreement. */
export function withoutFrame(text: string): string {
  return plainText(text).replace(FRAME, ' ');
}

const PREFIX = 5;

/** How many of the words are among the others, whatever their endings: "deleting" is "deletion". */
export function countShared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let beginnings: Set<string> | undefined;
  let count = 0;
  for (const word of words) {
    if (others.has(word)) {
      count++;
      continue;
    }
    if (word.length < PREFIX || /\d/.test(word)) continue;
    beginnings ??= new Set([...others].map((other) => other.slice(0, PREFIX)));
    if (beginnings.has(word.slice(0, PREFIX))) count++;
  }
  return count;
}
