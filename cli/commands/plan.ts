import type { Command } from 'commander';
import { budgetFor, makePlan } from '../../conformance/plan.ts';
import type { TargetFacts } from '../../contract/exchange.ts';
import { SIMULATED_POOLS } from '../../service/market/pools.ts';
import { exampleMonth, type KnownMonth, planInWords } from '../plan-words.ts';
import { addRunFlags, chosenCatalogue, type RunFlags } from '../run-flags.ts';
import { addTargetFlags, readTarget, type Target, type TargetFlags } from '../target-flags.ts';

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
    const budget = flags.budget === 'auto' ? undefined : flags.budget;
    const { planned } = budgetFor(budget);
    const pinned = target.kind === 'remote' ? target.configured?.edition : undefined;
    const law = chosenCatalogue(flags.only, flags.edition ?? pinned);
    const plan = makePlan(law, factsOf(target), planned, {
      seed: flags.seed ?? 1,
      thorough: flags.thorough === true,
      hasOtherKey: flags.otherKeyFile !== undefined,
    });
    process.stdout.write(planInWords(plan, budget, monthOf(target)));
  });
}

function factsOf(target: Target): TargetFacts {
  if (target.kind === 'remote') return target.facts;
  const pools = (generation: string): number[] =>
    SIMULATED_POOLS.flatMap((each) => (each.generation === generation ? [each.id] : []));
  const known = { poolsV1: pools('v1'), poolsV2: pools('v2'), keyless: false, soleUser: true };
  return { name: 'local', baseUrl: 'https://127.0.0.1', ...known };
}

function monthOf(target: Target): KnownMonth {
  const key = target.kind === 'remote' ? target.configured?.key : undefined;
  if (!key) return exampleMonth;
  const isKnown = key.limit !== undefined;
  return { limit: key.limit ?? exampleMonth.limit, isKnown, shares: key.shares };
}
