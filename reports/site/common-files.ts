import { embedJson } from '../words/escape.ts';
import { compareFile } from './pages/compare-page.ts';
import { faultsFiles } from './pages/faults-page.ts';
import { galleryFiles } from './pages/gallery-page.ts';
import { indexFiles } from './pages/index-page.ts';
import { loadFile, loadListFile } from './pages/load-pages.ts';
import { methodFile } from './pages/method-page.ts';
import { monitorListFile, monthFiles } from './pages/month-page.ts';
import { type ReadSide, rulesFiles } from './pages/rule-page.ts';
import { rulesFile } from './pages/rules-page.ts';
import { targetFiles } from './pages/target-page.ts';
import { badgeFiles } from './site-badge.ts';
import type { SiteFile, SiteRecords } from './site-records.ts';

/** Everything that is about more than one run, anew: it is little, and only what became other is written. */
export function* commonFiles(records: SiteRecords, read: ReadSide): Generator<SiteFile> {
  yield* indexFiles(records, read);
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
  for (const load of records.loads) yield loadFile(load);
  yield* galleryFiles(records);
  yield methodFile();
}
