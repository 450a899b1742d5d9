import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';

const config = resolve('.dependency-cruiser.json');
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

/** For each wall, an import that must not pass it. */
const breaches: Record<string, [from: string, to: string, isValue?: true]> = {
  'no-cycles': ['packages/law/there.ts', 'packages/law/back.ts'],
  'files-know-nobody': ['packages/files/a.ts', 'packages/postgres/b.ts'],
  'postgres-knows-nobody': ['packages/postgres/a.ts', 'monitors/results/b.ts'],
  'document-knows-no-answers': ['packages/document/spec/a.ts', 'packages/law/reading/b.ts'],
  'drafting-sends-nothing': ['packages/drafting/a.ts', 'packages/client/b.ts'],
  'law-knows-nobody': ['packages/law/a.ts', 'packages/client/b.ts'],
  'law-is-pure': ['packages/law/a.ts', 'node:http'],
  'reading-never-judges': ['packages/law/reading/a.ts', 'packages/law/rules/b.ts'],
  'rules-know-no-verdict': ['packages/law/rules/a.ts', 'packages/law/judge/b.ts'],
  'planning-is-arithmetic': ['packages/law/planning/a.ts', 'packages/law/reading/b.ts'],
  'client-sends-and-records': ['packages/client/send/a.ts', 'packages/law/judge/judge.ts'],
  'accounts-are-arithmetic': ['packages/client/accounts/a.ts', 'packages/client/ledger/b.ts'],
  'check-is-one-run': ['packages/check/a.ts', 'packages/reference-service/b.ts'],
  'service-never-judges': ['packages/reference-service/a.ts', 'packages/law/b.ts'],
  'service-core-knows-no-faults': [
    'packages/reference-service/api/a.ts',
    'packages/reference-service/faults/b.ts',
  ],
  'reports-read-facts': ['reports/a.ts', 'packages/client/b.ts'],
  'monitors-watch': ['monitors/a.ts', 'packages/candleproof/cli/b.ts'],
  'results-keep-facts': ['monitors/results/a.ts', 'packages/client/b.ts'],
  'probes-know-no-slots': ['monitors/probes/a.ts', 'monitors/slots/b.ts'],
  'watching-draws-nothing': ['monitors/slots/a.ts', 'monitors/page/b.ts'],
  'load-pays-sends-and-judges': ['load/running/a.ts', 'monitors/b.ts'],
  'load-runs-in-k6': ['load/a.ts', 'packages/client/b.ts'],
  'load-needs-no-machine': ['load/a.ts', 'node:fs'],
  'load-compiles-no-spec': ['load/a.ts', 'packages/document/spec/load-spec.ts', true],
  'k6-alone-runs-the-script': ['load/running/a.ts', 'load/script.ts'],
  'gate-judges-rows': ['packages/gate/judging/a.ts', 'node:fs'],
  'gate-sends-by-the-check': ['packages/gate/audit/a.ts', 'monitors/b.ts'],
  'rehearse-judges-clients': ['packages/rehearse/a.ts', 'packages/check/b.ts'],
  'law-of-clients-is-pure': ['packages/rehearse/law/a.ts', 'node:http', true],
  'proxy-looks-on': ['packages/proxy/judging/a.ts', 'packages/check/run/b.ts'],
  'proxy-books-beside': ['packages/proxy/running/a.ts', 'reports/b.ts'],
  'forwarding-never-judges': ['packages/proxy/forwarding/a.ts', 'packages/law/judge/judge.ts'],
  'site-draws-what-others-made': ['packages/site/a.ts', 'packages/check/b.ts'],
  'candleproof-is-imported-by-nobody': ['monitors/a.ts', 'packages/candleproof/library/b.ts'],
  'library-prints-nothing': ['packages/candleproof/library/a.ts', 'packages/candleproof/cli/b.ts'],
  'suite-runs-without-the-service': ['tests/a.ts', 'packages/reference-service/b.ts'],
  'nothing-imports-tools': ['packages/client/a.ts', 'tools/testing/b.ts'],
  'tests-share-no-command': ['tools/testing/a.ts', 'packages/law/b.ts'],
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
