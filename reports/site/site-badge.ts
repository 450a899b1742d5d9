import { type Badge, badgeSvg } from '../formats/badge.ts';
import { clip, embedJson, visible } from '../words/escape.ts';
import { plural } from '../words/tally.ts';
import type { SiteFile } from './site-records.ts';
import type { Story } from './story.ts';

/** A badge of the newest run that came to a verdict; it says of when, and by which edition. */
export function badgeFiles(story: Story): SiteFile[] {
  const badge = badgeOf(story);
  const { slug } = story.target;
  return [
    [`badges/${slug}.svg`, badgeSvg(badge)],
    [`badges/${slug}.json`, embedJson(badge)],
  ];
}

function badgeOf({ target, judged, outcomes }: Story): Badge {
  const label = `${clip(visible(target.name), 40)} conformance`;
  if (!judged) return { schemaVersion: 1, label, message: 'not judged yet', color: 'lightgrey' };
  const failed = [...(outcomes.get(judged.id)?.values() ?? [])].filter(
    ({ level, outcome }) => level === 'must' && outcome === 'failed',
  ).length;
  const what = failed > 0 ? `${plural(failed, 'must')} broken` : judged.verdict;
  const message = `${what}, ${judged.startedAt.slice(0, 10)}, edition ${judged.versions.catalogue}`;
  return { schemaVersion: 1, label, message, color: judged.verdict === 'conformant' ? 'brightgreen' : 'red' };
}
