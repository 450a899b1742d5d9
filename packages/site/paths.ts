import type { Run } from '@candleproof/law/judge/verdict';

/** Returns the address of a rule in the list of all, below the site's root. */
export function rulePath(rule: string): string {
  return `rules/#${ruleAnchor(rule)}`;
}

/** The picture that a chat shows for a link to the site. */
export const coverPath = 'assets/cover.png';

/** Returns the path of a run below the site's root. */
export function runPath(target: string, run: string): string {
  return `t/${target}/runs/${run}/`;
}

/** Returns the path of an exchange of a run. */
export function exchangePath(target: string, run: string, exchange: number): string {
  return `${runPath(target, run)}exchanges/${exchange}/`;
}

/** Returns the path of the proof of a catalogue. */
export function faultsPath(catalogue: string): string {
  return `faults/${catalogue}/`;
}

/** Returns the anchor of a rule in the page of a run, and in the list of all. */
export function ruleAnchor(rule: string): string {
  return `rule/${anchorText(rule)}`;
}

/** Returns the anchor of a finding: its fingerprint with `+` for a space. */
export function findingAnchor(fingerprint: string): string {
  return `finding/${anchorText(fingerprint.trimEnd())}`;
}

const longestAnchor = 160;

/** Converts a text to an id: characters that an id or an address does not allow are replaced by a checksum. */
function anchorText(text: string): string {
  const spaced = text.replaceAll(' ', '+');
  const safe = spaced.slice(0, longestAnchor).replace(/[^A-Za-z0-9/*+_.:-]/g, '_');
  return safe === spaced ? safe : `${safe}.${hashText(text)}`;
}

/** Hashes a text with FNV-1a; for distinguishing texts only. */
function hashText(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns the name under which the site lists a target. A run without a given name has that of its host; targets that
 * differ by port only must not share it.
 */
export function siteName({ name, baseUrl }: Pick<Run['target'], 'name' | 'baseUrl'>): string {
  const address = URL.parse(baseUrl);
  return address && address.hostname === name ? address.host : name;
}
