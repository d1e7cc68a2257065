const SCHEMES = ['http:', 'https:', 'mailto:'];

/** Where a link may lead: the web and mail. Whatever else a message asks for stays text. */
export function safeLink(address: string): string | undefined {
  // Browsers skip these when they read a scheme, so that "java\nscript:" would run.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the characters looked for.
  if (/[\u0000-\u0020\u007f]/.test(address)) return undefined;
  try {
    return SCHEMES.includes(new URL(address).protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
