import type { Finding } from '../../../contract/judge/verdict.ts';
import { visible } from '../../words/escape.ts';
import { placeOf } from '../../words/finding-text.ts';
import { operationWords } from '../../words/wording.ts';
import { message, type SarifMessage } from './message.ts';

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
const unconfigured: FilePlace = { file: 'candleproof.yaml', line: 1 };

/** The name of the folder that Candleproof lies in, which the results cannot know. */
const home = 'CANDLEPROOF';

/** Where GitHub shows a finding, which wants a file and a line, and beside it what it is about: operation and pointer. */
export function locate(finding: Finding, place: FilePlace = unconfigured): Location {
  const { operation, pointer } = finding;
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(place.file) },
      region: { startLine: Math.max(1, place.line), startColumn: 1 },
    },
    logicalLocations: [
      { name: operation, fullyQualifiedName: visible(`${operation}#${pointer}`), kind: 'value' },
    ],
    message: message(`${operationWords(finding).request} at ${placeOf(finding)}`),
  };
}

/** Where the operation stands in the spec; without a line, since a run knows the spec by its hash alone. */
export function locateInSpec(finding: Pick<Finding, 'operation' | 'named'>): Location {
  const { operation } = finding;
  const { title } = operationWords(finding);
  return {
    id: 1,
    physicalLocation: { artifactLocation: { uri: 'openapi.yaml', uriBaseId: home } },
    logicalLocations: [{ name: operation, fullyQualifiedName: specPointer(finding), kind: 'object' }],
    message: message(`The spec of: ${title}`),
  };
}

/** JSON pointer into openapi.yaml: `/paths/~1tokens/get`. */
export function specPointer(finding: Pick<Finding, 'operation' | 'named'>): string {
  const [method = '', path = ''] = operationWords(finding).request.split(' ');
  return `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;
}

/** A path as a relative URI; SARIF knows neither backslashes nor a leading `./`. */
function toUri(file: string): string {
  const steps = file.split(/[\\/]/).filter((each) => each !== '.');
  return steps.map((each) => encodeURIComponent(each.toWellFormed())).join('/');
}
