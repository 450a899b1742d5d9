import { createHash } from 'node:crypto';
import type { Finding, RuleResult } from '../../../contract/judge/verdict.ts';
import { visible } from '../../words/escape.ts';
import { inOneLine, placeOf } from '../../words/finding-text.ts';
import { acceptanceInWords } from '../../words/standing.ts';
import { seenInWords } from '../../words/tally.ts';
import { operationWords } from '../../words/wording.ts';
import { message, type SarifMessage } from './message.ts';
import { type FilePlace, type Location, locate, locateInSpec } from './place.ts';
import { type SarifLevel, sarifLevels } from './rule.ts';

type Suppression = { readonly kind: 'external'; readonly status: 'accepted'; readonly justification: string };

export type Result = {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: SarifMessage;
  readonly locations: readonly Location[];
  readonly relatedLocations: readonly Location[];
  readonly occurrenceCount: number;
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions: readonly Suppression[];
  readonly properties: Readonly<Record<string, string | number | boolean>>;
};

/** A finding as a SARIF result: what the baseline knows is reported, and suppressed. */
export function toResult(finding: Finding, rules: readonly RuleResult[], place?: FilePlace): Result {
  const { operation, count, fingerprint, exchange, intermittent, replay, place: recorded } = finding;
  const ruleIndex = rules.findIndex((each) => each.id === finding.rule);
  return {
    ruleId: visible(finding.rule),
    ruleIndex,
    level: sarifLevels[finding.level],
    message: sentence(finding),
    locations: [locate(finding, place)],
    relatedLocations: [locateInSpec(finding)],
    occurrenceCount: count,
    partialFingerprints: fingerprints(fingerprint),
    suppressions: suppressionsOf(finding),
    properties: {
      operation,
      exchange,
      ...(recorded !== undefined && { place: visible(recorded) }),
      intermittent,
      replay: visible(replay),
    },
  };
}

/** Its first sentence stands alone where there is little room. */
function sentence(finding: Finding): SarifMessage {
  const { intermittent } = finding;
  const seen = `${seenInWords(finding)}${intermittent ? ', intermittently' : ''}`;
  const reported = inOneLine(finding);
  return message(
    `${reported.charAt(0).toUpperCase()}${reported.slice(1)}. Seen ${seen} in ${operationWords(finding).title}, at ${placeOf(finding)}.`,
  );
}

/**
 * GitHub tells alerts apart by the hash of their line alone. All findings of a target stand at one line, so they
 * bring that hash themselves, made of what they are.
 */
function fingerprints(fingerprint: string): Result['partialFingerprints'] {
  const hash = createHash('sha256').update(fingerprint).digest('hex').slice(0, 16);
  return { 'candleproof/v1': visible(fingerprint), primaryLocationLineHash: `${hash}:1` };
}

function suppressionsOf({ known }: Finding): Suppression[] {
  if (!known) return [];
  return [{ kind: 'external', status: 'accepted', justification: visible(acceptanceInWords(known)) }];
}
