import type { Run } from '../../contract/judge/verdict.ts';
import { makeVisible } from '../words/escape.ts';
import { baselineEntries, describeAcceptance, type KnownEntry, sortFindings } from '../words/findings.ts';
import { headline, remarks } from '../words/headline.ts';
import { groupUnjudged } from '../words/tally.ts';
import {
  type FilePlace,
  message,
  type SarifLevel,
  type SarifMessage,
  toDescriptor,
  toResult,
} from './sarif/result.ts';

type Notification = {
  readonly level: SarifLevel;
  readonly message: SarifMessage;
  readonly associatedRule?: { readonly id: string; readonly index: number } | undefined;
};

/**
 * A run as SARIF 2.1.0: a result for each finding, shown at `place`, the line of the target in the configuration of
 * the repository that uploads it. An inconclusive run is an unsuccessful invocation.
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
        results: sortFindings(run).map((finding) => toResult(finding, rules, place)),
        properties: runProperties(run),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toInvocation(run: Run): Record<string, unknown> {
  return {
    executionSuccessful: run.verdict !== 'inconclusive',
    startTimeUtc: run.startedAt,
    endTimeUtc: run.finishedAt,
    toolExecutionNotifications: [...unjudged(run), ...open(run), ...changes(run)],
    toolConfigurationNotifications: stale(run),
  };
}

function unjudged({ verdict, reason = 'the target could not be judged' }: Run): Notification[] {
  return verdict === 'inconclusive' ? [{ level: 'error', message: message(`Inconclusive: ${reason}`) }] : [];
}

/** A rule without a result would count as one that holds. */
function open({ rules }: Run): Notification[] {
  return [...groupUnjudged(rules)].flatMap(([reason, all]) =>
    all.map(({ id, outcome }) => ({
      level: 'note' as const,
      message: message(`Not judged (${outcome}): ${id}: ${reason}`),
      associatedRule: reference(id, rules),
    })),
  );
}

function changes({ observations, rules }: Run): Notification[] {
  return observations
    .filter((observation) => observation.changed)
    .map(({ id, question, answer }) => ({
      level: 'note',
      message: message(`Changed: ${question} ${answer}`),
      associatedRule: reference(id, rules),
    }));
}

/** Lists baseline entries that no longer hold. */
function stale(run: Run): Notification[] {
  const tell = (what: string, { fingerprint, ...acceptance }: KnownEntry): Notification => ({
    level: 'warning',
    message: message(`${what}: ${fingerprint.trimEnd()}, accepted ${describeAcceptance(acceptance)}`),
  });
  return [
    ...baselineEntries('expired', run).map((baselineEntry) => tell('Known failing expired', baselineEntry)),
    ...baselineEntries('surprised', run).map((baselineEntry) => tell('Known failing gone', baselineEntry)),
  ];
}

function reference(id: string, rules: Run['rules']): Notification['associatedRule'] {
  return { id: makeVisible(id), index: rules.findIndex((rule) => rule.id === id) };
}

function runProperties(run: Run): Record<string, string | number> {
  const { verdict, target, seed, requests, versions } = run;
  return {
    verdict,
    headline: makeVisible([headline(run), ...remarks(run)].join('. ')),
    baseUrl: makeVisible(target.baseUrl),
    seed,
    requestsSent: requests.sent,
    requestBudget: requests.budget,
    catalogue: versions.catalogue,
    specSha256: makeVisible(versions.specSha256),
  };
}
