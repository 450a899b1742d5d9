import { createHash } from 'node:crypto';
import type { Finding, RuleResult } from '../../../contract/judge/verdict.ts';
import type { Level } from '../../../contract/law/facts.ts';
import { clip, makeVisible, unicodeEscape } from '../../words/escape.ts';
import { describeAcceptance, describeMismatch, placeName } from '../../words/findings.ts';
import { formatExtent } from '../../words/tally.ts';
import { describeOperation, sectionName } from '../../words/wording.ts';

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
  const ruleIndex = rules.findIndex((rule) => rule.id === finding.rule);
  return {
    ruleId: makeVisible(finding.rule),
    ruleIndex,
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
      ...(recorded !== undefined && { place: makeVisible(recorded) }),
      intermittent,
      replay: makeVisible(replay),
    },
  };
}

/** Its first sentence stands alone where there is little room. */
function sentence(finding: Finding): SarifMessage {
  const { intermittent } = finding;
  const seen = `${formatExtent(finding)}${intermittent ? ', intermittently' : ''}`;
  const reported = describeMismatch(finding);
  return message(
    `${reported.charAt(0).toUpperCase()}${reported.slice(1)}. Seen ${seen} in ${describeOperation(finding).title}, at ${placeName(finding)}.`,
  );
}

/**
 * GitHub tells alerts apart by the hash of their line alone. All findings of a target stand at one line, so they
 * bring that hash themselves, made of what they are.
 */
function fingerprints(fingerprint: string): Result['partialFingerprints'] {
  const hash = createHash('sha256').update(fingerprint).digest('hex').slice(0, 16);
  return { 'candleproof/v1': makeVisible(fingerprint), primaryLocationLineHash: `${hash}:1` };
}

function listSuppressions({ known }: Finding): Suppression[] {
  if (!known) return [];
  return [{ kind: 'external', status: 'accepted', justification: makeVisible(describeAcceptance(known)) }];
}

/** GitHub refuses longer descriptions; longer messages help nobody. */
const longestText = 1000;

export type SarifMessage = { readonly text: string };
/**
 * Text as a SARIF message: braces doubled, so that none is a placeholder, and no `](` that would make a link
 * (SARIF 2.1.0 §3.11.5 and §3.11.6).
 */
export function message(text: string): SarifMessage {
  const inert = clip(makeVisible(text), longestText)
    .replace(/[{}]/g, (brace) => brace + brace)
    .replace(/\]\(/g, `]${unicodeEscape('(')}`);
  return { text: inert };
}

export type SarifLevel = 'error' | 'warning' | 'note';

const sarifLevels: Readonly<Record<Level, SarifLevel>> = {
  must: 'error',
  should: 'warning',
  observe: 'note',
};

/** SARIF's reportingDescriptor: a rule, whatever its outcome. */
export type Descriptor = {
  readonly id: string;
  readonly shortDescription: SarifMessage;
  readonly fullDescription: SarifMessage;
  readonly help: SarifMessage;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: { readonly tags: readonly string[]; readonly section: string };
};

/** The rule as SARIF describes it; nothing in it changes from run to run. */
export function toDescriptor({ id, level, section, statement, why }: RuleResult): Descriptor {
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

/** A line of a file of the repository that uploads the results; the path is relative to the repository's root. */
export type FilePlace = { readonly file: string; readonly line: number };
type LogicalLocation = { readonly name?: string; readonly fullyQualifiedName: string; readonly kind: string };
type ArtifactLocation = { readonly uri: string; readonly uriBaseId?: string };

export type Location = {
  readonly id?: number;
  readonly message?: SarifMessage;
  readonly physicalLocation: {
    readonly artifactLocation: ArtifactLocation;
    readonly region?: { readonly startLine: number; readonly startColumn: number };
  };
  readonly logicalLocations: readonly LogicalLocation[];
};

/** The configuration's usual name: the same file before and after there is one keeps an alert the same alert. */
export const unconfigured: FilePlace = { file: 'candleproof.yaml', line: 1 };
/** The name of the folder that Candleproof lies in, which the results cannot know. */
const home = 'CANDLEPROOF';
/**
 * The place that GitHub shows, which needs a file and a line, and the logical place beside it: operation and pointer.
 */
function locate(finding: Finding, place: FilePlace = unconfigured): Location {
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

/** The operation's place in the document; without a line, since a run knows the document by its hash alone. */
function locateInSpec(finding: Pick<Finding, 'operation' | 'named'>): Location {
  const { operation } = finding;
  const { title } = describeOperation(finding);
  return {
    id: 1,
    physicalLocation: { artifactLocation: { uri: 'openapi.yaml', uriBaseId: home } },
    logicalLocations: [{ name: operation, fullyQualifiedName: specPointer(finding), kind: 'object' }],
    message: message(`The spec of: ${title}`),
  };
}

/** JSON pointer into openapi.yaml: `/paths/~1tokens/get`. */
export function specPointer(finding: Pick<Finding, 'operation' | 'named'>): string {
  const [method = '', path = ''] = describeOperation(finding).request.split(' ');
  return `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;
}

/** A path as a relative URI; SARIF knows neither backslashes nor a leading `./`. */
function toUri(file: string): string {
  const steps = file.split(/[\\/]/).filter((part) => part !== '.');
  return steps.map((step) => encodeURIComponent(step.toWellFormed())).join('/');
}
