import { fileURLToPath } from 'node:url';
import type { Document } from 'yaml';
import { type FormFile, type Mistake, readForm } from '../../conformance/forms/form-file.ts';
import { type Baseline, isSameFailing } from '../../contract/judge/baseline.ts';

/** A baseline as its file has it; the document keeps its comments for anyone who writes it again. */
export type BaselineFile = { readonly baseline: Baseline; readonly document: Document };

type Content = Pick<Baseline, 'target' | 'catalogue'> & Partial<Pick<Baseline, 'known' | 'observations'>>;

export const baselineSchema = fileURLToPath(new URL('../../contract/baseline.schema.json', import.meta.url));

/** Reads a baseline, YAML or JSON; throws a UsageError with file, line and mend for one that is not to be used. */
export function parseBaseline(text: string, file: string): BaselineFile {
  const form = readForm(text, file, '--baseline', baselineSchema);
  const { known = [], observations = {}, target, catalogue } = form.content as Content;
  form.refuse(repeats(known, form));
  return { baseline: { target, catalogue, known, observations }, document: form.document };
}

/** Two entries for one failing could contradict each other. */
function repeats(known: Baseline['known'], { lineOf }: FormFile): Mistake[] {
  const names = known.map((each) => each.fingerprint);
  return names.flatMap((name, index) => {
    const first = names.findIndex((other) => isSameFailing(other, name));
    if (first === index) return [];
    const above = lineOf(['known', String(first), 'fingerprint']);
    const path = ['known', String(index), 'fingerprint'];
    return [{ path, message: `"${name}" stands on line ${above} already: keep one of them` }];
  });
}
