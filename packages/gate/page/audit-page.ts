import { stamp } from '@candleproof/document/spec/interval';
import { banner, factsLine } from '@candleproof/reports/run/marks';
import { contentLinks, page } from '@candleproof/reports/run/page';
import { nameCell, numberCell, proseTableStyles, section, wideTable } from '@candleproof/reports/run/table';
import { plural } from '@candleproof/reports/words/counts';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { Audit } from '../audit/audit.ts';
import { type Alike, describeSuspicion, describeTimes, describeVerdict, groupAlike } from './audit-text.ts';

const verdicts = { bad: 'nonconformant', doubtful: 'inconclusive', good: 'conformant' } as const;
const words = { bad: 'Damaged', doubtful: 'Not decided', good: 'Sound' } as const;

/** Entries that the page lists; damage.ndjson has all ranges. */
const mostShown = 500;

/**
 * Renders an audit as one HTML file: no script, no external request, every text of the target escaped. The element with
 * the id `audit` holds the result as JSON, without its ranges.
 */
export function auditPage(audit: Audit, version: string): string {
  const { damage, ...value } = audit;
  const groups = groupAlike(damage);
  const [, verdict] = describeVerdict(audit);
  return page({
    title: `${verdict}: ${audit.target.name} · Candleproof`,
    kind: 'audit',
    contents: contentLinks([
      ['#damage', damage.length, damage.length === 1 ? 'range' : 'ranges'],
      ['#method', undefined, 'Method'],
    ]),
    header: header(audit),
    main: markup`${section('damage', 'Ranges to leave out', list(groups))}${section('method', 'Method', markup`<p>All ranges are in <code>damage.ndjson</code>, all answers in <code>exchanges.har</code>, which <code>npx candleproof judge</code> reads. Candleproof ${version}.</p>`)}`,
    embedded: { id: 'audit', value },
    moreStyles: proseTableStyles,
  });
}

function header(audit: Audit): Markup {
  const { target, range, pools, requests, candles, divided, trouble } = audit;
  const [tone, verdict] = describeVerdict(audit);
  const facts = [
    markup`<b>${target.name}</b> <span class="url">${target.baseUrl}</span>`,
    `pools ${pools.join(', ')}`,
    `${stamp(range.from)} to ${stamp(range.to)}`,
    `${plural(candles, 'closed row')} in ${plural(requests.sent, 'request')}`,
  ];
  const remarks = [
    ...(divided.length > 0 ? [`Not given in one answer: ${divided.join(', ')}`] : []),
    trouble,
  ];
  const lines = markup`${factsLine(facts)}${remarks.map((remark) => remark !== undefined && markup`<p class="remark">${remark}.</p>`)}`;
  return markup`<header class="page-head">${banner(verdicts[tone], words[tone], verdict.replace(/^\W+/, ''), lines)}</header>`;
}

function list(groups: readonly Alike[]): Markup {
  if (groups.length === 0) return markup`<p>None: nothing that was read is damaged.</p>`;
  const rest = groups.slice(mostShown).flat().length;
  const rows = groups.slice(0, mostShown).map((alike) => {
    const [first] = alike;
    const found = [...describeSuspicion(first), first.detail].filter(Boolean).join(': ');
    return [
      nameCell(`${first.pool} ${first.interval}`),
      first.kind,
      describeTimes(alike),
      numberCell(alike.length),
      markup`${found}${first.rules.map((rule) => markup` <code>${rule}</code>`)}`,
    ];
  });
  return markup`${wideTable({ caption: 'Ranges', heads: ['Pool', 'What', 'When', 'Ranges', 'Why'], rows })}${rest > 0 && markup`<p>and ${plural(rest, 'more range')} in damage.ndjson.</p>`}`;
}
