import { expect, test } from '@playwright/test';
import { hostile } from '../testing/hostile.ts';
import { largeRun } from '../testing/large-run.ts';
import { inconclusiveRun, inTwoPlaces, sampleRun } from '../testing/sample-run.ts';
import { findCauses } from '../words/causes.ts';
import { renderAnnotations, renderCodeQuality } from './annotations.ts';

const place = { file: 'deploy/a,b.yaml', line: 7 };

test('every unknown cause is one command at the line of its target', () => {
  const lines = renderAnnotations(sampleRun, place).trimEnd().split('\n');
  const unknown = findCauses(sampleRun).filter(({ findings: [{ finding }] }) => !finding.known);
  expect(lines).toHaveLength(unknown.length);
  for (const line of lines)
    expect(line).toMatch(/^::(error|warning) file=deploy\/a%2Cb\.yaml,line=7,title=(must|should) \S+::./);
});

test('no text of a target ends a command or begins another', () => {
  const [finding] = sampleRun.findings;
  if (!finding) throw new Error('the sample has a finding');
  const run = {
    ...sampleRun,
    findings: [{ ...finding, actual: `100%\n::error::x\r${hostile.markdown}${hostile.ansi}` }],
  };
  const text = renderAnnotations(run);
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text).toMatch(/^::error title=/);
  expect(text).toContain('100%25');
});

test('a run that decided nothing is an error with its reason', () => {
  expect(renderAnnotations({ ...inconclusiveRun, findings: [] })).toMatch(
    /^::error title=Inconclusive::.+\n$/,
  );
});

test('code quality names rule, place and severity of every unknown finding', () => {
  const issues = JSON.parse(renderCodeQuality(sampleRun, place));
  const unknown = sampleRun.findings.filter(({ known }) => !known);
  expect(issues).toHaveLength(unknown.length);
  expect(issues[0]).toEqual({
    description: expect.stringMatching(/^GET \/.* at .*: expected /),
    check_name: expect.stringMatching(/^\w+\/[\w-]+$/),
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    severity: 'critical',
    location: { path: place.file, lines: { begin: 7 } },
  });
  expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(
    issues.length,
  );
});

test('places of one cause are one annotation, and more than GitHub shows are counted in the last one', () => {
  expect(renderAnnotations(inTwoPlaces).trimEnd().split('\n')).toEqual([
    expect.stringMatching(/; also finding 2$/),
  ]);
  const shown = renderAnnotations(largeRun(100)).trimEnd().split('\n');
  expect(shown).toHaveLength(10);
  expect(shown.at(-1)).toMatch(/^::error title=\d+ more causes::/);
});
