import { test } from '@playwright/test';
import { checkTarget } from '../../cli/running/check-target.ts';
import { writeReports } from '../../cli/running/publish-run.ts';
import { readTarget } from '../../cli/target/target-flags.ts';
import { catalogue } from '../../contract/law/catalogue.ts';
import { runFolder } from './run-store.ts';
import { targetFlags } from './target-from-environment.ts';

/** Everything that is requested from the target: one run, whatever the tests, their number and their retries. */
test('evidence is fetched', async () => {
  test.setTimeout(10 * 60_000);
  const { name, flags } = targetFlags(process.env);
  const target = readTarget(name, flags, process.env);
  writeReports(await checkTarget({ target, flags: { timeout: 10_000 }, law: catalogue }), runFolder);
});
