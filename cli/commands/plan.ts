import type { Command } from 'commander';
import { budgetFor, defaultBudget, makePlan, type Plan } from '../../conformance/plan.ts';
import type { TargetFacts } from '../../contract/exchange.ts';
import { SIMULATED_POOLS } from '../../service/market/pools.ts';
import { addRunFlags, chosenCatalogue, type RunFlags } from '../run-flags.ts';
import { addTargetFlags, readTarget, type Target, type TargetFlags } from '../target-flags.ts';

/** The documented example of a monthly allowance (§8). */
const month = 10_000;

/** How often a check is run, as a bill for each. */
const habits = { 'once a night': 30, 'twenty times a working day': 440 };

export function registerPlan(program: Command): void {
  const command = program
    .command('plan [target]')
    .description('what a check would cost against the monthly quota; sends nothing');
  addRunFlags(addTargetFlags(command)).action((name, flags: TargetFlags & RunFlags) => {
    const target = readTarget(
      name ?? (flags.baseUrl === undefined ? 'local' : undefined),
      flags,
      process.env,
      {
        needsKey: false,
      },
    );
    const { planned } = budgetFor(flags.budget);
    const plan = makePlan(chosenCatalogue(flags.only), factsOf(target), planned);
    const again = flags.budget === undefined ? defaultBudget.again : flags.budget - plan.requests.length;
    process.stdout.write(describePlan(plan, Math.min(again, defaultBudget.again)));
  });
}

function factsOf(target: Target): TargetFacts {
  if (target.kind === 'remote') return target.facts;
  const pools = (generation: string): number[] =>
    SIMULATED_POOLS.flatMap((each) => (each.generation === generation ? [each.id] : []));
  const known = { poolsV1: pools('v1'), poolsV2: pools('v2'), keyless: false, soleUser: true };
  return { name: 'local', baseUrl: 'https://127.0.0.1', ...known };
}

function describePlan({ requests, left }: Plan, again: number): string {
  const lines = [...Map.groupBy(requests, ({ need }) => need.operation)].map(
    ([operation, all]) =>
      `${String(all.length).padStart(5)}  ${operation}${unkeyed(all.length, all.filter((each) => each.credential === 'none').length)}`,
  );
  const bills = Object.entries(habits).map(
    ([habit, times]) =>
      `  ${habit}: ${requests.length * times} requests a month, ${share(requests.length * times)}`,
  );
  return [
    'A check sends:',
    ...lines,
    `${String(requests.length).padStart(5)}  in all, ${share(requests.length)}; at most ${again} more to ask again`,
    ...(left > 0 ? [`${String(left).padStart(5)}  left out: the budget has no room for them`] : []),
    'Run regularly it costs:',
    ...bills,
    'The allowance of the key is not known until an answer tells it.',
    '',
  ].join('\n');
}

function unkeyed(all: number, without: number): string {
  return without > 0 ? ` (${without} of ${all} without a key)` : '';
}

function share(requests: number): string {
  return `${Number(((100 * requests) / month).toPrecision(2))} % of a month of ${month} requests`;
}
