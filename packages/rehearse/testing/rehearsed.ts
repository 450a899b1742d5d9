import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type RehearsalOutcome, type RehearsalPlan, rehearseClient } from '../rehearse.ts';
import { scenarios } from '../scenarios/scenario-catalogue.ts';
import { spec } from './plays.ts';

const folder = 'packages/rehearse/testing/clients';

/** Rehearses one of the test clients. A `.py` file runs under python3. */
export function rehearseTestClient(
  client: string,
  ids: readonly string[],
  more: Partial<RehearsalPlan> & { readonly args?: readonly string[] } = {},
): Promise<RehearsalOutcome> {
  const { args = [], ...plan } = more;
  const interpreter = client.endsWith('.py') ? 'python3' : process.execPath;
  return rehearseClient({
    spec,
    version: '0.0.0',
    command: [interpreter, join(folder, client), ...args],
    scenarios: scenarios.filter(({ id }) => ids.includes(id)),
    areChosen: true,
    expectations: [],
    forMs: 3000,
    noOverage: false,
    http: false,
    seed: 1,
    ...plan,
  });
}

/** Returns whether python3 is installed with these modules. */
export function hasPython(...modules: readonly string[]): boolean {
  const imports = ['sys', ...modules].join(', ');
  return spawnSync('python3', ['-c', `import ${imports}`], { timeout: 20_000 }).status === 0;
}
