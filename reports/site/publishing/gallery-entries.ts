import { loadSpec } from '../../../contract/document/load-spec.ts';
import { catalogue } from '../../../contract/law/catalogue.ts';
import { explainDocument } from '../../../contract/law/understanding.ts';
import { once } from '../../../contract/reading/once.ts';
import { findDocument, listGallery } from '../../../files/package-files.ts';
import type { GalleryEntry } from '../site-records.ts';

/** Returns the facts of the gallery's documents, by name; read once, since they are those of the package. */
export const galleryEntries: () => readonly GalleryEntry[] = once(() => listGallery().map(describeEntry));

function describeEntry(name: string): GalleryEntry {
  const spec = loadSpec(findDocument(name));
  const { title, server, operations, intervals, groups } = explainDocument(spec, catalogue);
  const info = spec.document.info as unknown as Readonly<Record<string, unknown>>;
  const [operation] = operations;
  return {
    ...{ name, title, summary: String(info.summary) },
    ...{ source: String(info['x-source']), read: String(info['x-read']), server: server ?? '' },
    pools: [info['x-sample-pools']].flat().map(String),
    needsKey: spec.roles.includes('key'),
    lacksIdle: operation?.gaps === 'idle',
    ...(operation?.maxRows !== undefined && { maxRows: operation.maxRows }),
    ...(spec.ratePerMinute !== undefined && { ratePerMinute: spec.ratePerMinute }),
    intervals: intervals.map((interval) => interval.name),
    groups: groups.filter(({ judged }) => judged > 0),
    all: groups.reduce((sum, group) => sum + group.of, 0),
  };
}
