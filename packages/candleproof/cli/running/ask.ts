import { createInterface } from 'node:readline/promises';

/** Asks a question on a terminal, and returns the answer; undefined where nobody can answer, as in a pipeline. */
export async function ask(
  question: string,
  { input = process.stdin, output = process.stderr }: Partial<Terminal> = {},
): Promise<string | undefined> {
  if (!input.isTTY) return undefined;
  const lines = createInterface({ input, output });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};
