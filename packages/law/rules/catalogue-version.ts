import { hash } from 'node:crypto';
import { catalogue } from './catalogue.ts';

/** Names the law that a verdict was reached by: a digest of what its rules and questions say. */
export const catalogueVersion: string = hash(
  'sha256',
  JSON.stringify([
    catalogue.rules.map(({ id, level, statement, exactly }) => [id, level, statement, exactly]),
    catalogue.questions.map(({ id, question, exactly }) => [id, question, exactly]),
  ]),
).slice(0, 12);
