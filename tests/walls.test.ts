import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';

const config = resolve('.dependency-cruiser.json');
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

/** For each wall, an import that must not pass it. */
const breaches: Record<string, [from: string, to: string, isValue?: true]> = {
  'no-cycles': ['contract/there.ts', 'contract/back.ts'],
  'contract-knows-nobody': ['contract/a.ts', 'http/b.ts'],
  'contract-is-pure': ['contract/a.ts', 'node:http'],
  'document-knows-no-answers': ['contract/document/a.ts', 'contract/reading/b.ts'],
  'reading-never-judges': ['contract/reading/a.ts', 'contract/law/b.ts'],
  'law-knows-no-verdict': ['contract/law/a.ts', 'contract/judge/b.ts'],
  'planning-is-arithmetic': ['planning/a.ts', 'contract/b.ts'],
  'files-know-nobody': ['files/a.ts', 'results/b.ts'],
  'postgres-knows-nobody': ['postgres/a.ts', 'results/b.ts'],
  'http-sends-and-records': ['http/a.ts', 'contract/judge/judge.ts'],
  'ledger-keeps-what-was-sent': ['http/ledger/a.ts', 'results/b.ts'],
  'conformance-is-one-run': ['conformance/a.ts', 'service/b.ts'],
  'service-never-judges': ['service/a.ts', 'contract/b.ts'],
  'service-core-knows-no-faults': ['service/api/a.ts', 'service/faults/b.ts'],
  'results-keep-facts': ['results/a.ts', 'http/b.ts'],
  'monitors-watch': ['monitors/a.ts', 'reports/b.ts'],
  'probes-know-no-slots': ['monitors/probes/a.ts', 'monitors/slots/b.ts'],
  'reports-read-facts': ['reports/a.ts', 'conformance/b.ts'],
  'proof-runs-faults-against-the-judge': ['proof/a.ts', 'cli/b.ts'],
  'suite-runs-without-the-service': ['tests/a.ts', 'service/b.ts'],
  'gate-judges-rows': ['gate/a.ts', 'node:fs'],
  'rehearse-judges-clients': ['rehearse/a.ts', 'conformance/b.ts'],
  'law-of-clients-is-pure': ['rehearse/law/a.ts', 'node:http', true],
  'traffic-looks-on': ['traffic/a.ts', 'cli/b.ts'],
  'forwarding-never-judges': ['traffic/proxy/a.ts', 'contract/judge/judge.ts'],
  'load-runs-in-k6': ['load/a.ts', 'http/b.ts'],
  'load-needs-no-machine': ['load/a.ts', 'node:fs'],
  'load-compiles-no-spec': ['load/a.ts', 'contract/document/load-spec.ts', true],
  'k6-alone-runs-the-script': ['cli/a.ts', 'load/script.ts'],
  'load-running-starts-k6': ['load/running/a.ts', 'reports/b.ts'],
  'reports-are-written': ['reports/files/a.ts', 'http/send/b.ts'],
  'traffic-is-kept-beside': ['traffic/keeping/a.ts', 'reports/b.ts'],
  'nothing-imports-the-command-line': ['library/a.ts', 'cli/b.ts'],
  'testing-starts-the-command': ['http/a.ts', 'testing/b.ts'],
};

test('every wall of the configuration has a breach below', () => {
  const { forbidden } = JSON.parse(readFileSync(config, 'utf8'));
  expect(forbidden.map((wall: { name: string }) => wall.name).toSorted()).toEqual(
    Object.keys(breaches).toSorted(),
  );
});

test('every wall stops a forbidden import', () => {
  const folder = test.info().outputPath('tree');
  for (const [wall, [from, to, isValue]] of Object.entries(breaches)) {
    const [type, kind] = isValue ? ['', 'const'] : ['type ', 'type'];
    const place = packagePlace(wall, from);
    put(folder, place, `import ${type}{ B } from '${pathBetween(place, to)}';\nexport ${kind} A = B;\n`);
    const back = wall === 'no-cycles' ? `import type { A } from '${pathBetween(to, place)}';\n` : '';
    if (!to.startsWith('node:')) put(folder, to, `${back}export type B = 1;\nexport const B = 1;\n`);
  }
  const stopped = findViolations(folder);
  for (const [wall, [from]] of Object.entries(breaches))
    expect(stopped).toContain(`${wall}: ${packagePlace(wall, from)}`);
});

/** In the folder of the breach, a separate file. */
function packagePlace(wall: string, from: string): string {
  return join(dirname(from), `${wall}.ts`);
}

function put(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function pathBetween(from: string, to: string): string {
  if (to.startsWith('node:')) return to;
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}

function findViolations(folder: string): string[] {
  writeFileSync(join(folder, 'tsconfig.json'), '{}');
  const args = [cruiser, '--config', config, '--output-type', 'json', '.'];
  const { summary } = JSON.parse(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout);
  type Violation = { readonly rule: { readonly name: string }; readonly from: string; readonly to: string };
  // A cycle is reported from whichever of its ends.
  return summary.violations.flatMap(({ rule, from, to }: Violation) =>
    [from, to].map((end) => `${rule.name}: ${end}`),
  );
}
