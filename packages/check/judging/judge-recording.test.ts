import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Spec } from '@candleproof/document/spec/spec';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { applicableLaw } from '@candleproof/law/rules/law-of';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { judgeRecording, readRecordings } from './judge-recording.ts';

const ours = readFileSync('openapi.yaml', 'utf8');

/** Loads a text as a document, with the overlays. */
function load(text: string, ...overlays: string[]): Spec {
  const file = test.info().outputPath('openapi.yaml');
  mkdirSync(test.info().outputPath(), { recursive: true });
  writeFileSync(file, text);
  return loadSpec(file, overlays);
}

/** Judges a recording with faults and one without by a document. */
function outcomes(spec: Spec): unknown {
  return ['mitmproxy-f31', 'mitmproxy'].map((name) => {
    const given = { files: [`tests/fixtures/${name}.har`] };
    const { run } = judgeRecording(spec, readRecordings(spec, given), { law: catalogue, given });
    const findings = run.findings.map(({ replay, ...finding }) => finding);
    return { verdict: run.verdict, rules: run.rules, findings, observations: run.observations };
  });
}

const bare = JSON.stringify(parse(ours), (name, part) => (/^x-(?!ratelimit)/.test(name) ? undefined : part));

const forms: Readonly<Record<string, () => Spec>> = {
  'in OpenAPI 3.0': () => load(ours.replace('openapi: 3.1.1', 'openapi: 3.0.3')),
  'in OpenAPI 3.2': () => load(ours.replace('openapi: 3.1.1', 'openapi: 3.2.0')),
  'without roles, and with an overlay of them': () =>
    load(bare, 'packages/document/spec/testing/roles.overlay.yaml'),
};

for (const [form, read] of Object.entries(forms)) {
  test(`our document ${form} means the same rules and outcomes`, () => {
    const [ours, other] = [loadSpec('openapi.yaml'), read()];
    expect(other.isOurs).toBe(true);
    expect(other.roles).toEqual(ours.roles);
    expect(applicableLaw(other, catalogue)).toEqual(applicableLaw(ours, catalogue));
    expect(outcomes(other)).toEqual(outcomes(ours));
  });
}
