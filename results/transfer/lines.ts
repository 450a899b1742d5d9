/** A line that is not blank: its number, from 1, and its text; no text where the line was too long to be kept. */
export type TextLine = { readonly number: number; readonly text: string | undefined };

/** Characters that a line may have: an incident with its evidence has some thousands. */
export const longestLine = 4_000_000;

/** Cuts text into lines as it comes in; no more than one line and one chunk are held at a time. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let number = 0;
  let begun: string | undefined = '';
  for await (const chunk of chunks) {
    const parts = chunk.split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        number++;
        if (begun?.trim() !== '') yield { number, text: begun };
        begun = '';
      }
      begun = begun === undefined || begun.length + part.length > longestLine ? undefined : begun + part;
    }
  }
  if (begun?.trim() !== '') yield { number: number + 1, text: begun };
}
