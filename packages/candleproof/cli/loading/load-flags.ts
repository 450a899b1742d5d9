import type { TargetDescription } from '@candleproof/check/target/target-description';
import type { NamedFile } from '@candleproof/files/named-file';
import { readCount, readDuration, readPositive, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import type { LoadEngine, Thresholds } from '@candleproof/load/load-run';
import type { Segment } from '@candleproof/load/running/generator';
import type { LoadChoices } from '@candleproof/load/running/trial';
import type { ScenarioId } from '@candleproof/load/scenarios';
import { scenarios } from '@candleproof/load/scenarios';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { FileOption, forceFlag } from '../running/file-option.ts';
import { headings, option, outFlag, overageFlag, timeoutOption } from '../running/options.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import type { PrintFlags } from '../words/output.ts';

export type LoadFlags = TargetDescription &
  PrintFlags &
  Omit<LoadChoices, 'thresholds' | 'plan'> & { readonly out?: string; readonly plan?: NamedFile };

/** Longer runs want several starts: a mistyped one must not run for weeks. */
const mostSeconds = 86_400;

/** Adds the flags of a load to its command. */
export function addLoadFlags(command: Command): Command {
  return addTargetFlags(command)
    .optionsGroup(headings.sent)
    .option(
      '--engine <name>',
      'embedded, or k6 (usual for --segment, --plan and above 2,000 requests a second)',
      readEngine,
    )
    .addOption(
      option('--rate <n>', 'highest rate, requests a second; the others in proportion', readPositive),
    )
    .option('--duration <seconds>', 'length of the whole; its stages in proportion', readSeconds)
    .addOption(option('--scale <n>', 'multiplies every rate', readPositive))
    .addOption(
      option(
        '--floor <n>',
        'end where so few requests of the month remain (the reserve of the key)',
        readCount,
      ),
    )
    .option(...overageFlag)
    .addOption(timeoutOption(5000))
    .option('--segment <i/n>', 'send one part of n, such as 1/4; books the whole bill', readSegment)
    .option('--granted <id>', 'this part is on a bill that another one booked')
    .option('--allow-mainnet', 'load a target that is, or may be, on mainnet')
    .option('--fault <id...>', 'faults to switch on in the embedded service')
    .optionsGroup(headings.judged)
    .option(
      '--judge <share>',
      'share of the answers to judge, from 0 to 1 (a tenth, at least 1,000)',
      readShare,
    )
    .optionsGroup(headings.written)
    .addOption(
      new FileOption('--plan <file>', 'book the bill and write the plan for k6 elsewhere; see docs/load.md'),
    )
    .option(...forceFlag)
    .option('--json', 'print load.json instead of words')
    .option(...outFlag);
}

/** Reads the name of a scenario; throws a UsageError that lists them. */
export function readScenario(name: string): ScenarioId {
  if (Object.hasOwn(scenarios, name)) return name as ScenarioId;
  throw new UsageError(`load: no scenario is called "${name}": take ${Object.keys(scenarios).join(', ')}`);
}

function readEngine(name: string): LoadEngine {
  if (name === 'embedded' || name === 'k6') return name;
  throw new UsageError(`--engine: no engine is called "${name}": take embedded or k6`);
}

/** Reads a segment such as 1/4; throws a UsageError. */
function readSegment(text: string): Segment {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const segment = { index: Number(index), of: Number(of) };
  if (segment.index >= 1 && segment.index <= segment.of) return segment;
  throw new UsageError(`--segment: "${text}" is no part: give such as 1/4`);
}

function readSeconds(text: string): number {
  const seconds = readWholeNumber(text, '--duration');
  if (seconds > mostSeconds)
    throw new UsageError(`--duration: "${text}" is more than ${mostSeconds} seconds`);
  return seconds;
}

function readShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new UsageError(`--judge: "${text}" is no share from 0 to 1`);
}

/** Returns the objectives that a config declares for loads: the monitors' usual ones are not made for them. */
export function readThresholds(config: Config | undefined): Thresholds {
  const { availability, latency } = config?.monitoring.slos ?? {};
  return {
    ...(availability && { availability: availability.objective / 100 }),
    ...(latency?.under !== undefined && {
      latency: { objective: latency.objective / 100, underMs: readDuration(latency.under) },
    }),
  };
}
