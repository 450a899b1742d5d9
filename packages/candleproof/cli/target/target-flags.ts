import type { TargetDescription } from '@candleproof/check/target/target-description';
import { UsageError } from '@candleproof/files/usage-error';
import type { Command, Option } from 'commander';
import { headings, option, repeatable } from '../running/options.ts';

/** Makes the flag of a document's overlays. */
export function overlayOption(): Option {
  return repeatable('--overlay <file>', 'OpenAPI Overlay to apply to that document; several in their order');
}

/** Makes the flag of a document's pools by their spaces. */
export function poolsOption(): Option {
  return repeatable('--pools <ids>', 'pools of that document, SPACE=ID,ID where it has several spaces');
}

const gapsOption = (): Option =>
  option(
    '--gaps <how>',
    'idle where intervals that nobody observed may be missing; none when left out',
    readGaps,
  );

/** Adds the flags that describe a target to a command, with its own flag `--gaps` if it has one. */
export function addTargetFlags(command: Command, gaps = gapsOption()): Command {
  return addAccessFlags(
    command
      .optionsGroup(headings.target)
      .option('--config <file>', 'targets and keys under their names (candleproof.yaml)')
      .option('--base-url <url>', 'https address that the operations stand under; http on loopback')
      .addOption(
        option('--network <name>', 'mainnet or testnet; what is not said counts as mainnet', readNetwork),
      ),
    gaps,
  );
}

/** Adds the flags of a target whose address the command line gives already. */
export function addAccessFlags(command: Command, gaps = gapsOption()): Command {
  return addPoolFlags(
    command
      .optionsGroup(headings.target)
      .option('--api-key-file <file>', 'file that holds the API key (or CANDLEPROOF_API_KEY)')
      .option('--ca-file <file>', 'PEM of an authority to trust besides the public ones'),
  )
    .option('--keyless', 'the target needs no key')
    .addOption(gaps)
    .option('--shared-key', 'others use the key too: the counters may move by more than our requests');
}

/** The document and the pools that it is about. */
export function addPoolFlags(command: Command): Command {
  return command
    .optionsGroup(headings.target)
    .addOption(option('--pools-v1 <ids>', 'V1 pools to check, such as 1,2', readPools))
    .addOption(option('--pools-v2 <ids>', 'V2 pools to check', readPools))
    .option(
      '--spec <file>',
      'another OpenAPI document with roles, or its name in the gallery (docs/another-api.md)',
    )
    .addOption(overlayOption())
    .addOption(poolsOption());
}

function readNetwork(name: string): 'mainnet' | 'testnet' {
  if (name === 'mainnet' || name === 'testnet') return name;
  throw new UsageError(`--network: "${name}" is not served (§1): give mainnet or testnet`);
}

function readGaps(text: string, place: string): TargetDescription['gaps'] {
  if (text === 'none' || text === 'idle') return text;
  throw new UsageError(`${place}: "${text}" is neither none nor idle`);
}

/** Pool ids from a comma-separated list; `place` names the flag or variable that holds it. */
export function readPools(text: string, place: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !/^\d{1,9}$/.test(part));
  if (wrong !== undefined)
    throw new UsageError(`${place}: "${wrong}" is no pool: give whole numbers, such as 1,2`);
  return [...new Set(parts.map(Number))];
}
