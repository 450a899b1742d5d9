import type { Outcome } from '@candleproof/law/judge/verdict';
import { type Badge, badgeSvg } from '@candleproof/monitors/page/badge';
import { clip, embedJson, makeVisible } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { formatShare, verdictOutcome } from '@candleproof/reports/words/tally';
import { compareFile } from './pages/difference-pages.ts';
import { faultsFiles } from './pages/faults-page.ts';
import { indexFiles } from './pages/index-page.ts';
import { loadFile, loadListFile } from './pages/load-pages.ts';
import { monitorListFile, monthFiles } from './pages/month-page.ts';
import { targetFiles } from './pages/target-page.ts';
import { methodFile, type ReadSide, rulesFile } from './pages/text-pages.ts';

import type { RunRecord } from './records.ts';
import type { SiteFile, SiteRecords } from './site-records.ts';
import { type Story, verdictNow } from './story.ts';

/** Yields everything that concerns more than one run: it is little, and only changed files are written. */
export function* commonFiles(records: SiteRecords, read: ReadSide): Generator<SiteFile> {
  yield* indexFiles(records, read);
  for (const story of records.stories) {
    yield* targetFiles(story, records);
    yield* badgeFiles(story);
  }
  yield ['api/rules.json', embedJson({ $schema: 'schema.json', kind: 'rules', rules: records.rules })];
  yield rulesFile(records, read);
  yield* faultsFiles(records);
  yield compareFile(records);
  yield monitorListFile(records);
  yield* monthFiles(records);
  yield loadListFile(records);
  for (const load of records.loads) yield loadFile(load);
  yield methodFile();
}

/** Returns a badge of the newest conclusive run, and of a later inconclusive one; each with its day. */
export function badgeFiles(story: Story): SiteFile[] {
  const badge = targetBadge(story);
  const { slug } = story.target;
  return [
    [`badges/${slug}.svg`, badgeSvg(badge)],
    [`badges/${slug}.json`, embedJson(badge)],
  ];
}

function targetBadge(story: Story): Badge {
  const { target, judged, latest } = story;
  const label = clip(makeVisible(target.name), 20);
  if (!judged) return { schemaVersion: 1, label, message: '? not judged yet', color: 'lightgrey' };
  const verdict = verdictNow(story);
  const { color, sign } = looks[verdictOutcome(verdict, judged.musts)];
  const message =
    verdict === 'inconclusive'
      ? `inconclusive, ${runDay(latest)}`
      : `${verdictText(judged)}, ${runDay(judged)}`;
  return { schemaVersion: 1, label, message: `${sign} ${message}`, color };
}

/** `1 must broken`; a green verdict needs its share of musts to be understood, a red one does not. */
function verdictText({ verdict, musts, notRequested }: RunRecord): string {
  if (musts.failed > 0) return `${plural(musts.failed, 'must')} broken`;
  const left = notRequested === undefined ? '' : `, not requested: ${clip(notRequested, 24)}`;
  return `${verdict}, ${formatShare(musts)}${left}`;
}

type Look = Pick<Badge, 'color'> & { readonly sign: string };

const undecided: Look = { color: 'lightgrey', sign: '?' };

/** Only a whole run without a known failing is green; a sign tells each color from the others without its hue. */
const looks: Readonly<Record<Outcome, Look>> = {
  ...{ passed: { color: 'brightgreen', sign: '✓' }, failed: { color: 'red', sign: '✗' } },
  ...{ known: { color: 'orange', sign: '!' }, surprised: { color: 'orange', sign: '!' } },
  ...{ inconclusive: undecided, unexercised: undecided },
};

function runDay({ startedAt }: RunRecord): string {
  return startedAt.slice(0, 10);
}
