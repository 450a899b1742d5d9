// Prints more than is kept, and the secret of its --token in two writes, the first of which ends beyond 65,536 + 2,048 bytes.
import { setTimeout } from 'node:timers/promises';

const secret = process.argv.at(-1) ?? '';
process.stdout.write('€'.repeat(22_525) + secret.slice(0, 30));
await setTimeout(300);
process.stdout.write(`${secret.slice(30)}\n${'€'.repeat(60_000)}`);
