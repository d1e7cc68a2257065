import fc from 'fast-check';

// Secrets in the forms that services give them, made up anew each time.

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const HEX = '0123456789abcdef';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The form with `core`, the part that must not be found anywhere. */
type Form = readonly [length: number, alphabet: string, form: (core: string) => string];

export const FORMS: Readonly<Record<string, Form>> = {
  'AWS key': [16, BASE32, (core) => `AKIA${core}`],
  'AWS secret': [40, LETTERS, (core) => `AWS_SECRET_ACCESS_KEY=${core}`],
  'AWS credentials file': [40, LETTERS, (core) => `aws_secret_access_key = "1${core.slice(1)}"`],
  'GitHub classic': [36, LETTERS, (core) => `ghp_${core}`],
  'GitHub app': [36, LETTERS, (core) => `ghs_${core}`],
  'GitHub fine-grained': [59, LETTERS, (core) => `github_pat_11ABCDEFG0123456789abc_${core}`],
  GitLab: [20, LETTERS, (core) => `glpat-${core}`],
  npm: [36, LETTERS, (core) => `npm_${core}`],
  'npm file': [36, LETTERS, (core) => `//registry.npmjs.org/:_authToken=npm_${core}`],
  Slack: [24, LETTERS, (core) => `xoxb-123456789012-123456789012-${core}`],
  'Slack hook': [24, LETTERS, (core) => `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${core}`],
  SendGrid: [43, LETTERS, (core) => `SG.abcdefghijklmnopqrstuv.${core}`],
  'OpenAI project': [40, LETTERS, (core) => `sk-proj-${core}`],
  'OpenAI old': [20, LETTERS, (core) => `sk-ABCDEFGHIJKLMNOPQRSTT3BlbkFJ${core}`],
  Anthropic: [93, LETTERS, (core) => `sk-ant-api03-${core}AA`],
  Google: [35, LETTERS, (core) => `AIza${core}`],
  Stripe: [24, LETTERS, (core) => `sk_live_${core}`],
  'Stripe restricted': [24, LETTERS, (core) => `rk_live_${core}`],
  Twilio: [32, HEX, (core) => `SK${core}`],
  'address with a password': [16, LETTERS, (core) => `https://bob:${core}@example.com/x`],
  Postgres: [16, LETTERS, (core) => `postgres://app:${core}@db.example.com:5432/app`],
  MySQL: [16, LETTERS, (core) => `mysql://root:${core}@localhost:3306/shop`],
  MongoDB: [16, LETTERS, (core) => `mongodb+srv://app:${core}@cluster0.example.net/shop`],
  'private key': [
    64,
    LETTERS,
    (core) => `-----BEGIN RSA PRIVATE KEY-----\n${core}\n${core}\n-----END RSA PRIVATE KEY-----`,
  ],
  JWT: [43, LETTERS, (core) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${core}`],
  'Hugging Face': [34, LETTERS, (core) => `hf_${core}`],
  Shopify: [32, HEX, (core) => `shpat_${core}`],
  Linear: [40, LETTERS, (core) => `lin_api_${core}`],
  DigitalOcean: [64, HEX, (core) => `dop_v1_${core}`],
  Telegram: [33, LETTERS, (core) => `123456789:AA${core}`],
  PyPI: [60, LETTERS, (core) => `pypi-AgEIcHlwaS5vcmc${core}`],
  Docker: [27, LETTERS, (core) => `dckr_pat_${core}`],
  Figma: [40, LETTERS, (core) => `figd_${core}`],
  Notion: [46, LETTERS, (core) => `ntn_${core}`],
  Databricks: [32, HEX, (core) => `dapi${core}`],
  Azure: [86, LETTERS, (core) => `AccountKey=${core}==`],
  age: [58, BASE32, (core) => `AGE-SECRET-KEY-1${core}`],
  xAI: [80, LETTERS, (core) => `xai-${core}`],
  Groq: [52, LETTERS, (core) => `gsk_${core}`],
  'setting of a name': [16, LETTERS, (core) => `DB_PASSWORD=7${core.slice(1)}`],
  'header of a request': [40, LETTERS, (core) => `Authorization: Bearer 7${core.slice(1)}`],
};

export interface Planted {
  readonly form: string;
  readonly secret: string;
  /** The end of it, which must be nowhere. */
  readonly core: string;
}

/** Any of the forms, with a random inside. */
export const planted: fc.Arbitrary<Planted> = fc.constantFrom(...Object.keys(FORMS)).chain((form) => {
  const [length, alphabet, make] = FORMS[form]!;
  return (
    fc
      .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
      .map((letters) => {
        const core = letters.join('');
        return { form, secret: make(core), core: core.slice(-Math.min(14, length - 1)) };
      })
      // A secret of one letter is none, and its end would be found everywhere.
      .filter(({ core }) => new Set(core).size > 4)
  );
});

/** Places in a transcript where a secret may stand. */
export const PLACES: Readonly<Record<string, (secret: string) => string>> = {
  'in a sentence': (secret) => `Use ${secret} for it.`,
  'on a line of its own': (secret) => `export\n${secret}\ndone`,
  'behind a tab': (secret) => `key:\t${secret}\t(old)`,
  'in quotes': (secret) => `{"value": "${secret}"}`,
  'in JSON inside of JSON': (secret) => JSON.stringify({ output: `line\n${secret}\nline` }),
};
