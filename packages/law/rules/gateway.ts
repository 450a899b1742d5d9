import { headerValues } from '../reading/exchange.ts';
import { oncePer } from '../reading/once.ts';
import { isWholeQuota } from '../reading/quota.ts';
import { type Answer, hasOtherMethod, headersNamed } from '../reading/reading.ts';
import { parseStrictly } from '../reading/strict-json.ts';
import type { Evidence } from '../relations/evidence.ts';

/** Codes with which a front server answers for an unreachable service; those from 520 on are of delivery networks. */
const codes: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530];
/** Returns whether a front server answered for an unreachable service. */
export function isIntermediary(status: number): boolean {
  return codes.includes(status);
}

const hasSuccess = oncePer(({ answers }: Evidence) => answers.some(({ success }) => success));

/** Returns whether a 404 may come from another service than the API: nothing was found under this base URL. */
export function isOutsideApi({ status }: Answer, evidence: Evidence): boolean {
  return status === 404 && !hasSuccess(evidence);
}

/** The reason for leaving a 404 of such a service undecided. */
export const outsideApi = 'nothing answers under this base URL (404)';

/** Returns why nothing in the evidence shows the API, so that a refusal may be anyone's; undefined if something does. */
export function explainHiddenApi({ status = 0 }: Answer, evidence: Evidence): string | undefined {
  if (hasSuccess(evidence) || showsCounters(evidence)) return undefined;
  if (status === 404) return outsideApi;
  if (status === 401 || status === 403) return 'no request was let in (401 or 403)';
  return `nothing shows that the API answered (${status})`;
}

const showsCounters = oncePer((evidence: Evidence) =>
  evidence.answers.some((answer) => hasCounter(answer, evidence)),
);

/** Returns whether an answer has at least one of the API's own headers, those of the quota. */
function hasCounter({ headers = [] }: Answer, { spec }: Evidence): boolean {
  return Object.values(spec.quota).some((name) => headerValues(headers, name).length > 0);
}

/**
 * Returns whether a refusal or redirect was made in front of the API, by a gateway, a firewall or a balancer: it lacks
 * headers of the API, and its body has another form than the refusals that are the API's own. One without headers in the
 * form of the API's own is the API's: it forgot them.
 */
export function isOfGateway(answer: Answer, evidence: Evidence): boolean {
  if (!isRefusal(answer) || isWholeQuota(answer.quota)) return false;
  return !formsOfApi(evidence).has(nameForm(answer));
}

/** Returns whether an answer refuses a request or leads elsewhere; a 304 is neither. */
export function isRefusal({ complete, headers, status = 0 }: Answer): boolean {
  return complete && headers !== undefined && status >= 300 && status !== 304;
}

/** Returns whether a request is one for an operation: other paths and methods are answered by what they meet first. */
export function isOfOperation(answer: Answer): boolean {
  return answer.requested !== undefined && !hasOtherMethod(answer);
}

/**
 * Lists the forms of the API's own refusals of operations: of those with all of its headers, else with some. Where none has any, they are
 * refusals of parameters to the run's key, in JSON as the API writes it: only what reads parameters can refuse them.
 */
const formsOfApi = oncePer((evidence: Evidence): ReadonlySet<string> => {
  const refusals = evidence.answers.filter((answer) => isRefusal(answer) && isOfOperation(answer));
  const whole = refusals.filter(({ quota }) => isWholeQuota(quota));
  const some = refusals.filter((answer) => hasCounter(answer, evidence));
  const labels = new Set(evidence.answers.filter(({ success }) => success).map(nameLabel));
  const read = refusals.filter((answer) => isOfParameters(answer) && isLabelled(answer, labels));
  const [telling = []] = [whole, some, read].filter(({ length }) => length > 0);
  return new Set(telling.flatMap((answer) => [nameForm(answer), nameLabel(answer)]));
});

function isOfParameters(answer: Answer): boolean {
  const { credential } = answer.exchange.request;
  const isOurs = credential === 'api-key' || credential === 'unknown';
  const isRead = [400, 404, 422].includes(answer.status ?? 0);
  return isOurs && isRead;
}

/** Returns whether a refusal is labelled as the API labels its JSON, or as problem details (RFC 9457). */
function isLabelled(answer: Answer, labels: ReadonlySet<string>): boolean {
  const label = nameLabel(answer);
  return labels.has(label) || label.startsWith('application/problem+json');
}

/** Names the form of a body by its label and its members, of which programs of different makers have different ones. */
function nameForm(answer: Answer): string {
  const { body } = answer;
  const label = nameLabel(answer);
  if (!body) return label;
  const parsed = body.text === '' ? undefined : parseStrictly(body.text);
  if (!parsed || !('value' in parsed)) return `${label} ${parsed ? 'text' : 'empty'}`;
  const { value } = parsed;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return `${label} ${isObject ? JSON.stringify(Object.keys(value).sort()) : 'value'}`;
}

/** Returns the media type with its parameters, without blanks. */
function nameLabel(answer: Answer): string {
  const [label = ''] = headersNamed(answer, 'content-type') ?? [];
  return label.toLowerCase().replace(/\s+/g, '');
}
