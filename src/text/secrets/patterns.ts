/** A form of secret that the scanner's recommended rules do not look for, or only in certain kinds of files. */
interface Pattern {
  /** What it is called in its placeholder. */
  readonly kind: string;
  readonly form: RegExp;
}

const token = (kind: string, form: string): Pattern => ({
  kind,
  form: new RegExp(`(?<![A-Za-z0-9_])(?:${form})(?![A-Za-z0-9_])`, 'g'),
});

/** Names of settings with a private value. */
const SECRET_NAME =
  '(?:secret|token|passwd|password|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)';

/**
 * In transcripts secrets stand in the middle of sentences, in outputs of commands and inside of JSON, so forms are recognised
 * alone and by the name before them. A value that a name gives away has to look made, not written: with a digit.
 */
export const PATTERNS: readonly Pattern[] = [
  {
    kind: 'private-key',
    form: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  token('aws', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  token('google', 'AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}'),
  token('openai', 'sk-(?:proj|svcacct|admin|or-v1)-[\\w-]{20,}|sk-[A-Za-z0-9]{32,}'),
  token('anthropic', 'sk-ant-[\\w-]{20,}'),
  token('xai', 'xai-[A-Za-z0-9]{40,}'),
  token('huggingface', '(?:hf|api_org)_[A-Za-z0-9]{30,}'),
  token('replicate', 'r8_[A-Za-z0-9]{30,}'),
  token('perplexity', 'pplx-[A-Za-z0-9]{30,}'),
  token('github', 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{40,}'),
  token('gitlab', 'gl(?:pat|ptt|dt|rt|cbt|soat)-[\\w-]{20,}'),
  token('slack', 'xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{20,}'),
  token('1password', 'ops_[\\w-]{80,}'),
  token('digitalocean', 'do[opr]_v1_[a-f0-9]{60,}'),
  token('telegram', '\\d{8,10}:A[\\w-]{32,}'),
  token('twilio', '(?:SK|AC)[a-f0-9]{32}'),
  token('mailgun', 'key-[a-f0-9]{32}'),
  token('pypi', 'pypi-[\\w-]{50,}'),
  token('rubygems', 'rubygems_[a-f0-9]{40,}'),
  token('notion', '(?:ntn|secret)_[A-Za-z0-9]{40,}'),
  token('vercel', 'vercel_[A-Za-z0-9_]{20,}|vc[pkiar]_[A-Za-z0-9]{20,}'),
  token('netlify', 'nfp_[A-Za-z0-9]{36,}'),
  token('supabase', 'sb[ps]_[a-z0-9_]{36,}|sb_secret_[\\w-]{20,}'),
  token('sentry', 'sntry[su]_[\\w=-]{40,}'),
  token('stripe', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,}'),
  token('square', 'EAAA[\\w-]{56,}|sq0[a-z]{3}-[\\w-]{22,}'),
  token('age', 'AGE-SECRET-KEY-1[A-Z0-9]{50,}'),
  token('jwt', 'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{16,}'),
  { kind: 'azure', form: /(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%]{40,}={0,2}/g },
  { kind: 'authorization', form: /(?<=\b(?:bearer|basic)\s+)(?=\S*\d)[\w.~+/=-]{16,}/gi },
  { kind: 'url', form: /(?<=[a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s:/@"<>]{4,}(?=@[\w.-])/gi },
  {
    kind: 'setting',
    form: new RegExp(
      `(?<=(?:\\b|_)${SECRET_NAME}(?:_\\w{1,20})?\\s{0,3}["']?\\s{0,3}(?:=|:|=>)\\s{0,3}["']?)(?![$<{*])(?=[^\\s"']*\\d)[^\\s"',;<>{}()\\[\\]\\\\]{8,}`,
      'gi',
    ),
  },
];
