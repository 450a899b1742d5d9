import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JudgedFiles, judgeRecording, readRecordings } from '@candleproof/check/judging/judge-recording';
import { checkTarget } from '@candleproof/check/target/check-target';
import { describeEmbedded } from '@candleproof/check/target/target';
import { toHar } from '@candleproof/client/har/har';
import { type Shape, shapes } from '@candleproof/client/testing/har-shapes';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Run } from '@candleproof/law/judge/verdict';
import type { Recording } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { startEmbedded } from '@candleproof/reference-service/embedded';
import { expect, test } from '@playwright/test';

const spec = loadSpec('openapi.yaml');

/** Records a check of the embedded service with these faults. */
async function recorded(faults: readonly string[]): Promise<Recording> {
  const service = await startEmbedded({ faults });
  const options = { timeout: 10_000, seed: 1, law: catalogue, faults };
  const { recording } = await checkTarget(describeEmbedded(service, spec), options).finally(service.close);
  return recording;
}

let healthy: Recording;
let broken: Recording;

test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  [healthy, broken] = [await recorded([]), await recorded(['F31'])];
});

function judged(file: string, flags: Omit<JudgedFiles, 'files'> = {}): Run {
  const given = { ...flags, files: [file] };
  const read = readRecordings(spec, given);
  const { run, recording } = judgeRecording(spec, read, { law: catalogue, given, baseline: undefined });
  const again = write('again.har', [...toHar(recording, '1')].join(''));
  const judged = { files: [again] };
  const second = judgeRecording(spec, readRecordings(spec, judged), {
    law: catalogue,
    given: judged,
    baseline: undefined,
  });
  const outcomes = ({ rules }: Run) => rules.map(({ id, outcome, evidence }) => [id, outcome, evidence]);
  expect(outcomes(second.run)).toEqual(outcomes(run));
  return run;
}

function write(name: string, text: string): string {
  const file = test.info().outputPath(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function recordedBy({ file }: Shape, recording: Recording): string {
  return write('recorded.har', JSON.stringify(file(recording)));
}

const seen = ({ verdict, reason, findings, target }: Run) => ({
  ...{ verdict, reason, baseUrl: target.baseUrl },
  found: findings.map((finding) => `${finding.fingerprint} ${finding.place}: ${finding.actual}`),
});

for (const shape of shapes) {
  test(`the healthy service is not accused as ${shape.name} records it`, () => {
    const run = judged(recordedBy(shape, healthy));
    expect(seen(run)).toMatchObject({ found: [], baseUrl: healthy.target.baseUrl });
    expect(run.verdict).toBe(shape.keepsBodies ? 'conformant' : 'inconclusive');
    if (!shape.keepsBodies) {
      expect(run.reason).toBe('this recording holds no bodies; record it with embedded content');
    }
  });
}

for (const shape of shapes.filter((shape) => shape.keepsBodies)) {
  test(`averages that were never divided are found as ${shape.name} records them`, () => {
    const run = judged(recordedBy(shape, broken));
    expect(run.verdict).toBe('nonconformant');
    expect(run.findings.map((finding) => finding.rule)).toContain('candle/average-is-within-range');
    expect(run.findings[0]?.place).toMatch(/^log\.entries\[\d+\]$/);
  });
}
