/** What keys look like, in bodies, headers and addresses that providers like to repeat. */
const KEYS: readonly RegExp[] = [
  /\bsk-[\w*.-]{6,}/g,
  /\b(?:AIza|AQ\.|gsk_|xai-|hf_|nvapi-|pplx-|csk-)[\w*-]{8,}/g,
  /(?<=\bBearer\s+)[\w.~+/=*-]{6,}/gi,
  /(?<=[?&](?:key|api_key|api-key|access_token)=)[^&\s"']+/gi,
];

/** Text that may be shown and logged. */
export function hideKeys(text: string): string {
  return KEYS.reduce((hidden, pattern) => hidden.replace(pattern, '[key]'), text);
}
