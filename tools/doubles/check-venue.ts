import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkApi } from '@candleproof/command/check-api';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import type { DoubleWorld } from './double.ts';
import type { DoubleFault } from './faults.ts';
import { openVenue } from './open-venue.ts';
import type { Venue } from './venue.ts';

const exits = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const;

/** Checks a venue's double by a document, which is given as text. */
export async function checkVenue(
  venue: Venue,
  document: string,
  world: DoubleWorld,
  fault?: DoubleFault,
  flags: readonly string[] = [],
): Promise<Run> {
  const folder = test.info().outputPath(`${world.opensAt.slice(0, 10)} ${fault?.name ?? 'healthy'}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, document);
  const double = await openVenue(venue, world, fault);
  try {
    const { ca, pools } = double;
    const baseUrl = `${double.url}${readBasePath(document)}`;
    const key = venue.key && { key: venue.key.value };
    const target = { baseUrl, ca, pools, document: file, flags, ...key };
    const { code, stdout, stderr, run } = await checkApi(target, folder);
    if (!run) throw new Error(`the check ended with ${code}: ${stdout}${stderr}`);
    expect(code, stdout).toBe(exits[run.verdict]);
    return run;
  } finally {
    double.close();
  }
}

/** Reads the path below the host of a document's server. */
export function readBasePath(document: string): string {
  return /^ {2}- url: https:\/\/[^/\s]+(\S*)/m.exec(document)?.[1] ?? '';
}

/** Returns the findings of a run, for a test that expects none. */
export function listFindings({ findings }: Run) {
  return findings.map(({ rule, pointer, expected, actual }) => ({ rule, pointer, expected, actual }));
}
