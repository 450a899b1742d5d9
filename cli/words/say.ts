import { foldedText } from '../../reports/words/folded.ts';

/** Prints text for people: on a terminal folded to its columns, in a pipe as it is. */
export function say(text: string): void {
  process.stdout.write(foldedText(text, process.stdout.columns ?? Infinity));
}
