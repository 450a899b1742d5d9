import { createHash } from 'node:crypto';
import { escapePointer } from '@candleproof/document/spec/place';
import type { Finding, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { capitalize } from '@candleproof/law/reading/words';
import type { Level } from '@candleproof/law/rules/facts';
import { findCauses, headlineWithCause } from '../words/causes.ts';
import { clip, makeVisible, unicodeEscape } from '../words/escape.ts';
import {
  baselineEntries,
  describeAcceptance,
  describeMismatch,
  firstCandle,
  formatExtent,
  type KnownEntry,
  placeName,
} from '../words/finding-words.ts';
import { remarks } from '../words/headline.ts';
import { groupUnjudged } from '../words/tally.ts';
import { describeOperation, outcomeWords, sectionName } from '../words/wording.ts';
import { type FilePlace, unconfigured } from './annotations.ts';

/**
 * Renders a run as SARIF 2.1.0: a result for each finding, shown at `place`, the line of the target in the
 * configuration of the repository that uploads it. An inconclusive run is an unsuccessful invocation.
 */
export function renderSarif(run: Run, place?: FilePlace): string {
  const { target, versions, rules } = run;
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'candleproof',
            version: makeVisible(versions.candleproof),
            rules: rules.map(toDescriptor),
          },
        },
        automationDetails: { id: makeVisible(`candleproof/${target.name}/`) },
        invocations: [toInvocation(run)],
        columnKind: 'utf16CodeUnits',
        results: run.findings.map((finding) => toResult(finding, rules, place)),
        properties: runProperties(run),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toInvocation(run: Run) {
  const { verdict, reason = 'the target could not be judged', observations, rules } = run;
  const changed = observations.filter((observation) => observation.changed);
  return {
    executionSuccessful: verdict !== 'inconclusive',
    startTimeUtc: run.startedAt,
    endTimeUtc: run.finishedAt,
    toolExecutionNotifications: [
      ...(verdict === 'inconclusive'
        ? [{ level: 'error', message: message(`Inconclusive: ${reason}`) }]
        : []),
      ...[...groupUnjudged(rules)].flatMap(([reason, all]) =>
        all.map(({ id, outcome }) =>
          note(`Not judged (${outcomeWords[outcome]}): ${id}: ${reason}`, id, rules),
        ),
      ),
      ...changed.map(({ id, question, answer }) => note(`Changed: ${question} ${answer}`, id, rules)),
    ],
    toolConfigurationNotifications: [
      ...baselineEntries('expired', run).map((entry) => warnOfEntry('Known failing expired', entry)),
      ...baselineEntries('surprised', run).map((entry) => warnOfEntry('Known failing gone', entry)),
    ],
  };
}

function note(text: string, rule: string, rules: readonly RuleResult[]) {
  const index = rules.findIndex(({ id }) => id === rule);
  return { level: 'note', message: message(text), associatedRule: { id: makeVisible(rule), index } };
}

function warnOfEntry(what: string, { fingerprint, ...acceptance }: KnownEntry) {
  const text = `${what}: ${fingerprint.trimEnd()}, accepted ${describeAcceptance(acceptance)}`;
  return { level: 'warning', message: message(text) };
}

function runProperties(run: Run) {
  const { verdict, target, seed, requests, versions } = run;
  return {
    verdict,
    headline: makeVisible([headlineWithCause(run, findCauses(run)), ...remarks(run)].join('. ')),
    baseUrl: makeVisible(target.baseUrl),
    seed,
    requestsSent: requests.sent,
    requestBudget: requests.budget,
    catalogue: versions.catalogue,
    specSha256: makeVisible(versions.specSha256),
  };
}

/** Converts a finding to a SARIF result; a finding in the baseline is suppressed. */
function toResult(finding: Finding, rules: readonly RuleResult[], place?: FilePlace) {
  const { operation, count, fingerprint, exchange, intermittent, replay, place: recorded } = finding;
  return {
    ruleId: makeVisible(finding.rule),
    ruleIndex: rules.findIndex((rule) => rule.id === finding.rule),
    level: sarifLevels[finding.level],
    message: sentence(finding),
    locations: [locate(finding, place)],
    relatedLocations: [locateInSpec(finding)],
    occurrenceCount: count,
    partialFingerprints: fingerprints(fingerprint),
    suppressions: listSuppressions(finding),
    properties: {
      operation,
      exchange,
      ...(finding.address !== undefined && { address: makeVisible(finding.address) }),
      ...(recorded !== undefined && { place: makeVisible(recorded) }),
      intermittent,
      replay: makeVisible(replay),
    },
  };
}

/** Words a finding; GitHub shows only the first sentence if space is short. */
function sentence(finding: Finding) {
  const { intermittent } = finding;
  const seen = `${formatExtent(finding)}${intermittent ? ', intermittently' : ''}`;
  const reported = describeMismatch(finding);
  return message(
    `${capitalize(reported)}. Seen ${seen} in ${describeOperation(finding).title}, at ${placeName(finding)}${firstCandle(finding)}.`,
  );
}

/**
 * Returns the fingerprint of a finding. GitHub otherwise tells alerts apart by a hash of their line, and all findings
 * of a target share one line.
 */
function fingerprints(fingerprint: string) {
  const hash = createHash('sha256').update(fingerprint).digest('hex').slice(0, 16);
  return { 'candleproof/v1': makeVisible(fingerprint), primaryLocationLineHash: `${hash}:1` };
}

function listSuppressions({ known }: Finding) {
  if (!known) return [];
  return [{ kind: 'external', status: 'accepted', justification: makeVisible(describeAcceptance(known)) }];
}

/** GitHub rejects longer descriptions; longer messages help no one. */
const longestText = 1000;

/**
 * Escapes text for a SARIF message: doubles braces, so that none is a placeholder, and breaks `](`, which would make a
 * link (SARIF 2.1.0 §3.11.5 and §3.11.6).
 */
function message(text: string) {
  const inert = clip(makeVisible(text), longestText)
    .replace(/[{}]/g, (brace) => brace + brace)
    .replace(/\]\(/g, `]${unicodeEscape('(')}`);
  return { text: inert };
}

const sarifLevels: Readonly<Record<Level, string>> = { must: 'error', should: 'warning', observe: 'note' };

/** Returns SARIF's reportingDescriptor of a rule; nothing in it changes from run to run. */
function toDescriptor({ id, level, section, statement, why }: RuleResult) {
  const [group = ''] = id.split('/');
  return {
    id: makeVisible(id),
    shortDescription: message(statement),
    fullDescription: message(why || statement),
    help: message(`${sectionName(section)}: ${statement} ${why}`),
    defaultConfiguration: { level: sarifLevels[level] },
    properties: { tags: [makeVisible(group), level], section },
  };
}

/** The base id of Candleproof's folder, whose path the results cannot know. */
const home = 'CANDLEPROOF';

/** Returns the place that GitHub shows, which needs a file and a line, and the logical place: operation and pointer. */
function locate(finding: Finding, place: FilePlace = unconfigured) {
  const { operation, pointer } = finding;
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(place.file) },
      region: { startLine: Math.max(1, place.line), startColumn: 1 },
    },
    logicalLocations: [
      { name: operation, fullyQualifiedName: makeVisible(`${operation}#${pointer}`), kind: 'value' },
    ],
    message: message(`${describeOperation(finding).request} at ${placeName(finding)}`),
  };
}

/** Returns the operation's place in the document; without a line, since a run knows the document only by its hash. */
function locateInSpec(finding: Pick<Finding, 'operation' | 'named'>) {
  return {
    id: 1,
    physicalLocation: { artifactLocation: { uri: 'openapi.yaml', uriBaseId: home } },
    logicalLocations: [{ name: finding.operation, fullyQualifiedName: specPointer(finding), kind: 'object' }],
    message: message(`The spec of: ${describeOperation(finding).title}`),
  };
}

/** Returns a JSON pointer into openapi.yaml: `/paths/~1tokens/get`. */
export function specPointer(finding: Pick<Finding, 'operation' | 'named'>): string {
  const [method = '', path = ''] = describeOperation(finding).request.split(' ');
  return `/paths/${escapePointer(path)}/${method.toLowerCase()}`;
}

/** Converts a path to a relative URI; SARIF allows neither backslashes nor a leading `./`. */
function toUri(file: string): string {
  const steps = file.split(/[\\/]/).filter((part) => part !== '.');
  return steps.map((step) => encodeURIComponent(step.toWellFormed())).join('/');
}
