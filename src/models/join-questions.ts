import type { Prompt } from './language-model.ts';

type UserMessage = Extract<Prompt[number], { role: 'user' }>;

/**
 * The prompt with user messages that follow each other as one. Chat templates of many servers (Mistral, Gemma, older Llama in
 * llama.cpp or vLLM) refuse a request whose roles do not alternate; records, recall and the question are separate messages.
 */
export function joinQuestions(prompt: Prompt): Prompt {
  const joined: Prompt = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    if (message.role === 'user' && last?.role === 'user') joined[joined.length - 1] = join(last, message);
    else joined.push(message);
  }
  return joined;
}

/** Texts become one text: where nothing else is in a message, some servers take no list of parts. */
function join(one: UserMessage, other: UserMessage): UserMessage {
  const last = one.content.at(-1);
  const [first, ...rest] = other.content;
  const content =
    last?.type === 'text' && first?.type === 'text'
      ? [...one.content.slice(0, -1), { ...last, text: `${last.text}\n\n${first.text}` }, ...rest]
      : [...one.content, ...other.content];
  return { ...one, content };
}
