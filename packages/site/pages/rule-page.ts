import type { Finding, Outcome } from '@candleproof/law/judge/verdict';
import { curlLines } from '@candleproof/reports/formats/bug-report';
import type { Kill, KillMatrix } from '@candleproof/reports/kill-matrix/facts';
import { describeCondition } from '@candleproof/reports/kill-matrix/kill-matrix-words';
import { describeSmallest } from '@candleproof/reports/kill-matrix/proofs';
import { section } from '@candleproof/reports/run/table';
import { plural } from '@candleproof/reports/words/counts';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { describeOperation, sectionName } from '@candleproof/reports/words/wording';
import { faultsPath, findingAnchor, hasPage, rulePath, runPath, siteName } from '../paths.ts';
import type { RunRecord } from '../records.ts';
import { findProof, type RuleRecord, type SiteFile, type SiteRecords } from '../site-records.ts';
import { type Failing, findFailing, type Story } from '../story.ts';
import type { Side } from './difference-part.ts';
import { dayStrip, type GridFrame, gridFrame, runGrid } from './runs-over-time.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';

/** Reads a published run again; only runs that failed a rule are read. */
export type ReadSide = (slug: string, id: string) => Side;

type Framed = { readonly story: Story; readonly frame: GridFrame };
type Fared = Framed & { readonly failing: Failing | undefined };

const longestText = 1000;

type Shared = {
  readonly records: SiteRecords;
  readonly read: ReadSide;
  readonly framed: readonly Framed[];
  readonly matrix: KillMatrix | undefined;
};

/**
 * Returns the rules with the sections that all targets share: a rule that documents of several APIs place under their
 * own headings has its group instead.
 */
export function shareSections({ rules, stories }: SiteRecords, read: ReadSide): RuleRecord[] {
  const sections = new Map<string, Set<string>>();
  for (const { target, judged, latest } of stories)
    for (const { id, section } of read(target.slug, (judged ?? latest).id).run.rules)
      sections.set(id, (sections.get(id) ?? new Set()).add(section));
  return rules.map((rule) => {
    const [group = ''] = rule.id.split('/');
    return (sections.get(rule.id)?.size ?? 0) > 1 ? { ...rule, section: group } : rule;
  });
}

/** Yields a page for every rule, and the same as JSON. */
export function* rulesFiles(records: SiteRecords, read: ReadSide): Generator<SiteFile> {
  const root = rootFrom(rulePath('group/name'));
  const framed = records.stories.map((story) => ({ story, frame: gridFrame(story, root, records.now) }));
  const [newest] = records.matrices;
  const matrix = newest && findProof(records, newest.matrix.versions.catalogue)?.matrix;
  for (const rule of records.rules)
    if (hasPage(rule.id)) yield* ruleFiles(rule, { records, read, framed, matrix });
}

/** Returns the page to link in an issue: the rule, its reason, its proof, and every target's record. */
function ruleFiles(rule: RuleRecord, { records, read, framed, matrix }: Shared): SiteFile[] {
  const path = rulePath(rule.id);
  const root = rootFrom(path);
  const json = `api/rules/${rule.id}.json`;
  const fared = framed
    .filter(({ story }) => [...story.outcomes.values()].some((outcome) => outcome.has(rule.id)))
    .map((target) => ({ ...target, failing: findFailing(rule.id, target.story) }));
  const sample = findSample(rule.id, fared, read);
  const page = sitePage({
    path,
    title: `${rule.id}: ${rule.statement}`,
    crumb: rule.id,
    above: [['Rules', 'rules/']],
    json,
    header: plainHead(`Candleproof · ${rule.level}, ${sectionName(rule.section)}`, rule.id, [
      clip(rule.statement, longestText),
      fared.length > 0 &&
        rule.level !== 'observe' &&
        `${fared.filter(({ failing }) => failing?.since).length} of ${plural(fared.length, 'target')} fail it now.`,
      markup`<span class="why">${clip(rule.why, longestText)}</span>`,
    ]),
    main: markup`${rule.level === 'observe' ? answersPart(rule.id, records, read, root) : targetsPart(rule.id, fared, root)}${sample && samplePart(sample, root)}${matrix && proofPart(rule.id, matrix, root)}`,
  });
  return [page, [json, embedJson(ruleRecord(rule, fared, matrix))]];
}

function targetsPart(rule: string, fared: readonly Fared[], root: string): Markup {
  return section(
    'targets',
    'Results by target',
    fared.map((target) => targetPart(rule, target, root)),
  );
}

/**
 * Renders a target: when it failed, its days on the common axis of all targets, and each run with links to its
 * findings.
 */
function targetPart(rule: string, { story, failing, frame }: Fared, root: string): Markup {
  const name = clip(story.target.name, 80);
  const findOutcome = ({ id }: RunRecord): Outcome | undefined => story.outcomes.get(id)?.get(rule)?.outcome;
  return markup`<h3><a href="${root}t/${story.target.slug}/">${name}</a></h3><p>${failingLine(rule, story, failing, root)}</p>
${dayStrip(frame.days, findOutcome, `Days of ${name}`)}<details><summary>Run by run</summary>${runGrid(`Runs of ${name}`, frame, [{ rule, story, head: markup`${name}` }])}</details>`;
}

function answersPart(id: string, { stories }: SiteRecords, read: ReadSide, root: string): Markup {
  const lines = stories.flatMap(({ target: { slug, name }, judged }) => {
    const answer =
      judged && read(slug, judged.id).run.observations.find((observation) => observation.id === id)?.answer;
    if (!judged || answer === undefined) return [];
    return [
      markup`<div><dt><a href="${root}t/${slug}/">${clip(name, 80)}</a></dt><dd><b>${clip(answer, longestText)}</b> <a href="${root}${runPath(slug, judged.id)}#observations">${judged.startedAt.slice(0, 10)}</a></dd></div>`,
    ];
  });
  return markup`<section id="targets" aria-labelledby="targets-title"><h2 id="targets-title">What targets answer</h2>
<p class="lead">The document leaves this open: none is right or wrong.</p>${lines.length > 0 ? markup`<dl class="facts">${lines}</dl>` : markup`<p>No newest run has an answer.</p>`}</section>`;
}

function failingLine(rule: string, { target }: Story, failing: Failing | undefined, root: string): Markup {
  if (!failing) return markup`No run has found it broken.`;
  const { first, last, since } = failing;
  const at = (run: typeof first): Markup => {
    const found = run.findings.find((finding) => finding.rule === rule);
    return markup`<a href="${root}${runPath(target.slug, run.id)}${found ? `#${encodeURI(findingAnchor(found.fingerprint))}` : ''}">${run.startedAt.slice(0, 10)}</a>`;
  };
  return markup`First failed ${at(first)}; ${since ? markup`fails since ${at(since)}` : markup`failed last ${at(last)}, and passed since`}.`;
}

type Sample = { readonly finding: Finding; readonly side: Side };

function findSample(rule: string, fared: readonly Fared[], read: ReadSide): Sample | undefined {
  const failed = fared.flatMap(({ story, failing }) =>
    failing ? [{ slug: story.target.slug, run: failing.last }] : [],
  );
  const [newest] = failed.sort((a, b) => (a.run.startedAt < b.run.startedAt ? 1 : -1));
  if (!newest) return undefined;
  const side = read(newest.slug, newest.run.id);
  const finding = side.run.findings.find((finding) => finding.rule === rule);
  return finding && { finding, side };
}

function samplePart({ finding, side }: Sample, root: string): Markup {
  const { expected, actual, fingerprint } = finding;
  return markup`<section id="sample" aria-labelledby="sample-title"><h2 id="sample-title">A request that showed it</h2>
<p class="lead"><a href="${root}${runPath(side.slug, side.id)}#${encodeURI(findingAnchor(fingerprint))}">Found on ${side.run.startedAt.slice(0, 10)} at ${clip(siteName(side.run.target), 80)}</a>: ${describeOperation(finding).title}, <code>${describeOperation(finding).request}</code></p>
<dl class="versus"><div><dt>Expected</dt><dd>${clip(expected, 400)}</dd></div><div class="actual"><dt>Actual</dt><dd>${clip(actual, 400)}</dd></div></dl>
${curlLines(finding, side.run).map((curlLine) => markup`<pre class="command">${clip(curlLine, 4000)}</pre>`)}</section>`;
}

function proofPart(rule: string, matrix: KillMatrix, root: string): Markup {
  const kills = provedBy(rule, matrix);
  const silent = matrix.rules?.find((matrixRule) => matrixRule.id === rule && matrixRule.faults.length === 0);
  const { catalogue } = matrix.versions;
  return markup`<section id="proof" aria-labelledby="proof-title"><h2 id="proof-title">What proves it</h2>
${kills.length > 0 ? markup`<p class="lead">Each of these faults, switched on alone in the reference service, triggered this rule.</p><ul class="change-list">${kills.map((kill) => markup`<li><a href="${root}${faultsPath(catalogue)}#${kill.number}">${kill.number}</a> ${clip(kill.title, longestText)} <span class="reason">${describeCondition(kill)}${limitText(kill, rule)}</span></li>`)}</ul>` : markup`<p class="lead">No fault triggered it${silent?.reason !== undefined && `: ${clip(silent.reason, longestText)}`}. Its own tests prove it.</p>`}</section>`;
}

function provedBy(rule: string, { kills }: KillMatrix): Kill[] {
  return kills.filter(({ foundBy }) => foundBy.some((witness) => witness.id === rule));
}

/** Words the size from which the rule itself is known to detect a fault. */
function limitText({ limit }: Kill, rule: string): string {
  const isSeen = limit?.smallest != null && limit.foundBy.some((witness) => witness.id === rule);
  const { smallest, unit } = limit ?? {};
  return isSeen && smallest != null && unit !== undefined ? `, ${describeSmallest({ smallest, unit })}` : '';
}

function ruleRecord(rule: RuleRecord, fared: readonly Fared[], matrix: KillMatrix | undefined): object {
  return {
    $schema: '../../schema.json',
    kind: 'rule',
    ...rule,
    faults: matrix ? provedBy(rule.id, matrix).map(({ number }) => number) : [],
    targets: fared.map(({ story: { target }, failing }) => ({
      target: target.slug,
      ...(failing && { firstFailed: failing.first.id, lastFailed: failing.last.id }),
      ...(failing?.since && { failingSince: failing.since.id }),
    })),
  };
}
