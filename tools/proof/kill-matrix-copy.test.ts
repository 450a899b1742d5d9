import { readFileSync } from 'node:fs';
import { rules } from '@candleproof/law/rules/catalogue';
import { FAULTS } from '@candleproof/reference-service/faults/registry';
import { UNBUILT } from '@candleproof/reference-service/faults/unbuilt';
import { isFoundAsClaimed, type Witness } from '@candleproof/reports/kill-matrix/facts';
import { expect, test } from '@playwright/test';
import { listClaims } from 'candleproof/kill-matrix/kill-matrix';

/** A rule in the proofs of run pages. */
type KeptProof = {
  readonly number: string;
  readonly id: string;
  readonly foundBy: readonly string[];
  readonly limit?: { readonly smallest: number; readonly rule: string };
};

const proofs: readonly KeptProof[] = JSON.parse(readFileSync('reports/kill-matrix/proofs.json', 'utf8'));
const page = readFileSync('docs/kill-matrix.md', 'utf8');
const again = 'run: npx candleproof serve faults, and copy kill-matrix.md to docs';

/** Returns the cells of a section's table, row by row. */
function rowsUnder(title: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

const named = ({ number, id }: { readonly number?: string; readonly id: string }): string =>
  number === undefined ? `\`${id}\`` : `${number} \`${id}\``;

const shown = FAULTS.filter((fault) => fault.shows !== 'many samples');

test('docs/kill-matrix.md lists the faults of the catalogue', () => {
  expect(
    rowsUnder('Faults')
      .map(([name]) => name)
      .toSorted(),
    again,
  ).toEqual(shown.map(named).toSorted());
  const withSizes = shown.filter((fault) => fault.sizes).map(named);
  expect(
    rowsUnder('Limits of detection')
      .map(([name]) => name)
      .toSorted(),
    again,
  ).toEqual(withSizes.toSorted());
});

test('docs/kill-matrix.md lists the blind spots of the catalogue', () => {
  const blind = [...UNBUILT, ...FAULTS.filter((fault) => fault.shows === 'many samples')].map(named);
  expect(
    rowsUnder('Blind spots')
      .map(([name]) => name)
      .toSorted(),
    again,
  ).toEqual(blind.toSorted());
});

test('every fault of docs/kill-matrix.md is found by the rules it breaks', () => {
  const rows = new Map(
    rowsUnder('Faults').map(([name = '', , , found = '']) => [name, readWitnesses(found)]),
  );
  const unproven = shown.filter(
    (fault) => !isFoundAsClaimed({ breaks: listClaims(fault), foundBy: rows.get(named(fault)) ?? [] }),
  );
  expect(unproven.map(named), again).toEqual([]);
});

test('proofs.json agrees with docs/kill-matrix.md', () => {
  const copy = 'run: npx candleproof serve faults, and copy proofs.json to reports/kill-matrix';
  const listIds = (cell = ''): string[] => readWitnesses(cell).map(({ id }) => id);
  const found = rowsUnder('Faults').map(([name, , , by]) => [name, listIds(by)]);
  expect(
    proofs.map((proof) => [named(proof), proof.foundBy]),
    copy,
  ).toEqual(found);
  const limits = rowsUnder('Limits of detection').map(([name, size, , , by]) => [
    name,
    Number(size),
    ...listIds(by),
  ]);
  const kept = proofs.flatMap(({ limit, ...rest }) =>
    limit ? [[named(rest), limit.smallest, limit.rule]] : [],
  );
  expect(kept, copy).toEqual(limits);
});

test('every must and should has a fault that it finds, or a reason', () => {
  const listed = rowsUnder('Rules that no fault triggers').map(([name = '', , reason]) => [name, reason]);
  const withoutFault = rules.filter((rule) => rule.noFaultReason !== undefined);
  expect(listed, again).toEqual(withoutFault.map(({ id, noFaultReason: reason }) => [`\`${id}\``, reason]));
  const triggered = /^- (\d+) of (\d+) rules of must and should were triggered/m
    .exec(page)
    ?.slice(1)
    .map(Number);
  expect(triggered, again).toEqual([rules.length - withoutFault.length, rules.length]);
});

test('docs/kill-matrix.md has no finding of a healthy service and no durations', () => {
  expect(page).toMatch(/^- 0 of (\d+) healthy runs accused: at most \d+ % at 95 % confidence$/m);
  expect(page).not.toMatch(/\d ms\b/);
});

function readWitnesses(cell: string): Witness[] {
  if (cell.includes('not found')) return [];
  return [...cell.matchAll(/`([^`]+)` (must|should|observe)/g)].map(([, id = '', level = '']) => ({
    id,
    level: level as Witness['level'],
  }));
}
