import { foldText } from '../../reports/words/terminal-text.ts';

/** Prints text for people: on a terminal folded to its columns, in a pipe as it is. */
export function say(text: string): void {
  process.stdout.write(foldText(text, process.stdout.columns ?? Infinity));
}
