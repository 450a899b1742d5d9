import { embedJson } from '../words/escape.ts';
import { compareFile } from './compare-page.ts';
import { faultsFiles } from './faults-page.ts';
import { indexFiles } from './index-page.ts';
import { loadFile, loadListFile } from './load-pages.ts';
import { methodFile } from './method-page.ts';
import { monitorListFile } from './month-list.ts';
import { monthFiles } from './month-page.ts';
import { type ReadSide, rulesFiles } from './rule-page.ts';
import { rulesFile } from './rules-page.ts';
import { badgeFiles } from './site-badge.ts';
import type { SiteFile, SiteRecords } from './site-records.ts';
import { targetFiles } from './target-page.ts';

/** Everything that is about more than one run, anew: it is little, and only what became other is written. */
export function* commonFiles(records: SiteRecords, read: ReadSide): Generator<SiteFile> {
  yield* indexFiles(records);
  for (const story of records.stories) {
    yield* targetFiles(story, records);
    yield* badgeFiles(story);
  }
  yield* rulesFiles(records, read);
  yield ['api/rules.json', embedJson({ $schema: 'schema.json', kind: 'rules', rules: records.rules })];
  yield rulesFile(records);
  yield* faultsFiles(records);
  yield compareFile(records);
  yield monitorListFile(records);
  yield* monthFiles(records);
  yield loadListFile(records);
  for (const each of records.loads) yield loadFile(each);
  yield methodFile();
}
