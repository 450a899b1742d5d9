export type Tone = 'bad' | 'good' | 'doubtful' | 'accent' | 'quiet' | 'strong';

/** Puts a tone on text of our own or on text that is made visible already. */
export type Paint = (tone: Tone, text: string) => string;

const codes: Readonly<Record<Tone, number>> = {
  bad: 31,
  good: 32,
  doubtful: 33,
  accent: 36,
  quiet: 2,
  strong: 1,
};

/** Colours of a terminal, or the bare text where it wants none. */
export function paintIn(colour: boolean): Paint {
  return colour ? (tone, text) => `\u001b[${codes[tone]}m${text}\u001b[0m` : (_, text) => text;
}
