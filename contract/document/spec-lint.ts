import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Document } from 'yaml';
import { parseSpecText } from './load-spec.ts';
import { escapePointer, lineOf } from './place.ts';
import { SpecError } from './spec-error.ts';

type Mistake = { readonly pointer: string; readonly message: string };

/** Beyond the form of the file: what makes it unusable as a contract. */
const lintRules = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-undefined-server-variable': 'error',
  'path-declaration-must-exist': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'no-identical-paths': 'error',
  'security-defined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-enum-type-mismatch': 'error',
  'no-schema-type-mismatch': 'error',
  'no-required-schema-properties-undefined': 'error',
} as const;

/**
 * Refuses a file that is no sound OpenAPI 3.1: throws a SpecError with file, line and what is wrong there. Slow,
 * since it brings two linters along: worth asking once for each content of the file.
 */
export async function lintSpec(file: string): Promise<void> {
  const { document, lines } = parseSpecText(readFileSync(file, 'utf8'), file);
  const mistakes = [
    ...(await ruleMistakes(file)),
    ...(await formMistakes(document)),
    ...patternMistakes(document),
  ];
  const [first] = mistakes
    .map((each) => ({ ...each, line: lineOf(document, lines, each.pointer) }))
    .sort((a, b) => a.line - b.line);
  if (!first) return;
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : '';
  throw new SpecError(`${file}:${first.line}: ${first.message.replace(/\s+/g, ' ')}${more}`);
}

async function ruleMistakes(file: string): Promise<Mistake[]> {
  const config = await createConfig({ rules: lintRules });
  const problems = await lint({ ref: file, config });
  return problems.map(({ message, location: [place] }) => ({
    message,
    pointer: place && 'pointer' in place ? (place.pointer ?? '').replace(/^#/, '') : '',
  }));
}

/** The official meta-schema of OpenAPI sees what rules pass over. */
async function formMistakes(document: Document): Promise<Mistake[]> {
  const { valid, errors } = await new Validator().validate(document.toJS());
  if (valid) return [];
  const all = Array.isArray(errors) ? errors : [{ message: String(errors), instancePath: '' }];
  const deepest = all.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  return deepest
    ? [{ message: deepest.message ?? 'not of the form of OpenAPI 3.1', pointer: deepest.instancePath }]
    : [];
}

function patternMistakes(document: Document): Mistake[] {
  const mistakes: Mistake[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      const place = `${pointer}/${escapePointer(name)}`;
      if (name === 'pattern' && typeof value === 'string' && !isPattern(value)) {
        mistakes.push({ pointer: place, message: `${value} is no regular expression` });
      }
      visit(value, place);
    }
  };
  visit(document.toJS(), '');
  return mistakes;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
